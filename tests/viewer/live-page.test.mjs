/** The example over a real Redis: the server that writes and sends a run is killed, and the page goes on. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { recordingOf } from "../../examples/live-page/recording.mjs";
import { serveTwice } from "../../examples/live-page/server.mjs";
import { noRedis, startRedis } from "../store/redis.mjs";
import { launch, newPage, quiet, words } from "./browser.mjs";

const SAMPLE = fileURLToPath(
  new URL("../../www/public/samples/fix-greeting.json", import.meta.url),
);

let browser;
let redis;

before(async () => {
  if (noRedis) return;
  browser = await launch();
  redis = await startRedis();
});
after(async () => {
  await browser?.close();
  await redis?.stop();
});

test("one of two servers is killed, and the page goes on", { skip: noRedis }, async () => {
  const recording = recordingOf(SAMPLE, "r");
  // In the middle it waits: the run is at work for as long as the test looks at it.
  const example = await serveTwice({
    ...{ redis: `redis://127.0.0.1:${redis.port}`, speed: 100 },
    holdAt: Math.ceil(recording.length / 2),
  });
  const { page, seen, close } = await newPage(browser);
  try {
    await page.goto(example.url);
    const rows = page.locator("apex-transcript .row:not([aria-busy=true])");
    await rows.nth(2).waitFor();
    const status = (word) => page.locator("apex-transcript .status", { hasText: word }).waitFor();
    await status("live");
    await page.evaluate(watchStatus);
    // The front asks the first, as long as that lives; so it writes too.
    const [first] = example.children;
    const gone = new Promise((resolve) => first.once("exit", resolve));
    first.kill("SIGKILL");
    await gone;
    await page.waitForFunction(() => window.statuses.some((said) => said.includes("reconnecting")));
    await status("live");
    example.release();
    await page.getByText("The run is over.").waitFor();
    await status("finished");
    // High enough for all of its rows.
    await page.locator("apex-transcript").evaluate((e) => {
      e.style.height = "4000px";
    });
    await quiet(page);
    const shown = await words(page.locator("apex-transcript .scroller"));
    const plain = (text) => text.replaceAll(/[\s`*]+/g, "");
    const texts = textsOf(recording);
    // A block of code has more in it than was written.
    const paragraphs = texts.flatMap((text) => text.split("\n\n"));
    for (const text of paragraphs.filter((text) => !text.startsWith("```"))) {
      assert.equal(plain(shown).split(plain(text)).length, 2, `once: ${text}`);
    }
    const complaints = seen.complaints.filter((words) => !/net::ERR|Failed to load/.test(words));
    assert.deepEqual(complaints, []);
  } finally {
    await close();
    example.close();
  }
});

/** Runs in the page: keeps what the status says, however briefly. */
function watchStatus() {
  const { shadowRoot } = document.querySelector("apex-transcript");
  const said = () => shadowRoot.querySelector(".status")?.textContent ?? "";
  window.statuses = [said()];
  new MutationObserver(() => window.statuses.push(said())).observe(shadowRoot, {
    ...{ subtree: true, childList: true, characterData: true },
  });
}

/** The texts of a recording, one a part. */
function textsOf(recording) {
  const texts = [];
  let before;
  for (const { delta } of recording) {
    if (delta.kind === "text" && before !== "text") texts.push("");
    if (delta.kind === "text") texts.push(texts.pop() + delta.payload.textDelta);
    before = delta.kind;
  }
  return texts;
}
