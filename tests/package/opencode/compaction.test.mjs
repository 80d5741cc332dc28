// The real OpenCode goes on with sessions that were compacted by the package: imported and prompted once, it
// sends to the model the view that filterCompacted gives, and nothing of the old messages is changed.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { findOpenCode, MODEL } from "../../../scripts/record/place.mjs";
import { consumer, requireFrom } from "../helper.mjs";
import { fromView } from "./chat.mjs";
import { served } from "./served.mjs";
import { exported, History, PNG } from "./sessions.mjs";

const LIMIT = { context: 24_000, output: 8_000 };
const PROMPT = "And what now?";
const ASKED = "What did we do so far?";
const SUMMARY = "## Objective\n- read the files";
const CLEARED = "[Old tool result content cleared]";

const { reason } = await findOpenCode();

let parts;
let compaction;
let place;
before(async () => {
  if (reason) return;
  parts = requireFrom(await consumer("opencode"))("apex-parts");
  parts.setLogger(undefined);
  compaction = parts.SessionCompaction;
  place = await served({ limit: LIMIT });
});

const view = (messages) => fromView(parts.toModelMessage(compaction.filterCompacted(messages)));

/** What is said, a line an item: what a reader of a failed test looks at first. */
const lines = (said) =>
  said.flatMap((item) => {
    if (item.role === "user") return [`user: ${item.texts.join(" | ")}`];
    if (item.role === "tool") return [`result: ${item.output.slice(0, 40)}`];
    const calls = item.calls.map(({ name, input }) => `call: ${name} ${JSON.stringify(input)}`);
    return [...(item.text ? [`assistant: ${item.text}`] : []), ...calls];
  });

/** The history compacted, as a host does it. */
function compacted(history, { config = {}, overflow = false, text = SUMMARY, ...more } = {}) {
  const { messages } = history;
  const made = compaction.plan(messages, {
    model: { limit: LIMIT },
    config: { pinUser: 0, ...config },
    overflow,
  });
  const meta = { id: history.id, now: history.now(), auto: true, ...MODEL, ...more };
  if (overflow) meta.overflow = true;
  history.messages = compaction.applySummary(messages, made, text, meta);
  return made;
}

/**
 * Gives a history to OpenCode and prompts it once: what the model was told, which is the view. What was
 * imported is exported unchanged.
 */
async function goesOn(messages, options) {
  const session = exported(messages);
  await place.import(session);
  const said = await place.told(session.info.id, PROMPT, "Going on.", options);
  const prompted = new History().user(PROMPT);
  assert.deepEqual(said, view([...session.messages, prompted]));

  const { messages: after } = await place.read(session.info.id);
  assert.deepEqual(after.slice(0, session.messages.length), session.messages);
  assert.equal(after.length, session.messages.length + 2);
  assert.deepEqual(said, view(after.slice(0, -1)));
  assert.equal(after.at(-1).parts.find(({ type }) => type === "text").text, "Going on.");
  assert.deepEqual(place.outside, [], "OpenCode asked for nothing beyond this machine");
  return lines(said);
}

/** Three turns with calls; the last is done, or not. */
function threeTurns({ done = true } = {}) {
  const history = new History();
  history.user("Read a.txt");
  history.step({
    reasoning: "It may be long.",
    text: "Reading.",
    calls: [{ name: "read", input: { filePath: "a.txt" }, output: "one\ntwo 🎉" }],
  });
  history.step({ text: "It has two lines." });
  history.user("And b.txt and c.txt?");
  history.step({
    calls: [
      { name: "read", input: { filePath: "b.txt" }, output: "bee" },
      { input: { command: "cat c.txt" }, status: "error", error: "no such file" },
    ],
  });
  history.step({ text: "b.txt says bee, c.txt is not there." });
  history.user("Count the words", {
    type: "file",
    mime: "image/png",
    filename: "dot.png",
    url: PNG,
  });
  history.step({ text: "Counting.", calls: [{ input: { command: "wc" }, output: "3 words" }] });
  if (done) history.step({ reasoning: "Simple.", text: "Three." });
  return history;
}

const LAST = [
  "user: Count the words",
  "assistant: Counting.",
  'call: bash {"command":"wc"}',
  "result: 3 words",
];

