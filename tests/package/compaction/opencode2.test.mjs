// Compaction by the rule of OpenCode 2, and sessions that OpenCode 2 compacted.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionCompaction, toModelMessage } from "apex-parts";

const limits = (context, output, input) => ({ limit: { context, output, input } });

test("what is usable leaves the larger of buffer and output free", () => {
  for (const [model, config, usable] of [
    [limits(200_000, 32_000), { buffer: 20_000 }, 168_000],
    [limits(200_000, 8_000), { buffer: 20_000 }, 180_000],
    [limits(200_000, 64_000), { keep: { tokens: 8_000 } }, 168_000],
    [limits(400_000, 128_000, 272_000), { buffer: 30_000 }, 242_000],
    [limits(200_000, 0), { buffer: 0 }, 200_000],
    [limits(0, 8_000), { buffer: 1 }, 0],
  ]) {
    assert.equal(SessionCompaction.usable({ model, config }), usable);
  }
});

test("settings of both versions are refused", () => {
  for (const [config, field] of [
    [{ buffer: 20_000, reserved: 5 }, "reserved"],
    [{ keep: { tokens: 5 }, preserve_recent_tokens: 5 }, "preserve_recent_tokens"],
    [{ keep: 5 }, "keep"],
    [{ keep: { tokens: "5" } }, "keep.tokens"],
    [{ buffer: -1 }, "buffer"],
  ]) {
    assert.throws(
      () => SessionCompaction.usable({ model: limits(200_000, 8_000), config }),
      (error) => error.details.reason === "bad_config" && error.details.field === field,
    );
  }
});

test("reasoning counts", () => {
  const over = (tokens, config) =>
    SessionCompaction.isOverflow({ tokens, model: limits(100_000, 8_000), config });
  const tokens = (input, output, reasoning) => ({
    input,
    output,
    reasoning,
    cache: { read: 0, write: 0 },
  });
  assert.equal(over(tokens(79_999, 0, 0), { buffer: 20_000 }), false);
  assert.equal(over(tokens(70_000, 9_000, 1_000), { buffer: 20_000 }), true);
  assert.equal(over(tokens(99_999, 0, 0), { buffer: 20_000, auto: false }), false);
  assert.equal(over(tokens(91_000, 500, 600), {}), false);
});

/** A session as it is read of OpenCode 2's records: a question, a compaction, and what came after. */
function compacted({ recent = "[User]: count", finish = "stop", error } = {}) {
  const base = { sessionID: "ses_1" };
  const part = (messageID, id, fields) => ({ ...base, messageID, id, ...fields });
  const answer = {
    role: "assistant",
    agent: "build",
    mode: "build",
    modelID: "m",
    providerID: "p",
  };
  const tokens = { input: 9_000, output: 10, reasoning: 0, cache: { read: 0, write: 0 } };
  const user = (id, parts) => ({
    info: { ...base, id, role: "user", time: { created: 1 }, agent: "build", model: {} },
    parts,
  });
  const texts = [part("msg_c:summary", "msg_c:summary:0", { type: "text", text: "## Goal" })];
  if (recent !== "") {
    const fields = { type: "text", text: recent, synthetic: true };
    texts.push(part("msg_c:summary", "msg_c:summary:1", fields));
  }
  const summary = {
    ...base,
    ...answer,
    id: "msg_c:summary",
    parentID: "msg_c",
    agent: "compaction",
    mode: "compaction",
    summary: true,
    time: { created: 5, completed: 5 },
    cost: 0,
    tokens,
    ...(finish && { finish }),
    ...(error && { error }),
  };
  return [
    user("msg_a", [part("msg_a", "msg_a:0", { type: "text", text: "count" })]),
    {
      info: { ...base, ...answer, id: "msg_b", parentID: "msg_a", time: { created: 2 }, tokens },
      parts: [part("msg_b", "msg_b:0", { type: "text", text: "1, 2" })],
    },
    user("msg_c", [part("msg_c", "msg_c:0", { type: "compaction", auto: true })]),
    { info: summary, parts: texts },
    user("msg_d", [part("msg_d", "msg_d:0", { type: "text", text: "go on" })]),
  ];
}

test("after a completed compaction its summary, what was recent, and the rest are sent", () => {
  const idsOf = (messages) =>
    SessionCompaction.filterCompacted(messages).map(({ info }) => info.id);
  const messages = compacted();
  assert.deepEqual(idsOf(messages), ["msg_c", "msg_c:summary", "msg_d"]);
  const sent = toModelMessage(SessionCompaction.filterCompacted(messages));
  const texts = sent.map(({ role, parts }) => [
    role,
    ...parts.filter(({ type }) => type === "text").map(({ text }) => text),
  ]);
  assert.deepEqual(texts.slice(1), [
    ["assistant", "## Goal", "[User]: count"],
    ["user", "go on"],
  ]);
  assert.equal(texts[0][0], "user");
  assert.deepEqual(idsOf(compacted({ recent: "" })), ["msg_c", "msg_c:summary", "msg_d"]);
  const all = ["msg_a", "msg_b", "msg_c", "msg_c:summary", "msg_d"];
  assert.deepEqual(idsOf(compacted({ finish: "" })), all);
  const error = { name: "UnknownError", data: { message: "x" } };
  assert.deepEqual(idsOf(compacted({ error, finish: "" })), all);
});

test("no two compactions follow each other", () => {
  const check = (messages, config) =>
    SessionCompaction.check({ messages, model: limits(9_000, 8_999), config });
  const after = compacted().slice(0, -1);
  assert.equal(check(after, { buffer: 0 }).overflow, false);
  assert.equal(check(after, {}).overflow, true);
  assert.equal(check(compacted(), { buffer: 0 }).overflow, true);
  assert.equal(check(compacted({ finish: "" }).slice(0, -1), { buffer: 0 }).overflow, true);
});
