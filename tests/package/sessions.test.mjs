// Files with several sessions: what is asked of a transcript is about all of them, or about the one that is given.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { load, opened, parts } from "./transcript-laws.mjs";

before(() => load("transcripts"));

let lines = 0;
/** A line of Claude Code that follows `parentUuid`. */
const line = (uuid, parentUuid, type, message, more = {}) => ({
  ...{ parentUuid, isSidechain: false, sessionId: "S", version: "2.1.200", cwd: "/w" },
  ...{ type, message: { role: type, ...message }, uuid },
  timestamp: new Date(1_785_578_400_000 + 1000 * ++lines).toISOString(),
  ...more,
});
const user = (uuid, parent, content, more) => line(uuid, parent, "user", { content }, more);
const answer = (uuid, parent, block, more) => {
  const usage = { input_tokens: 3, output_tokens: 5 };
  const message = { id: `msg_${uuid}`, model: "m", stop_reason: "end_turn", usage };
  return line(uuid, parent, "assistant", { ...message, content: [block] }, more);
};
const text = (said) => ({ type: "text", text: said });
const call = (id, name, input) => ({ type: "tool_use", id, name, input });
const result = (id, content, isError = false) => [
  { type: "tool_result", tool_use_id: id, content, is_error: isError },
];

const AGENT = { isSidechain: true, agentId: "ag77" };
const FILE = [
  user("u1", null, "Go"),
  answer("a1", "u1", text("Which way?")),
  user("u2", "a1", "Left"),
  answer("a2", "u2", text("Gone left, needle")),
  user("u3", "a1", "Right"),
  answer("a3", "u3", call("t1", "Task", { description: "look", prompt: "Find it" })),
  user("r1", "a3", result("t1", ""), { toolUseResult: { agentId: "ag77" } }),
  answer("a4", "r1", text("Gone right")),
  user("s1", null, "Find it", AGENT),
  answer("s2", "s1", call("t2", "Bash", { command: "cat needle" }), AGENT),
  user("s3", "s2", result("t2", "no such needle", true), AGENT),
  answer("s4", "s3", text("Nothing"), AGENT),
];
const open = (t) => {
  const bytes = Buffer.from(`${FILE.map((one) => JSON.stringify(one)).join("\n")}\n`);
  return opened(t, parts.Transcript.open(bytes));
};
const IDS = ["S", "S/branch-1", "ag77"];

describe("a file with several sessions", () => {
  test("tells them apart, the main one first", (t) => {
    const { sessions } = open(t);
    assert.deepEqual(
      sessions.map(({ id, kind, parentID }) => [id, kind, parentID]),
      [
        ["S", "main", undefined],
        ["S/branch-1", "branch", "S"],
        ["ag77", "task", "S"],
      ],
    );
  });

  test("has all messages in its sessions, one after another", (t) => {
    const whole = open(t);
    const all = whole.sessions.flatMap(({ id }) => whole.messagesOf(id));
    assert.equal(all.length, whole.stats().messages);
    assert.deepEqual(whole.messages(), whole.messagesOf("S"));
    const ids = all.map(({ info }) => info.sessionID);
    assert.deepEqual([...new Set(ids)], IDS);
  });

  test("has sums of the whole file, and those of each session", (t) => {
    const whole = open(t);
    const stats = whole.stats();
    assert.equal(stats.tokens.output, 30);
    assert.equal(stats.tools.Bash.failed + stats.tools.Bash.errors, 1);
    const each = IDS.map((session) => whole.stats({ session }));
    assert.deepEqual(
      each.map(({ tokens }) => tokens.output),
      [15, 5, 10],
    );
    assert.deepEqual(
      each.map(({ messages }) => messages),
      [5, 2, 3],
    );
    assert.deepEqual([each[0].tools.Bash, each[2].tools.Bash.calls], [undefined, 1]);
    assert.throws(() => whole.stats({ session: "none" }), /`session` must be the id of one/);
  });

  test("has a summary of the whole file, or of one session", (t) => {
    const whole = open(t);
    const summary = whole.summary();
    assert.equal(summary.failed, 1);
    assert.equal(summary.asked.text, "Go");
    const agent = whole.summary({ session: "ag77" });
    assert.equal(agent.asked.text, "Find it");
    assert.deepEqual([agent.failed, whole.summary({ session: "S" }).failed], [1, 0]);
  });

  test("is searched as a whole; a match outside the main session says where it is", (t) => {
    const whole = open(t);
    const places = (options) =>
      whole.search("needle", options).map(({ session, message, part, field, start, end }) => {
        const own = session === undefined ? whole.messages() : whole.messagesOf(session);
        const { state, text: said } = own[message].parts[part];
        const value = { "/text": said, "/state/input/command": state?.input.command };
        const found = value[field] ?? state?.error;
        assert.equal(found.slice(start, end), "needle");
        return [session, message, field];
      });
    const inAgent = [
      ["ag77", 1, "/state/input/command"],
      ["ag77", 1, "/state/error"],
    ];
    assert.deepEqual(places(), [["S/branch-1", 1, "/text"], ...inAgent]);
    assert.equal(places({ limit: 2 }).length, 2);
    assert.deepEqual(places({ session: "ag77" }), inAgent);
    assert.deepEqual(places({ session: "S" }), []);
  });

  test("has a breakdown of the whole file, or of one session", (t) => {
    const whole = open(t);
    const names = (scope) => whole.breakdown("tool", scope).map(({ name }) => name);
    assert.deepEqual(names().sort(), ["Bash", "Task"]);
    assert.deepEqual(names({ session: "ag77" }), ["Bash"]);
  });

  test("keeps an empty output, and says so in a warning", (t) => {
    const whole = open(t);
    const calls = whole
      .messages()
      .flatMap(({ parts: own }) => own.filter((p) => p.tool === "Task"));
    assert.deepEqual(
      calls.map(({ state }) => [state.status, state.output, state.metadata.sessionId]),
      [["completed", "", "ag77"]],
    );
    const empty = whole.problems().filter(({ rule }) => rule === "BR-09");
    assert.deepEqual(
      empty.map(({ severity }) => severity),
      ["warning"],
    );
  });
});
