// The command `apex-parts compare`, as a user runs it.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { file, folder, run } from "./command.mjs";

let ids = 0;
const id = (prefix) => `${prefix}_${++ids}`;

const text = (says) => ({ type: "text", text: says });
const call = (command, output, more = {}) => ({
  type: "tool",
  tool: "bash",
  state: {
    ...{ status: "completed", input: { command }, output, title: "t", metadata: {} },
    ...more,
  },
});
const DONE = [
  text("I look."),
  call("ls", "a.py"),
  call("make", "no rule", { metadata: { exit: 2 } }),
];

/** A run with ids and times of its own; `error` is that of the answer. */
function session(request, answer, { error, more = [] } = {}) {
  const start = 1_700_000_000_000 + ++ids * 1000;
  const message = (role, parts, info) => {
    const messageID = id("msg");
    return {
      info: { id: messageID, sessionID: "ses_1", role, time: { created: start }, ...info },
      parts: parts.map((part, i) => {
        const own = { id: id("prt"), sessionID: "ses_1", messageID, ...part };
        if (part.type !== "tool") return own;
        const state = { ...part.state, time: { start: start + i, end: start + i + 10 } };
        return { ...own, callID: id("call"), state };
      }),
    };
  };
  const time = { created: start, completed: start + 500 };
  const end = error ? { error } : { finish: "stop" };
  const info = { modelID: "m", providerID: "p", time, ...end };
  return [
    message("user", [text(request)]),
    message("assistant", answer, info),
    ...more.map((parts) => message("assistant", parts, info)),
  ];
}

const compared = (a, b, ...args) => run(["compare", file("a.json", a), file("b.json", b), ...args]);
const json = (a, b) => {
  const { status, stdout, stderr } = compared(a, b, "--json");
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
};

describe("compare", () => {
  test("ids and times are no difference", () => {
    const { a, b, sameRequest, first } = json(session("Do it", DONE), session("Do it", DONE));
    assert.deepEqual([sameRequest, first], [true, null]);
    assert.deepEqual([a.failed, b.failed, a.messages, a.model], [1, 1, 2, "m"]);
    const { stdout } = compared(session("Do it", DONE), session("Do it", DONE));
    assert.match(stdout, /asked the same: Do it/);
    assert.match(stdout, /no difference: both say the same/);
  });

  test("the first difference has its place in both, and says what differs", () => {
    const other = DONE.with(2, call("make", "all fine"));
    const { first } = json(session("Do it", DONE), session("Do it", other));
    assert.deepEqual(first, { a: { message: 1, part: 2 }, b: { message: 1, part: 2 } });
    const { stdout } = compared(session("Do it", DONE), session("Do it", other));
    assert.match(stdout, /^failed +1 call +0 calls$/m);
    assert.match(stdout, /first difference: A 1:2, B 1:2: bash make: output differs/);
  });

  test("what only one has stands in the other at that place", () => {
    const fewer = DONE.slice(0, 2);
    const { first } = json(session("Do it", DONE), session("Do it", fewer));
    assert.deepEqual(first, { a: { message: 1, part: 2 }, b: { message: 1, part: 2 } });
    const longer = session("Do it", DONE, { more: [[text("And more.")]] });
    const { first: last } = json(session("Do it", DONE), longer);
    assert.deepEqual(last, { a: { message: 2, part: 0 }, b: { message: 2, part: 0 } });
    const { stdout } = compared(session("Do it", DONE), session("Do it", fewer));
    assert.match(stdout, /bash make, only in A/);
  });

  test("an error of a message is a difference of the message itself", () => {
    const error = { name: "APIError", data: { message: "overloaded" } };
    const { a, b, first } = json(session("Do it", DONE), session("Do it", DONE, { error }));
    assert.deepEqual(first, { a: { message: 1 }, b: { message: 1 } });
    assert.deepEqual([a.ended, b.ended], ["finished", "failed"]);
  });

  test("two that were asked different things say so", () => {
    const a = session("Fix the divider", DONE);
    const { sameRequest } = json(a, session("Write a poem about rain", DONE));
    assert.equal(sameRequest, false);
    assert.equal(json(a, session("Please fix the divider", DONE)).sameRequest, true);
    const { stdout } = compared(a, session("Write a poem about rain", DONE));
    assert.match(stdout, /asked different things\n {2}A Fix the divider\n {2}B Write a poem/);
  });

  test("a folder holds the files of one run", () => {
    const one = join(folder, "one-run");
    mkdirSync(one, { recursive: true });
    const path = join(one, "run.json");
    writeFileSync(path, JSON.stringify(session("Do it", DONE)));
    writeFileSync(join(one, "notes.json"), '{"no": "transcript"}');
    const { status, stdout, stderr } = run(["compare", one, path, "--json"]);
    assert.equal(status, 0, stderr);
    assert.equal(JSON.parse(stdout).first, null);
    writeFileSync(join(one, "second.json"), JSON.stringify(session("Do it", DONE)));
    const two = run(["compare", one, path]);
    assert.equal(two.status, 2);
    assert.match(two.stderr, /2 runs in this folder; name the file of one/);
  });

  test("what is wrong is said", () => {
    const path = file("a.json", session("Do it", DONE));
    assert.equal(run(["compare", path]).status, 2);
    assert.match(run(["compare", path, "/nowhere/at/all"]).stderr, /no such file/);
    assert.equal(run(["compare", path, file("no.json", { no: "session" })]).status, 1);
  });
});
