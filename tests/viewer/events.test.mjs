/** The events of a recorded stream: their list, what each says and changes, stops, and links to them. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { axe } from "./audit.mjs";
import { drop, quiet, settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { serve } from "./server.mjs";
import { assertShort, watchTasks } from "./tasks.mjs";

const viewer = served();
const { visit } = viewer;

const START = Date.parse("2026-01-01T00:00:00.000Z");
/** Records of a stream, each so many ms after the one before; without a number it carries no time. */
function stream(records) {
  let at = START;
  return records.map(([kind, payload, gap], i) => {
    if (gap !== undefined) at += gap;
    const timestamp = gap === undefined ? {} : { timestamp: new Date(at).toISOString() };
    return `${JSON.stringify({ runId: "r", seq: i + 1, kind, payload, ...timestamp })}\n`;
  });
}

const LINES = stream([
  ["start", { modelId: "m-1", requestId: "q" }, 0],
  ["text", { textDelta: "The **harbour** " }, 40],
  ["text", { textDelta: "has _two_ boats." }, 1210],
  ["tool_call_start", { toolCallId: "c", toolName: "bash" }, 5],
  ["tool_call_args", { toolCallId: "c", argsTextDelta: '{"command":' }, 5],
  ["tool_call_args", { toolCallId: "c", argsTextDelta: '"ls"}' }, 5],
  ["tool_call_end", { toolCallId: "c" }, 5],
  ["done", { finishReason: "stop" }, 5],
]);
const CONTENT = LINES.join("");
const DAMAGED = [...LINES.slice(0, 2), '{"kind": "text", oops\n', ...LINES.slice(2)].join("");

let folder;
let server;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "viewer-"));
  const path = join(folder, "stream.ndjson");
  writeFileSync(path, CONTENT);
  server = await serve({ file: path });
});
after(async () => {
  await server?.close();
  if (folder) rmSync(folder, { recursive: true });
});

async function open(page, name, content) {
  await drop(page, name, content);
  await page.locator(".header-title p", { hasText: name }).waitFor();
  await settled(page);
}

async function replay(page) {
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  await page.getByRole("slider", { name: "Event" }).waitFor();
}

const list = (page) => page.getByRole("listbox", { name: "Events of the recording" });
const event = (page, number) => page.locator(`#event-${number}`);
const payload = (page) => page.locator(".payload");

/** Waits until the state after so many events is what the page shows, and the event is. */
async function reached(page, number) {
  await page.locator(`.replay[data-shown="${number}"]`).waitFor();
  await page.locator(".payload-number", { hasText: new RegExp(`^${number}$`) }).waitFor();
  await quiet(page);
}

const cells = (page, number) =>
  event(page, number).evaluate((line) =>
    ["number", "type", "gap", "bytes"].map(
      (name) => line.querySelector(`.event-${name}`).firstChild.textContent,
    ),
  );

/** The text that is marked as appended. */
const marked = (page) =>
  page.evaluate(() => [...(CSS.highlights.get("replay-change") ?? [])].map(String));

