/** The replay of recorded streams: the state at any event is what the package has then. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DeltaAssembler, Transcript } from "../../pkg/node.mjs";
import { axe } from "./audit.mjs";
import { drop, quiet, settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { begin, delta, recording } from "./streaming.mjs";

const viewer = served();

const { visit } = viewer;

const RECORDINGS = {
  "events.sse": recording("recorded/opencode/fix-greeting.events.sse"),
  "blocks.sse": recording("streams/blocks.anthropic.sse"),
  "items.sse": recording("streams/items.openai-responses.sse"),
  "deltas.ndjson": recording("formats/deltas.txt"),
  "run.ndjson": recording("formats/opencode-run.txt"),
  "claude.ndjson": recording("formats/claude-code.txt"),
};

/** The events of a recording, told apart in another way than the viewer does. */
function eventsOf(bytes) {
  const text = bytes.toString("utf8");
  if (text.startsWith("{")) return text.split(/(?<=\n)/).filter((line) => line.trim() !== "");
  return text.split(/(?<=\n\n)/).filter((frame) => /^data/m.test(frame));
}

/** How many events are a share of those of OpenCode. */
const share = (of) => Math.ceil(eventsOf(RECORDINGS["events.sse"]).length * of);

/** What the package has after so many events. */
function stateAt(events, count, format) {
  const transcript = new Transcript({ format });
  transcript.push(Buffer.from(events.slice(0, count).join("")));
  transcript.refresh();
  const messages = transcript.messages();
  transcript.free();
  return messages;
}

function formatOf(bytes) {
  const transcript = Transcript.open(bytes);
  const { format } = transcript;
  transcript.free();
  return format;
}

/** Ids and times that the stream has none of are made up anew each time. */
function told(value) {
  if (Array.isArray(value)) return value.map(told);
  if (typeof value !== "object" || value === null) return value;
  const made = ["id", "sessionID", "messageID", "parentID", "time", "callID"];
  const kept = Object.entries(value).filter(([key]) => !made.includes(key));
  return Object.fromEntries(kept.map(([key, item]) => [key, told(item)]));
}

async function open(page, name, content) {
  await drop(page, name, content);
  await page.locator(".header-title p", { hasText: name }).waitFor();
  await settled(page);
}

const slider = (page) => page.getByRole("slider", { name: "Event" });
const valueText = (page) => slider(page).getAttribute("aria-valuetext");

async function replay(page) {
  await page.getByRole("button", { name: "Replay", exact: true }).click();
  await slider(page).waitFor();
}

/** Waits until the state after so many events is what the page shows. */
async function reached(page, count) {
  await page.waitForFunction(
    (k) => document.querySelector(".replay")?.dataset.shown === String(k),
    count,
  );
  await page.waitForFunction(() => !document.querySelector('.row[aria-busy="true"]'));
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
}

async function seek(page, count) {
  await slider(page).fill(String(count));
  await reached(page, count);
}

const rows = (page) =>
  page
    .locator(".row")
    .evaluateAll((all) =>
      all.map((row) => `${row.getAttribute("aria-label")}\n${row.textContent}`),
    );

/** The JSON that the inspector shows of every row. */
async function raw(page) {
  const found = await page.evaluate(async () => {
    const shown = async (row) => {
      row.click();
      for (const end = performance.now() + 30_000; performance.now() < end; ) {
        const id = document.querySelector(".inspector-id")?.textContent;
        const json = document.querySelector(".inspector-body .code code")?.textContent;
        if (row.matches("[data-selected]") && id && json?.includes(`"${id}"`)) return json;
        await new Promise((done) => setTimeout(done, 4));
      }
      throw new Error(`the inspector shows nothing of ${row.ariaLabel}`);
    };
    const all = [];
    // A window this high takes long to paint for each row, and nobody looks.
    document.body.style.visibility = "hidden";
    for (const row of document.querySelectorAll(".row")) all.push(await shown(row));
    document.body.style.visibility = "";
    return all;
  });
  return found.map((json) => JSON.parse(json));
}

