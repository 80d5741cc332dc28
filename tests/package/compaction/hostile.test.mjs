// Damaged histories, settings that are none, and plans for other histories.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isApexPartsError, PartValidator, SessionCompaction, Transcript } from "apex-parts";
import { idSource } from "./lib/cases.mjs";
import { madeHistory } from "./lib/histories.mjs";

const {
  applyPrune,
  applySummary,
  check,
  estimate,
  filterCompacted,
  isOverflow,
  plan,
  prune,
  undo,
  usable,
} = SessionCompaction;
const model = { limit: { context: 24_000, output: 8_000 } };
const meta = () => ({ id: idSource(), now: 1_800_000_000_000 });

const reason = (call, expected, field) =>
  assert.throws(call, (error) => {
    assert.equal(error.name, "CompactionError");
    assert.equal(error.details.reason, expected, error.message);
    if (field !== undefined) assert.equal(error.details.field, field);
    assert.ok(isApexPartsError(error));
    assert.ok(error.message.length > 15);
    return true;
  });

/** Everything that can be done with a history; nothing of it may throw. */
function everything(messages) {
  const config = { prune: true, protect: 0, minimum: 0, protectTurns: 0 };
  const view = filterCompacted(messages);
  assert.ok(view.every((one) => messages.includes(one)));
  const { tokens } = estimate(messages);
  assert.ok(Number.isFinite(tokens) && tokens >= 0);
  check({ messages, model });
  const cleared = prune(messages, config);
  applyPrune(messages, cleared, 5);
  for (const estimator of ["chars", "classes"]) {
    for (const overflow of [false, true]) {
      const made = plan(messages, { model, config: { estimator, pinUser: 50 }, overflow });
      assert.ok(Number.isFinite(made.tokens.before) && Number.isFinite(made.tokens.after));
      SessionCompaction.summaryRequest(messages, made);
      assert.ok(applySummary(messages, made, "summary", meta()).length > messages.length);
    }
  }
  assert.ok(PartValidator.validateTranscript(messages).problems.length >= 0);
}

const user = (id, ...parts) => ({
  info: { id, sessionID: "s", role: "user", time: { created: 1 } },
  parts,
});
const answer = (id, extra, ...parts) => ({
  info: { id, sessionID: "s", role: "assistant", time: { created: 2 }, ...extra },
  parts,
});
const tool = (id, state) => ({ id, type: "tool", tool: "bash", callID: `call ${id}`, state });

test("damaged messages count as nothing", () => {
  const cyclic = {};
  cyclic.self = cyclic;
  const text = { id: "t", type: "text", text: "hello" };
  const odd = [null, undefined, 7, "x", [], {}, new Date(0), new Map(), () => {}, 1n, Symbol("s")];
  for (const one of odd) {
    everything([one, user("a", text)]);
    everything([user("a", one, text), answer("b", { finish: "stop" }, one, text)]);
    everything([{ info: one, parts: one }, user("a", text)]);
    everything([
      user("a", text),
      answer("b", { tokens: one, time: one, error: one, finish: one }, text),
    ]);
    everything([
      user("a", text),
      answer("b", {}, tool("c", one), { id: one, type: one, text: one }),
    ]);
    const state = { status: "completed", input: one, output: one, time: one, attachments: one };
    everything([
      user("a", text),
      answer("b", {}, tool("c", state), tool("c", { ...state, time: { compacted: one } })),
    ]);
    everything([user("a", { type: "file", mime: one, url: one, filename: one })]);
    everything([
      user("a", { type: "compaction", auto: one, tail_start_id: one }),
      answer("b", { summary: true, finish: "stop", parentID: one }),
    ]);
  }
  everything([
    user("a", text),
    answer("b", {}, tool("c", { status: "completed", input: cyclic, output: "x", time: {} })),
  ]);
  everything([
    user("a", text),
    answer(
      "b",
      {
        time: { created: "5", completed: "6" },
        finish: "stop",
        tokens: { input: "7", output: {} },
      },
      text,
    ),
  ]);
  const thrower = {
    get type() {
      throw new Error("no");
    },
  };
  everything([user("a", thrower, text)]);
  everything([]);
});