describe("the list of events", () => {
  test("says number, kind, gap and bytes of each; a click goes there", () =>
    visit({}, async (page) => {
      const untimed = stream([
        ["start", { modelId: "m-1", requestId: "q" }, 0],
        ["text", { textDelta: "Hi" }],
        ["done", { finishReason: "stop" }, 70],
      ]);
      await open(page, "untimed.ndjson", untimed.join(""));
      await replay(page);
      const sizes = untimed.map((line) => String(line.length));
      assert.deepEqual(await cells(page, 1), ["1", "start", "—", sizes[0]]);
      assert.deepEqual(await cells(page, 2), ["2", "text", "—", sizes[1]]);
      assert.deepEqual(await cells(page, 3), ["3", "done", "70", sizes[2]]);
      await open(page, "stream.ndjson", CONTENT);
      await replay(page);
      await thereAre(page.locator(".event"), LINES.length);
      assert.deepEqual(await cells(page, 3), ["3", "text", "1,210", String(LINES[2].length)]);
      await event(page, 3).click();
      await reached(page, 3);
      assert.equal(await event(page, 3).getAttribute("aria-selected"), "true");
      assert.match(await words(event(page, 3)), /has _two_ boats/);
      assert.deepEqual(await axe(page), []);
    }));

  test("shows what an event says as JSON, and marks what it changed", () =>
    viewer.share({}, async (page) => {
      await open(page, "stream.ndjson", CONTENT);
      await replay(page);
      await event(page, 3).click();
      await reached(page, 3);
      const shown = await words(payload(page).locator("pre"));
      assert.equal(shown, JSON.stringify(JSON.parse(LINES[2]), null, 2));
      // The row, and in it just what was appended.
      await thereAre(page.locator(".row[data-changed]"), 1);
      assert.equal(await page.locator(".row[data-changed]").getAttribute("data-changed"), "grown");
      await page.waitForFunction(() => CSS.highlights.has("replay-change"));
      assert.deepEqual(await marked(page), ["has two boats"]);
      assert.match(await words(payload(page)), /grew\s*text[\s\S]*\+16 characters/);
      await event(page, 4).click();
      await reached(page, 4);
      assert.match(await words(payload(page)), /new\s*bash/);
      const name = await page.locator('.row[data-changed="new"]').getAttribute("aria-label");
      assert.match(name, /^Message 0, part 2: tool bash/);
      assert.deepEqual(await marked(page), []);
      await page.getByRole("button", { name: "Close the replay" }).click();
      await page.locator(".replay").waitFor({ state: "detached" });
      assert.equal(await page.locator(".row[data-changed]").count(), 0);
    }));

  test("shows the bytes of a damaged event as text, and says that it is damaged", () =>
    viewer.share({}, async (page) => {
      await open(page, "oops.ndjson", DAMAGED);
      await replay(page);
      await event(page, 3).click();
      await reached(page, 3);
      assert.match(await words(event(page, 3)), /damaged/);
      assert.equal((await words(payload(page).locator("pre"))).trim(), '{"kind": "text", oops');
      assert.match(await words(payload(page)), /cannot be read: /);
      assert.match(await words(payload(page)), /changes nothing in the transcript/);
      assert.deepEqual(await axe(page), []);
    }));

  test("is one tab stop; the arrows, with Shift ten at once, go from event to event", () =>
    visit({}, async (page) => {
      const many = stream([
        ["start", { modelId: "m-1", requestId: "q" }, 0],
        ...Array.from({ length: 38 }, (_, i) => ["text", { textDelta: `word ${i} ` }, 10]),
        ["done", { finishReason: "stop" }, 10],
      ]);
      await open(page, "many.ndjson", many.join(""));
      await replay(page);
      assert.equal(await list(page).locator("[tabindex]").count(), 0);
      await event(page, 20).click();
      await reached(page, 20);
      await list(page).focus();
      await page.keyboard.press("ArrowDown");
      await reached(page, 21);
      assert.equal(await list(page).getAttribute("aria-activedescendant"), "event-21");
      await page.keyboard.press("Shift+ArrowUp");
      await reached(page, 11);
      await page.keyboard.press("Shift+ArrowRight");
      await reached(page, 21);
      await page.keyboard.press("Home");
      await reached(page, 1);
      await page.keyboard.press("End");
      await reached(page, 40);
      await page.keyboard.press(",");
      await reached(page, 39);
      // Anywhere on the page, the slider too.
      await page.getByRole("slider", { name: "Event" }).focus();
      await page.keyboard.press("Shift+ArrowLeft");
      await reached(page, 29);
    }));

  for (const dark of [false, true]) {
    test(`is a tab of its own on a narrow screen, ${dark ? "dark" : "light"}`, () =>
      viewer.share({ width: 390, height: 844, dark }, async (page) => {
        await open(page, "stream.ndjson", CONTENT);
        await replay(page);
        await page.locator(".pane-tabs").getByRole("button", { name: "Events" }).click();
        await event(page, 2).click();
        await reached(page, 2);
        assert.equal(await payload(page).isVisible(), true);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.equal(width, 390);
        assert.deepEqual(await axe(page), []);
      }));
  }
});