describe("the state at an event is what the package has then", () => {
  for (const [name, bytes] of Object.entries(RECORDINGS)) {
    const format = formatOf(bytes);
    const events = eventsOf(bytes);
    const some = [1, 2, 0.2, 0.45, 0.7, 1].map((at, i) =>
      i < 2 ? at : Math.max(1, Math.floor(at * events.length)),
    );
    test(`${format}: ${name}`, () =>
      viewer.share({ height: 8000 }, async (page) => {
        await open(page, name, bytes.toString());
        await replay(page);
        await page.keyboard.press("r");
        assert.equal(Number(await slider(page).getAttribute("max")), events.length);
        // There and back, so that going on and beginning anew come to the same.
        for (const count of [...some, some[3], some[0], some[2]]) {
          await seek(page, count);
          const wanted = stateAt(events, count, format);
          const values = wanted.flatMap(({ info, parts }) => [info, ...parts]);
          await thereAre(page.locator(".row"), values.length, `rows after ${count}`);
          assert.deepEqual((await raw(page)).map(told), values.map(told), `after ${count}`);
        }
      }));
  }

  test("and what the assembler of the same bytes previews", () =>
    viewer.share({ height: 4000 }, async (page) => {
      const bytes = recording("streams/blocks.anthropic.sse");
      const events = eventsOf(bytes);
      await open(page, "blocks.sse", bytes.toString());
      await replay(page);
      let compared = 0;
      for (let count = 1; count <= events.length; count++) {
        const assembler = new DeltaAssembler({ format: "anthropic" });
        assembler.pushBytes(Buffer.from(events.slice(0, count).join("")));
        const parts = assembler.preview()?.parts ?? [];
        const texts = parts
          .filter(({ kind }) => kind === "text")
          .map(({ payload }) => payload.text);
        const calls = parts.filter(({ kind }) => kind === "tool_call").length;
        assembler.free();
        await seek(page, count);
        const shown = await page.locator('.row[aria-label*=": text"] .markdown').allInnerTexts();
        const bare = (list) => list.join("").replace(/[\s*`_#\\]+/g, "");
        assert.equal(bare(shown), bare(texts), `after ${count}`);
        await thereAre(page.locator('.row[aria-label*=": tool"]'), calls);
        compared += texts.length;
      }
      assert.ok(compared > 0);
    }));

  test("there and back shows the same rows, and nothing before the first event", () =>
    viewer.share({ height: 8000 }, async (page) => {
      await open(page, "events.sse", RECORDINGS["events.sse"].toString());
      const whole = await rows(page);
      await replay(page);
      assert.deepEqual(await rows(page), whole);
      const seen = new Map();
      for (const count of [0.3, 0.6, 0.1].map(share)) {
        await seek(page, count);
        seen.set(count, await rows(page));
      }
      await seek(page, 0);
      await page.locator(".nothing-yet").waitFor();
      assert.deepEqual(await rows(page), []);
      assert.deepEqual(await axe(page), []);
      for (const count of [0.1, 0.3, 0.6].map(share)) {
        await seek(page, count);
        assert.deepEqual(await rows(page), seen.get(count), `after ${count}`);
      }
      await page.getByRole("button", { name: "Close the replay" }).click();
      await slider(page).waitFor({ state: "detached" });
      await settled(page);
      assert.deepEqual(await rows(page), whole);
    }));
});

describe("the replay", () => {
  test("steps with the keys, the buttons and the slider, and says what the event is", () =>
    viewer.share({}, async (page) => {
      const bytes = RECORDINGS["deltas.ndjson"];
      const events = eventsOf(bytes);
      await open(page, "deltas.ndjson", bytes.toString());
      await replay(page);
      await seek(page, 3);
      assert.match(await valueText(page), /^event 3 of \d+, message 0$/);
      const event = page.locator(".replay-event");
      assert.match(await words(event), /^text\s*\S/);
      await page.locator(".pane-transcript .scroller").focus();
      await page.keyboard.press(".");
      await reached(page, 4);
      await page.keyboard.press(",");
      await page.keyboard.press(",");
      await reached(page, 2);
      assert.match(
        await words(event),
        JSON.parse(events[1]).payload.textDelta.slice(0, 8) ? /\S/ : /^$/,
      );
      await page.getByRole("button", { name: "Step forward" }).click();
      await reached(page, 3);
      await slider(page).focus();
      await page.keyboard.press("ArrowRight");
      await reached(page, 4);
      await page.keyboard.press(",");
      await reached(page, 3);
      await page.keyboard.press("Home");
      await reached(page, 0);
      await page.keyboard.press(",");
      await quiet(page);
      assert.match(await valueText(page), /^event 0 of/);
      assert.deepEqual(await axe(page), []);
    }));

  test("the keys open the replay; behind the button that opened it, Space plays", () =>
    viewer.share({}, async (page) => {
      await open(page, "events.sse", RECORDINGS["events.sse"].toString());
      const events = eventsOf(RECORDINGS["events.sse"]).length;
      await page.locator(".pane-transcript .scroller").focus();
      await page.keyboard.press(",");
      await reached(page, events - 1);
      await page.getByRole("button", { name: "Close the replay" }).click();
      await page.getByRole("button", { name: "Replay", exact: true }).click();
      await page.waitForFunction(() => document.activeElement.matches(".replay-slider"));
      await page.keyboard.press(" ");
      await page.getByRole("button", { name: "Pause" }).waitFor();
      await page.keyboard.press(" ");
      await page.getByRole("button", { name: "Play", exact: true }).waitFor();
      // Nobody types into a slider: the page's other keys work there too.
      await page.keyboard.press("?");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
    }));

  test("plays, pauses, and plays faster; Space is the button's own on a button", () =>
    viewer.share({}, async (page) => {
      await open(page, "events.sse", RECORDINGS["events.sse"].toString());
      await replay(page);
      await page.locator(".pane-transcript .scroller").focus();
      // From the beginning, for it stands at the end.
      await page.keyboard.press(" ");
      await page.getByRole("button", { name: "Pause" }).waitFor();
      await page.waitForFunction(
        () => Number(document.querySelector(".replay").dataset.shown) >= 3,
      );
      await page.keyboard.press(" ");
      await page.getByRole("button", { name: "Play", exact: true }).waitFor();
      const at = await valueText(page);
      await quiet(page);
      assert.equal(await valueText(page), at);
      const button = page.getByRole("button", { name: "Step forward" });
      await button.focus();
      await page.keyboard.press(" ");
      await page.waitForFunction(
        (before) =>
          document.querySelector(".replay-slider").getAttribute("aria-valuetext") !== before,
        at,
      );
      assert.equal(await page.getByRole("button", { name: "Pause" }).count(), 0);
      await page.getByLabel("Speed").selectOption({ label: "Fastest" });
      await page.getByRole("button", { name: "Play", exact: true }).click();
      const last = Number(await slider(page).getAttribute("max"));
      await page.waitForFunction(
        (k) => document.querySelector(".replay").dataset.shown === String(k),
        last,
        { timeout: 60_000 },
      );
      await page.getByRole("button", { name: "Play", exact: true }).waitFor();
    }));

  test("is left at the place, and with the selection, where it was opened", () =>
    viewer.share({}, async (page) => {
      await open(page, "events.sse", RECORDINGS["events.sse"].toString());
      for (let i = 0; i < 9; i++) await page.keyboard.press("j");
      await quiet(page);
      const chosen = page.locator(".row[data-selected]");
      const place = () => chosen.evaluate((row) => row.getBoundingClientRect().top);
      const label = await chosen.getAttribute("aria-label");
      const top = await place();
      await replay(page);
      const bar = (await place()) - top;
      await seek(page, share(0.05));
      await seek(page, share(0.4));
      await page.getByRole("button", { name: "Replay", exact: true }).click();
      await slider(page).waitFor({ state: "detached" });
      await settled(page);
      assert.equal(await chosen.getAttribute("aria-label"), label);
      assert.ok(Math.abs((await place()) - top) <= 1, `${await place()} is ${top}; the bar ${bar}`);
    }));

  test("shows no loop before it has happened, and those of the whole when it is left", () =>
    visit({}, async (page) => {
      const run = { runId: "r", timestamp: "2026-01-01T00:00:00.000Z" };
      const records = [{ kind: "start", payload: { modelId: "m", requestId: "q" } }];
      for (let i = 0; i < 8; i++) {
        const toolCallId = `c${i}`;
        records.push({ kind: "tool_call_start", payload: { toolCallId, toolName: "read" } });
        records.push({ kind: "tool_call_args", payload: { toolCallId, argsTextDelta: '{"a":1}' } });
        records.push({ kind: "tool_call_end", payload: { toolCallId } });
      }
      records.push({ kind: "done", payload: { finishReason: "stop" } });
      const lines = records.map((record, i) => JSON.stringify({ ...run, seq: i + 1, ...record }));
      await open(page, "loop.ndjson", `${lines.join("\n")}\n`);
      await page.locator(".row-loop").first().waitFor();
      const marked = await page.locator(".row-loop").count();
      await replay(page);
      await seek(page, 7);
      assert.equal(await page.locator(".row-loop").count(), 0);
      await page.getByRole("button", { name: "Close the replay" }).click();
      await page.locator(".row-loop").first().waitFor();
      await thereAre(page.locator(".row-loop"), marked);
    }));

  test("is offered for streams only, and says why not for the others", () =>
    visit({}, async (page) => {
      const button = page.getByRole("button", { name: "Replay", exact: true });
      assert.equal(await button.count(), 0);
      const lines = [begin("m"), delta("text", { textDelta: "Hi" }), delta("done")];
      const records = lines.map((line) => line.replace(/^data: /, "").trim());
      await open(page, "list.json", `[${records.join(",\n")}]`);
      await button.click();
      await page.getByRole("alert").waitFor();
      assert.match(
        await words(page.getByRole("alert")),
        /^list\.json cannot be replayed\. It is one document/,
      );
      await open(page, "lines.ndjson", `${records.join("\n")}\n`);
      await replay(page);
      assert.equal(await slider(page).getAttribute("max"), "3");
    }));

  test("ends when another transcript is opened", () =>
    viewer.share({}, async (page) => {
      await open(page, "deltas.ndjson", RECORDINGS["deltas.ndjson"].toString());
      await replay(page);
      await seek(page, 5);
      await open(page, "run.ndjson", RECORDINGS["run.ndjson"].toString());
      assert.equal(await slider(page).count(), 0);
      await replay(page);
      await seek(page, 1);
      assert.match(await valueText(page), /^event 1 of/);
    }));

  for (const dark of [false, true]) {
    test(`fits a narrow screen, ${dark ? "dark" : "light"}`, () =>
      viewer.share({ width: 390, height: 844, dark }, async (page) => {
        await open(page, "events.sse", RECORDINGS["events.sse"].toString());
        await replay(page);
        await seek(page, share(0.4));
        assert.equal(
          await page.evaluate(() => document.documentElement.scrollWidth > innerWidth),
          false,
        );
        assert.deepEqual(await axe(page), []);
      }));
  }
});