test("ids that repeat, tails that point forward, to themselves or nowhere", () => {
  const text = { id: "t", type: "text", text: "hello" };
  const compaction = (tail) => ({ id: "c", type: "compaction", auto: true, tail_start_id: tail });
  const summary = (parentID) => answer("s", { summary: true, finish: "stop", parentID }, text);
  everything([
    user("a", text),
    user("a", text),
    answer("a", { finish: "stop" }, text),
    user("a", text),
  ]);
  for (const tail of ["later", "b", "nowhere", ""]) {
    const messages = [
      user("a", text),
      user("b", compaction(tail)),
      summary("b"),
      user("later", text),
    ];
    everything(messages);
    assert.deepEqual(
      filterCompacted(messages).map(({ info }) => info.id),
      ["b", "s", "later"],
    );
    const { problems } = PartValidator.validateTranscript(messages, { ids: "opencode" });
    assert.equal(
      problems.some(({ rule }) => rule === "CP-1"),
      tail !== "",
    );
  }
  everything([user("b", compaction("a")), user("b", compaction("b")), summary("b"), summary("b")]);
  everything([summary("nobody"), summary(undefined), user("a", text)]);
});

test("a hundred thousand compactions", () => {
  const messages = [];
  for (let at = 0; at < 100_000; at++) {
    const tail = at === 0 ? {} : { tail_start_id: `s${at - 1}` };
    messages.push(user(`c${at}`, { id: `p${at}`, type: "compaction", auto: true, ...tail }));
    messages.push(
      answer(
        `s${at}`,
        { summary: true, finish: "stop", parentID: `c${at}` },
        { id: `q${at}`, type: "text", text: "x" },
      ),
    );
  }
  const ids = (list) => list.map(({ info }) => info.id);
  assert.deepEqual(ids(filterCompacted(messages)), ["c99999", "s99999", "s99998"]);
  const made = plan(messages, { model });
  assert.ok(made.problems.some(({ rule }) => rule === "CP-2"));
  assert.equal(prune(messages, { prune: true }).saved, 0);
  const transcript = Transcript.open(new TextEncoder().encode(JSON.stringify(messages)));
  assert.equal(transcript.compactions().length, 100_000);
  assert.deepEqual(transcript.plan({ model }), made);
  transcript.free();
});

test("a message larger than the window", () => {
  const huge = "word ".repeat(200_000);
  const messages = [
    user("a", { id: "1", type: "text", text: huge }),
    answer(
      "b",
      { finish: "tool-calls" },
      tool("2", { status: "completed", input: {}, output: huge, time: {} }),
    ),
  ];
  everything(messages);
  const made = plan(messages, { model });
  assert.deepEqual(made.summarise, ["a", "b"]);
  const [{ text }] = made.pinned;
  assert.match(text, /^word [\s\S]*\[… \d+ characters left out\][\s\S]*word $/);
  assert.ok(estimate([user("a", { id: "1", type: "text", text })]).tokens <= 2_000);
});

test("settings that are no numbers are named", () => {
  const messages = madeHistory(3);
  const numbers = [
    "reserved",
    "threshold",
    "tail_turns",
    "preserve_recent_tokens",
    "protect",
    "minimum",
    "protectTurns",
    "toolOutputMax",
    "pinUser",
  ];
  for (const field of numbers) {
    for (const wrong of [Number.NaN, -1, Number.POSITIVE_INFINITY, "7", {}, 1n]) {
      const config = { [field]: wrong };
      reason(() => plan(messages, { model, config }), "bad_config", field);
      reason(() => prune(messages, config), "bad_config", field);
      reason(() => usable({ model, config }), "bad_config", field);
      reason(() => check({ messages, model, config }), "bad_config", field);
      reason(() => isOverflow({ tokens: {}, model, config }), "bad_config", field);
    }
  }
  for (const field of ["context", "input", "output"]) {
    const wrong = { limit: { context: 1, [field]: Number.NaN } };
    reason(() => usable({ model: wrong }), "bad_config", `limit.${field}`);
  }
  reason(() => usable({}), "bad_config", "model");
  reason(() => usable(undefined), "bad_config", "model");
  reason(() => usable({ model: { limit: {} } }), "bad_config", "limit.context");
  reason(() => plan(messages, { model, config: 7 }), "bad_config", "config");
  reason(
    () => plan(messages, { model, config: { prices: { cacheRead: -1 } } }),
    "bad_config",
    "prices.cacheRead",
  );
  reason(
    () => plan(messages, { model, config: { estimator: "words" } }),
    "bad_config",
    "estimator",
  );
  reason(() => estimate(messages, { estimator: 7 }), "bad_config", "estimator");
  reason(() => prune(messages, { protectedTools: "read" }), "bad_config", "protectedTools");
  assert.equal(usable({ model, config: { reserved: null, unknown: 1 } }), 16_000);
});