describe("OpenCode goes on", { skip: reason ?? false }, () => {
  // The server, and once more the command as a user calls it: it is told the same.
  for (const run of [false, true]) {
    test(`with a tail${run ? ", by opencode run" : ""}`, async () => {
      const history = threeTurns();
      const { tailStartID } = compacted(history, { config: { tail_turns: 1 } });
      assert.ok(tailStartID);
      assert.deepEqual(await goesOn(history.messages, { run }), [
        ...[`user: ${ASKED}`, `assistant: ${SUMMARY}`],
        ...[...LAST, "assistant: Three."],
        `user: ${PROMPT}`,
      ]);
    });
  }

  test("without a tail", async () => {
    const history = threeTurns();
    const { tailStartID } = compacted(history, { config: { tail_turns: 0 } });
    assert.equal(tailStartID, undefined);
    assert.deepEqual(await goesOn(history.messages), [
      ...[`user: ${ASKED}`, `assistant: ${SUMMARY}`, `user: ${PROMPT}`],
    ]);
  });

  test("with the user's own words beside the summary", async () => {
    const history = threeTurns();
    compacted(history, { config: { tail_turns: 0, pinUser: 2_000 } });
    const [asked, summary, ...more] = await goesOn(history.messages);
    assert.deepEqual([asked, more], [`user: ${ASKED}`, [`user: ${PROMPT}`]]);
    assert.ok(summary.startsWith(`assistant: ${SUMMARY}`), summary);
    for (const word of ["Read a.txt", "And b.txt and c.txt?", "Count the words"]) {
      assert.ok(summary.includes(word), summary);
    }
  });

  test("in the middle of a turn, with the message that continues it", async () => {
    const history = threeTurns({ done: false });
    compacted(history, { config: { tail_turns: 1 } });
    const [{ text }] = history.messages.at(-1).parts;
    assert.deepEqual(await goesOn(history.messages), [
      ...[`user: ${ASKED}`, `assistant: ${SUMMARY}`],
      ...LAST,
      ...[`user: ${text}`, `user: ${PROMPT}`],
    ]);
  });

  test("with a tail that begins inside a turn", async () => {
    const history = new History();
    history.user("Print a lot");
    const words = ["one", "two", "three", "four"];
    for (const word of words) {
      history.step({ calls: [{ input: { command: word }, output: `${word} `.repeat(500) }] });
    }
    const { tailStartID } = compacted(history, { config: { preserve_recent_tokens: 1_800 } });
    assert.equal(tailStartID, history.messages[3].info.id);
    const [{ text }] = history.messages.at(-1).parts;
    assert.deepEqual(await goesOn(history.messages), [
      ...[`user: ${ASKED}`, `assistant: ${SUMMARY}`],
      ...['call: bash {"command":"three"}', `result: ${"three ".repeat(7).slice(0, 40)}`],
      ...['call: bash {"command":"four"}', `result: ${"four ".repeat(8)}`],
      ...[`user: ${text}`, `user: ${PROMPT}`],
    ]);
  });

  test("after a second compaction", async () => {
    const history = threeTurns();
    compacted(history, { config: { tail_turns: 1 } });
    history.user("Once more");
    history.step({ text: "Again.", calls: [{ input: { command: "wc -l" }, output: "2 lines" }] });
    history.step({ text: "Two." });
    compacted(history, { config: { tail_turns: 1 }, text: "## Objective\n- all of it" });
    assert.deepEqual(await goesOn(history.messages), [
      ...[`user: ${ASKED}`, "assistant: ## Objective\n- all of it"],
      ...["user: Once more", "assistant: Again.", 'call: bash {"command":"wc -l"}'],
      ...["result: 2 lines", "assistant: Two."],
      `user: ${PROMPT}`,
    ]);
  });

  test("with outputs that were cleared", async () => {
    const history = new History();
    for (const [turn, word] of ["old", "older", "new", "newest"].entries()) {
      history.user(`Turn ${turn}`);
      history.step({ calls: [{ input: { command: word }, output: `${word} `.repeat(400) }] });
      history.step({ text: `That was ${turn}.` });
    }
    const config = { prune: true, protect: 100, minimum: 10, protectTurns: 2 };
    const made = compaction.prune(history.messages, config);
    assert.equal(made.partIDs.length, 2);
    history.messages = compaction.applyPrune(history.messages, made, history.now());
    const turn = (index, word, result) => [
      ...[`user: Turn ${index}`, `call: bash {"command":"${word}"}`, `result: ${result}`],
      `assistant: That was ${index}.`,
    ];
    assert.deepEqual(await goesOn(history.messages), [
      ...turn(0, "old", CLEARED),
      ...turn(1, "older", CLEARED),
      ...turn(2, "new", "new ".repeat(10)),
      ...turn(3, "newest", "newest ".repeat(6).slice(0, 40)),
      `user: ${PROMPT}`,
    ]);
  });

  test("with a cleared output in the tail", async () => {
    const history = threeTurns();
    const partIDs = history.messages[4].parts.filter(({ type }) => type === "tool");
    const config = { prune: true, protect: 0, minimum: 0, protectTurns: 1 };
    const made = compaction.prune(history.messages, config);
    assert.ok(made.partIDs.includes(partIDs[0].id));
    history.messages = compaction.applyPrune(history.messages, made, history.now());
    compacted(history, { config: { tail_turns: 2 } });
    assert.deepEqual(await goesOn(history.messages), [
      ...[`user: ${ASKED}`, `assistant: ${SUMMARY}`, "user: And b.txt and c.txt?"],
      ...['call: read {"filePath":"b.txt"}', 'call: bash {"command":"cat c.txt"}'],
      ...[`result: ${CLEARED}`, "result: no such file"],
      "assistant: b.txt says bee, c.txt is not there.",
      ...[...LAST, "assistant: Three."],
      `user: ${PROMPT}`,
    ]);
  });

  test("with the replay of a message that the provider refused", async () => {
    const history = new History();
    history.user("Hello");
    history.step({ text: "Hello to you." });
    history.user("Look", { type: "file", mime: "image/png", filename: "dot.png", url: PNG });
    compacted(history, { overflow: true });
    assert.deepEqual(await goesOn(history.messages), [
      ...[`user: ${ASKED}`, `assistant: ${SUMMARY}`],
      ...["user: Look | [Attached image/png: dot.png]", `user: ${PROMPT}`],
    ]);
  });

  test("after a summary that failed, which is no cut", async () => {
    const history = threeTurns();
    const whole = lines(view(history.messages));
    compacted(history);
    const failed = history.messages.at(-1);
    const error = { name: "ContextOverflowError", data: { message: "too long" } };
    // Without `finish` OpenCode would take the compaction for one that is still to be done.
    const info = { ...failed.info, finish: "error", error };
    history.messages.splice(-1, 1, { info, parts: [] });
    assert.deepEqual(await goesOn(history.messages), [
      ...whole,
      ...[`user: ${ASKED}`, `user: ${PROMPT}`],
    ]);
  });
});
