// The tab of sessions: what is pasted, dropped or chosen, in the package's viewer.
import { counted, find, markSample, sampleButtons } from "./elements.mjs";
import { bytesOf, SESSIONS } from "./samples.mjs";

/** Longer files are shown by the viewer, but not put into the text field. */
const MOST_CHARACTERS = 300_000;

let viewer;
/** How often something was opened: a sample that comes late is not shown over what came after it. */
let opened = 0;

/** The viewer, loaded when it is first needed. */
async function element() {
  if (viewer === undefined) {
    await import("../package/viewer.mjs");
    viewer = document.createElement("apex-transcript");
    viewer.addEventListener("error", ({ message }) => say(message ?? "It cannot be shown."));
    find("view").replaceChildren(viewer);
  }
  return viewer;
}

/** One sentence under the text. */
export function say(words) {
  find("session-note").textContent = words;
}

/** Shows a file in the viewer. */
export async function open(file, name, sample) {
  opened++;
  markSample(find("session-samples"), sample);
  say(`${name}, ${counted(file.size, "byte")}`);
  try {
    await (await element()).open(file, name);
  } catch (error) {
    say(error.message);
  }
}

/** The same for a file that comes from outside: its text is in the field, if it is not too long. */
export async function openFile(file, sample) {
  const isShort = file.size <= MOST_CHARACTERS;
  find("session-text").value = isShort ? await file.text() : "";
  await open(file, file.name, sample);
}

export async function openSample(id) {
  const sample = SESSIONS.find((known) => known.id === id);
  if (!sample) return;
  const turn = ++opened;
  try {
    const bytes = await bytesOf(sample);
    if (turn !== opened) return;
    await openFile(new File([bytes], sample.file), id);
    history.replaceState(null, "", `#tab=session&sample=${id}`);
  } catch (error) {
    say(error.message);
  }
}

/** True where nothing has been opened yet. */
export const isEmpty = () => viewer === undefined;

function openText() {
  const { value } = find("session-text");
  if (value.trim() === "") return say("Nothing here yet: paste, drop, or take a sample.");
  history.replaceState(null, "", "#tab=session");
  markSample(find("session-samples"), undefined);
  void open(new Blob([value]), "pasted session");
}

/** Makes the tab work. */
export function start() {
  sampleButtons(find("session-samples"), SESSIONS, openSample);
  find("session-open").addEventListener("click", openText);
  // The field has the pasted text once the event is over.
  find("session-text").addEventListener("paste", () => queueMicrotask(() => setTimeout(openText)));
  find("session-file").addEventListener("change", ({ target }) => {
    const [file] = target.files;
    if (file) void openFile(file);
    target.value = "";
  });
}