test("plans that are none, other histories, blank summaries and targets that are not there", () => {
  const messages = madeHistory(11);
  const made = plan(messages, { model });
  for (const none of [undefined, null, 7, {}, [], "plan", { fingerprint: 7 }]) {
    reason(() => applyPrune(messages, none, 1), "stale_plan");
    reason(() => applySummary(messages, none, "text", meta()), "stale_plan");
    reason(() => SessionCompaction.summaryRequest(messages, none), "stale_plan");
  }
  reason(() => applySummary(madeHistory(12), made, "text", meta()), "stale_plan");
  for (const blank of ["", " \n\t", undefined, null, 7]) {
    reason(() => applySummary(messages, made, blank, meta()), "empty_summary");
  }
  for (const id of [
    undefined,
    () => "",
    () => 7,
    "id",
    () => {
      throw new Error("no");
    },
  ]) {
    reason(() => applySummary(messages, made, "text", { id, now: 1 }), "bad_config", "id");
  }
  for (const now of [undefined, Number.NaN, -1, "1"]) {
    reason(
      () => applySummary(messages, made, "text", { id: idSource(), now }),
      "bad_config",
      "now",
    );
    reason(() => applyPrune(messages, prune(messages), now), "bad_config", "now");
  }
  reason(
    () => applySummary(messages, made, "text", { ...meta(), continue: "often" }),
    "bad_config",
    "continue",
  );
  reason(() => undo(messages, { compactionID: messages[0].info.id }), "unknown_target");
  reason(() => undo(messages, { partIDs: ["nobody"] }), "unknown_target", "nobody");
  reason(() => undo(messages, {}), "unknown_target");
  for (const list of [undefined, null, {}, "x", 7]) {
    assert.throws(() => filterCompacted(list), { name: "PartValidationError" });
    assert.throws(() => plan(list, { model }), { name: "PartValidationError" });
  }
  // After all that the history is as it was, and works.
  assert.deepEqual(messages, madeHistory(11));
  assert.ok(applySummary(messages, made, "text", meta()).length > messages.length);
});

test("an unfinished compaction is used, not doubled, and undone to what it was", () => {
  const messages = madeHistory(5, { compactions: false });
  for (const tail of [undefined, "nowhere", messages[2].info.id]) {
    const field = tail === undefined ? {} : { tail_start_id: tail };
    const open = user("open", { id: "c", type: "compaction", auto: false, ...field });
    const history = [...messages, open];
    const made = plan(history, { model, config: { preserve_recent_tokens: 300 } });
    const after = applySummary(history, made, "summary", meta());
    assert.equal(
      after.filter(({ parts }) => parts.some(({ type }) => type === "compaction")).length,
      1,
    );
    assert.equal(after[messages.length + 1].info.parentID, "open");
    assert.equal(after[messages.length].parts[0].tail_start_id, made.tailStartID);
    assert.deepEqual(undo(after, { compactionID: "open" }), history);
  }
});

test("CP-2 to CP-5 are told", () => {
  const text = (id, words) => ({ id, type: "text", text: words });
  const compaction = (id) => ({ id, type: "compaction", auto: true });
  const rules = (messages) =>
    PartValidator.validateTranscript(messages, { ids: "opencode" })
      .problems.filter(({ rule }) => rule.startsWith("CP-"))
      .map(({ rule, severity, path }) => `${severity} ${rule} ${path}`);
  const summary = (parentID, words, extra) =>
    answer("s", { summary: true, finish: "stop", parentID, ...extra }, text("st", words));
  const long = "word ".repeat(100);
  assert.deepEqual(
    rules([user("a", text("t", long)), user("c", compaction("p")), summary("c", "short")]),
    [],
  );
  assert.deepEqual(
    rules([user("a", text("t", "hi")), user("c", compaction("p")), summary("c", long)]),
    ["warning CP-2 /2"],
  );
  assert.deepEqual(rules([user("a", text("t", "hi")), user("c", compaction("p"))]), []);
  assert.deepEqual(rules([user("c", compaction("p")), user("a", text("t", "hi"))]), [
    "warning CP-3 /0",
  ]);
  assert.deepEqual(rules([user("a", text("t", "hi")), summary("a", "x")]), [
    "error CP-4 /1/info/parentID",
  ]);
  const marked = tool("x", {
    status: "error",
    input: {},
    error: "no",
    time: { start: 1, end: 2, compacted: 3 },
  });
  assert.deepEqual(rules([user("a", text("t", "hi")), answer("b", {}, marked)]), [
    "warning CP-5 /1/parts/0/state",
  ]);
  const { problems } = plan([user("a", text("t", "hi")), answer("b", {}, marked)], { model });
  assert.deepEqual(
    problems.map(({ rule }) => rule),
    ["CP-5", "CP-2"],
  );
});
