// Values that throw when they are read: the validator reports their place, and nothing is created from them.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { consumer, requireFrom } from "./helper.mjs";

const ID = "0198c3f0-8d5e-7cc1-b5d1-0a2b3c4d5e6f";
const base = { id: "p", sessionID: ID, messageID: ID };

let parts;
before(async () => {
  parts = requireFrom(await consumer("unreadable"))("apex-parts");
  parts.setLogger(undefined);
});

function thrower(target, ...traps) {
  const fail = () => {
    throw new Error("not to be read");
  };
  return new Proxy(target, Object.fromEntries(traps.map((trap) => [trap, fail])));
}

const list = () => thrower([], "get");

describe("the validator reports what cannot be read, and where", () => {
  const state = { status: "completed", input: {}, output: "o", title: "t", metadata: {} };
  const tool = { ...base, type: "tool", callID: "c", tool: "read" };
  const lying = (length) => new Proxy([], { get: () => length });
  const retry = { ...base, type: "retry", attempt: 1, time: { created: 1 } };
  const headers = thrower({}, "ownKeys");
  const cases = [
    ["a list", "/files", () => ({ ...base, type: "patch", hash: "h", files: list() })],
    ...[-1, "1", 0.5, Number.NaN].map((length) => [
      `a list of the length ${length}`,
      "/files",
      () => ({ ...base, type: "patch", hash: "h", files: lying(length) }),
    ]),
    [
      "attachments",
      "/state/attachments",
      () => ({ ...tool, state: { ...state, time: { start: 1, end: 2 }, attachments: list() } }),
    ],
    [
      "names of fields",
      "/error/responseHeaders",
      () => ({ ...retry, error: { message: "x", isRetryable: true, responseHeaders: headers } }),
    ],
  ];
  for (const [name, path, part] of cases) {
    test(name, () => {
      const { valid, problems } = parts.PartValidator.validatePart(part());
      assert.equal(valid, false);
      assert.deepEqual(
        problems.map(({ rule, path: at }) => [rule, at]),
        [["schema", path]],
      );
    });
  }

  test("messages", () => {
    assert.equal(parts.PartValidator.validateTranscript(list()).valid, false);
    assert.throws(
      () => parts.toModelMessage(list()),
      (error) => error.name === "PartValidationError",
    );
  });
});

describe("no state is created if a field cannot be read", () => {
  const steps = {
    runningToCompleted: (state) => parts.ToolStateTransition.runningToCompleted(state, "o", 2),
    runningToError: (state) => parts.ToolStateTransition.runningToError(state, "e", 2),
    abort: (state) => parts.ToolStateTransition.abort(state, "stopped", 2),
    expire: (state) => parts.ToolStateTransition.expire(state, 1e6, 1),
  };
  const good = { status: "running", input: {}, title: "t", metadata: {}, time: { start: 1 } };
  for (const [name, step] of Object.entries(steps)) {
    test(name, () => {
      assert.notEqual(step(good).status, "running");
      for (const field of ["input", "title", "metadata", "time"]) {
        const state = Object.defineProperty({ ...good }, field, {
          enumerable: true,
          get() {
            throw new Error("not to be read");
          },
        });
        if (name === "expire" && field === "time") {
          assert.equal(step(state), state, "when it began is not known");
          continue;
        }
        assert.throws(
          () => step(state),
          (error) =>
            error.name === "PartValidationError" && error.details.problems[0].path === `/${field}`,
          `${name}, ${field}`,
        );
      }
    });
  }
});

test("null for an optional field omits it", () => {
  const completed = parts.createToolStateCompleted({
    input: {},
    output: "o",
    title: "t",
    attachments: null,
    metadata: null,
  });
  assert.equal("attachments" in completed, false);
  const running = parts.createToolStateRunning({ input: {}, title: null, metadata: null });
  assert.deepEqual(Object.keys(running).sort(), ["input", "status", "time"]);
  const text = parts.createTextPart({ sessionID: ID, messageID: ID, text: "hi", metadata: null });
  for (const part of [
    text,
    parts.createToolPart({
      sessionID: ID,
      messageID: ID,
      callID: "c",
      tool: "t",
      state: completed,
    }),
    parts.createToolPart({ sessionID: ID, messageID: ID, callID: "c", tool: "t", state: running }),
  ]) {
    assert.deepEqual(parts.PartValidator.validatePart(part).problems, []);
  }
});

test("a flat error may also have a name", () => {
  const error = { name: "Overloaded", message: "x", isRetryable: true };
  const part = { ...base, type: "retry", attempt: 1, time: { created: 1 }, error };
  assert.deepEqual(parts.PartValidator.validatePart(part).problems, []);
  const named = { ...part, error: { name: "Overloaded", data: {} } };
  assert.equal(parts.PartValidator.validatePart(named).problems[0].path, "/error/name");
});
