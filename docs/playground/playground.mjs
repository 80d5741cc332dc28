// The page: starts the module, and goes where the address says.
import init from "../package/web.mjs";
import { find } from "./elements.mjs";
import { readHash } from "./link.mjs";
import * as session from "./session.mjs";
import * as stream from "./stream.mjs";

const TABS = ["stream", "session"];
const BEGINNING = { stream: "anthropic", session: "fix-greeting" };

function show(tab) {
  for (const name of TABS) {
    const button = find(`tab-${name}`);
    find(name).hidden = name !== tab;
    button.setAttribute("aria-selected", String(name === tab));
    button.tabIndex = name === tab ? 0 : -1;
  }
}

const shown = () => TABS.find((name) => !find(name).hidden);

/** A person chose a tab: one that was never used begins with a sample. */
function choose(tab) {
  show(tab);
  find(`tab-${tab}`).focus();
  history.replaceState(null, "", tab === "session" ? "#tab=session" : location.pathname);
  if (tab === "session" && session.isEmpty()) void session.openSample(BEGINNING.session);
  if (tab === "stream" && find("stream-text").value === "") {
    void stream.openSample(BEGINNING.stream);
  }
}

/** Shows what the address says. */
async function follow() {
  let said;
  try {
    said = await readHash(location.hash);
  } catch (error) {
    show("stream");
    stream.open(new Uint8Array(0));
    stream.say(error.message);
    return;
  }
  show(said.tab);
  if (said.bytes) stream.open(said.bytes, said);
  else if (said.tab === "session") await session.openSample(said.sample ?? BEGINNING.session);
  else await stream.openSample(said.sample ?? BEGINNING.stream);
}

/** A file that is dropped anywhere is for the tab that is shown. */
function takeDrops() {
  const isFile = ({ dataTransfer }) => dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", ({ relatedTarget }) => {
    if (relatedTarget === null) document.body.classList.remove("dropping");
  });
  // Before the viewer, which would open it beside what is there.
  const options = { capture: true };
  const drop = async (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    event.stopPropagation();
    document.body.classList.remove("dropping");
    const [file] = event.dataTransfer.files;
    if (!file) return;
    if (shown() === "session") await session.openFile(file);
    else stream.open(new Uint8Array(await file.arrayBuffer()));
  };
  addEventListener("drop", drop, options);
}

function start() {
  for (const [index, tab] of TABS.entries()) {
    const button = find(`tab-${tab}`);
    button.addEventListener("click", () => choose(tab));
    button.addEventListener("keydown", ({ key }) => {
      if (key === "ArrowLeft" || key === "ArrowRight") choose(TABS[1 - index]);
    });
  }
  stream.start();
  session.start();
  takeDrops();
  find("as-session").addEventListener("click", () => {
    show("session");
    history.replaceState(null, "", "#tab=session");
    find("tab-session").focus();
    void session.openFile(stream.asFile());
  });
  addEventListener("hashchange", follow);
}

try {
  await init();
  find("unstarted").remove();
  find("page").hidden = false;
  start();
  await follow();
} catch (error) {
  find("unstarted")?.replaceChildren(`The package did not start: ${error.message}`);
}