describe("stops", () => {
  async function stopAt(page, label) {
    await page.getByRole("button", { name: "Stops" }).click();
    await page.locator(".stop", { hasText: label }).getByRole("checkbox").check();
  }

  async function play(page) {
    await page.getByLabel("Speed").selectOption({ label: "Fastest" });
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.getByRole("button", { name: "Play", exact: true }).waitFor();
  }

  test("playing stops at every event of a kind", () =>
    viewer.share({}, async (page) => {
      await open(page, "stream.ndjson", CONTENT);
      await replay(page);
      await stopAt(page, "tool_call_args");
      assert.match(await words(page.locator(".stops")), /tool_call_args\s*2/);
      for (const number of [5, 6, 8]) {
        await play(page);
        await reached(page, number);
        const says = await words(page.locator(".replay-event"));
        assert.equal(/Stopped: it is tool_call_args/.test(says), number < 8, says);
      }
      assert.deepEqual(await axe(page), []);
    }));

  test("and at an event that makes a problem, by the clock too", () =>
    viewer.share({}, async (page) => {
      await open(page, "oops.ndjson", DAMAGED);
      await replay(page);
      await stopAt(page, "makes a problem");
      await play(page);
      await reached(page, 3);
      assert.match(await words(page.locator(".replay-event")), /Stopped: it makes a problem/);
      await event(page, 1).click();
      await reached(page, 1);
      await page.getByLabel("Speed").selectOption({ label: "16×" });
      await page.getByRole("button", { name: "Play", exact: true }).click();
      await page.locator(".replay-stopped").waitFor();
      await reached(page, 3);
    }));
});

describe("links to events", () => {
  test("y copies the event, and the link goes there", () =>
    viewer.visit({ address: server.url }, async (page) => {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await replay(page);
      await event(page, 3).click();
      await reached(page, 3);
      await page.locator(".row", { hasText: "boats" }).click();
      await page.keyboard.press("y");
      await page.getByText("Link copied.").waitFor();
      const link = await page.evaluate(() => navigator.clipboard.readText());
      assert.match(link, /[#&]e=3\b/);
      assert.match(link, /[#&]m=0&p=1\b/);
      await page.goto("about:blank");
      await page.goto(link);
      await reached(page, 3);
      assert.match(await words(page.locator(".row[data-selected]")), /has two boats/);
      // The address keeps up, and loses the event with the replay.
      await event(page, 5).click();
      await page.waitForFunction(() => /[#&]e=5\b/.test(location.hash));
      await page.getByRole("button", { name: "Close the replay" }).click();
      await page.waitForFunction(() => !/[#&]e=/.test(location.hash));
    }));

  test("it can be written as ?e= as well; one that is not there is told", () =>
    viewer.visit({ address: `${server.url}&e=2` }, async (page) => {
      await reached(page, 2);
      assert.match(page.url(), /#e=2$/);
      await page.evaluate(() => {
        location.hash = "#e=99";
      });
      await page.getByText("There is no event 99: there are 8.").waitFor();
      await reached(page, 8);
      await page.evaluate(() => {
        location.hash = "#e=x";
      });
      await page.getByText("e=x is not the number of an event").waitFor();
    }));
});

test("Space plays right after a recording was opened from the dialog", () =>
  visit({}, async (page) => {
    await page.getByRole("button", { name: "Open", exact: true }).click();
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("dialog").getByText("Choose a file").click();
    await (await chooser).setFiles({
      name: "stream.ndjson",
      mimeType: "application/json",
      buffer: Buffer.from(CONTENT),
    });
    await page.locator(".header-title p", { hasText: "stream.ndjson" }).waitFor();
    await settled(page);
    // The recording is short: its end may come before anybody looks.
    await page.evaluate(() => {
      const look = () => {
        globalThis.played ||= document.querySelector('button[aria-label="Pause"]') !== null;
      };
      new MutationObserver(look).observe(document.body, {
        ...{ subtree: true, childList: true, attributes: true },
      });
    });
    await page.keyboard.press(" ");
    await page.waitForFunction(() => globalThis.played);
  }));

test("a hundred thousand events are listed, and no task is long", () =>
  visit({}, async (page) => {
    const many = stream([
      ["start", { modelId: "m-1", requestId: "q" }, 0],
      ...Array.from({ length: 100_000 }, (_, i) => ["heartbeat", { n: i }, 10]),
      ["text", { textDelta: "At last." }, 10],
      ["done", { finishReason: "stop" }, 10],
    ]);
    await open(page, "many.ndjson", many.join(""));
    const stop = await watchTasks(viewer.browser);
    await replay(page);
    await page.locator("#event-100003").waitFor();
    await page.getByRole("slider", { name: "Event" }).fill("50000");
    await page.locator("#event-50000").waitFor();
    await page.locator('.replay[data-shown="50000"]').waitFor();
    await list(page).focus();
    for (let i = 0; i < 20; i++) await page.keyboard.press("ArrowDown");
    await page.locator('.replay[data-shown="50020"]').waitFor();
    await page.keyboard.press("End");
    await page.locator("#event-100003").waitFor();
    assertShort(await stop());
  }));
