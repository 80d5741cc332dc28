// What a crash leaves is repaired (RP-1 … RP-10), alone and in a request.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { consumer, requireFrom } from "../helper.mjs";
import { answer, call, done, failed, reasoning, running, STEP, text, user } from "./histories.mjs";

let parts;
before(async () => {
  parts = requireFrom(await consumer("requests"))("apex-parts");
});

/** The parts of the answer after the repair, and the rules. */
function repaired(list, options, more = [user("On")]) {
  const messages = [user("Go"), answer({}, ...list), ...more];
  const before = structuredClone(messages);
  const made = parts.repair(messages, options);
  assert.deepEqual(messages, before);
  const again = parts.repair(made.messages, options);
  assert.deepEqual(again.problems, []);
  assert.ok(again.messages.every((message, at) => message === made.messages[at]));
  return {
    messages: made.messages,
    parts: made.messages[1]?.parts ?? [],
    rules: made.problems.map(({ rule }) => rule),
    paths: made.problems.map(({ path }) => path),
  };
}

test("good messages are the same objects", () => {
  const messages = [
    user("Go"),
    answer({}, STEP, text("I look."), done("a", "read", {}, "one")),
    user("On"),
  ];
  for (const format of [undefined, "anthropic", "openai-chat", "openai-responses", "gemini"]) {
    const made = parts.repair(messages, format && { format });
    assert.deepEqual(made.problems, []);
    assert.ok(made.messages.every((message, at) => message === messages[at]));
  }
});

describe("a call without a result (RP-1)", () => {
  test("gets an error, with its input", () => {
    const { parts: made, rules, paths } = repaired([STEP, running("a", "read", { p: 1 })]);
    assert.equal(made[1].state.status, "error");
    assert.equal(made[1].state.error, "[Tool execution was interrupted]");
    assert.deepEqual(made[1].state.metadata, { aborted: true });
    assert.deepEqual(made[1].state.input, { p: 1 });
    assert.deepEqual([rules, paths], [["RP-1"], ["/1/parts/1"]]);
  });
  test("whose input is half gets none", () => {
    const half = call("a", "write", { status: "pending", input: { p: 1 }, raw: '{"p":1,"te' });
    assert.deepEqual(repaired([STEP, half]).parts[1].state.input, {});
  });
  test("that the provider ran is left out, but in the last message", () => {
    const open = running("a", "web_search", {}, { providerExecuted: true });
    assert.equal(repaired([STEP, text("S."), open]).parts.length, 2);
    assert.equal(repaired([STEP, text("S."), open], undefined, []).parts.length, 3);
  });
});

test("an id that is used again gets a number, none at all one of its place (RP-3)", () => {
  const list = [
    done("a", "read", {}, "1"),
    done("a", "read", {}, "2"),
    done("a_2", "read", {}, "3"),
    done("", "read", {}, "4"),
  ];
  const { parts: made, rules } = repaired(list);
  assert.deepEqual(
    made.map(({ callID }) => callID),
    ["a", "a_2", "a_2_2", "call_1_3"],
  );
  assert.deepEqual(rules, ["RP-3", "RP-3", "RP-3"]);
});

describe("what says nothing is left out (RP-4)", () => {
  test("blank text and empty messages", () => {
    const { messages, rules } = repaired([STEP, text(" \n")]);
    assert.deepEqual([messages.length, rules], [2, ["RP-4", "RP-4"]]);
    assert.equal(repaired([STEP]).messages.length, 2);
  });
  test("a failed answer without text or calls", () => {
    const error = { name: "APIError", data: { message: "overloaded" } };
    const messages = [user("Go"), answer({ error }, STEP, reasoning("Hm.")), user("On")];
    assert.equal(parts.repair(messages).messages.length, 2);
    messages[1] = answer({ error }, STEP, text("I lo"));
    assert.equal(parts.repair(messages).messages.length, 3);
  });
  test("but not empty text that is signed", () => {
    const empty = text("", { google: { thoughtSignature: "T" } });
    assert.equal(repaired([text("Four."), empty]).parts.length, 2);
  });
});

test("a history that begins with the model is continued where that is refused (RP-5)", () => {
  const messages = [answer({}, STEP, text("Hello.")), user("Hi")];
  for (const format of ["anthropic", "gemini"]) {
    const made = parts.repair(messages, { format });
    assert.equal(made.messages[0].parts[0].text, "(continued)");
    assert.equal(made.messages[1], messages[0]);
    assert.deepEqual(parts.repair(made.messages, { format }).problems, []);
    const body = parts.toRequest(format, { model: "m", messages });
    assert.ok(JSON.stringify(body).includes("(continued)"));
  }
  assert.equal(parts.repair(messages, { format: "openai-chat" }).messages.length, 2);
});

test("reasoning that nothing follows goes where that is refused (RP-5, RP-10)", () => {
  const signed = reasoning("Hm.", { anthropic: { signature: "S" } });
  const list = [STEP, text("A."), signed];
  assert.deepEqual(repaired(list, { format: "anthropic" }).rules, ["RP-5"]);
  assert.deepEqual(repaired(list, { format: "openai-responses" }).rules, ["RP-10"]);
  assert.deepEqual(repaired(list, { format: "gemini" }).rules, []);
  // Each step is an answer.
  assert.deepEqual(repaired([...list, STEP, text("B.")], { format: "anthropic" }).rules, ["RP-5"]);
});

test("the last answer to Anthropic ends without blanks (RP-5)", () => {
  const { parts: made, rules } = repaired([text("A. \n")], { format: "anthropic" }, []);
  assert.deepEqual([made[0].text, rules], ["A.", ["RP-5"]]);
  assert.deepEqual(repaired([text("A. \n")], { format: "anthropic" }).rules, []);
});

describe("ids that are refused are mapped (RP-6)", () => {
  const id = (given, options) => repaired([done(given, "read", {}, "1")], options).parts[0].callID;
  const long = "x".repeat(65);
  test("as each provider wants them", () => {
    assert.match(id("call.1", { format: "anthropic" }), /^call_[0-9a-f]{24}$/);
    assert.match(id(long, { format: "openai-chat" }), /^call_[0-9a-f]{24}$/);
    assert.match(id(long, { format: "openai-responses" }), /^call_[0-9a-f]{24}$/);
    assert.match(id("call_1", { format: "openai-chat", provider: "mistral" }), /^[A-Za-z0-9]{9}$/);
    assert.equal(id(long, { format: "gemini" }), long);
    assert.equal(id("call.1"), "call.1");
  });
  test("always to the same", () => {
    assert.equal(id("call.1", { format: "anthropic" }), id("call.1", { format: "anthropic" }));
    assert.notEqual(id("call.1", { format: "anthropic" }), id("call.2", { format: "anthropic" }));
  });
});

describe("inputs and texts that are not well-formed (RP-8)", () => {
  test("an input that is not an object becomes one", () => {
    for (const input of ["select 1", 5, null, [1]]) {
      const { parts: made, rules } = repaired([done("a", "sql", input, "1")]);
      assert.deepEqual([made[0].state.input, rules], [{ value: input }, ["RP-8"]]);
    }
  });
  test("lone surrogates are replaced and NUL is left out", () => {
    const list = [
      text("a\ud83db"),
      text("😀\0"),
      done("a", "read", { "\udc00": ["\0x"] }, "\ud83d"),
      failed("b", "read", {}, "no\0"),
    ];
    const { parts: made } = repaired(list);
    assert.deepEqual([made[0].text, made[1].text], ["a\ufffdb", "😀"]);
    assert.deepEqual([made[2].state.input, made[2].state.output], [{ "\ufffd": ["x"] }, "\ufffd"]);
    assert.equal(made[3].state.error, "no");
  });
  test("an input that cannot be JSON becomes {}", () => {
    const cyclic = {};
    cyclic.self = cyclic;
    const messages = [user("Go"), answer({}, done("a", "read", cyclic, "1")), user("On")];
    const made = parts.repair(messages);
    assert.deepEqual(made.messages[1].parts[0].state.input, {});
    assert.ok(
      JSON.stringify(parts.toRequest("openai-chat", { model: "m", messages })).includes('"{}"'),
    );
  });
  test("messages and parts of no shape are left out", () => {
    const list = [
      null,
      5,
      {},
      { type: 5 },
      { type: "text" },
      { type: "tool", tool: "x" },
      text("Yes."),
    ];
    const messages = [
      null,
      5,
      {},
      { info: {} },
      { info: { role: "x" }, parts: [] },
      user("Go"),
      answer({}),
    ];
    messages[6].parts = list;
    const made = parts.repair(messages);
    assert.deepEqual([made.messages.length, made.messages[1].parts.length], [2, 1]);
    assert.ok(made.problems.every(({ rule }) => rule === "RP-8"));
    assert.deepEqual(parts.toRequest("openai-chat", { model: "m", messages }).messages.length, 2);
  });
});

test("an empty output and a blank error say so (RP-9)", () => {
  const { parts: made, rules } = repaired([
    done("a", "bash", {}, ""),
    failed("b", "bash", {}, " "),
  ]);
  assert.deepEqual([made[0].state.output, made[1].state.error], ["(no output)", "error"]);
  assert.deepEqual(rules, ["RP-9", "RP-9"]);
});

test("a result that stands elsewhere is moved behind its call (RP-7), and the first of two counts (RP-2)", () => {
  const message = (role, ...list) => ({ runId: "r", role, parts: list, timestamp: "" });
  const said = (words) => ({ kind: "text", payload: { text: words } });
  const result = (content) => ({
    kind: "tool_result",
    payload: { toolCallId: "a", isError: false, content },
  });
  const problems = [];
  const body = parts.toRequest("openai-chat", {
    model: "m",
    messages: [
      message("user", said("Go")),
      message("assistant", {
        kind: "tool_call",
        payload: { toolCallId: "a", toolName: "read", arguments: {} },
      }),
      message("user", said("Well?")),
      message("tool", result("one"), result("two")),
    ],
    onProblem: (problem) => problems.push(problem.rule),
  });
  assert.deepEqual(
    body.messages.map(({ role, content }) => [role, content]),
    [
      ["user", "Go"],
      ["assistant", null],
      ["tool", "one"],
      ["user", "Well?"],
    ],
  );
  assert.deepEqual(problems, ["RP-7", "RP-2"]);
});

test("without the repair, the history goes as it is", () => {
  const messages = [user("Go"), answer({}, running("a.b", "read", {})), user("On")];
  const body = parts.toRequest("openai-chat", { model: "m", messages, repair: false });
  assert.deepEqual(
    body.messages.map(({ role }) => role),
    ["user", "assistant", "user"],
  );
});

test("a history never throws", () => {
  const trap = () => {
    throw new Error("no");
  };
  const thrower = new Proxy({}, { get: trap, has: trap, ownKeys: trap });
  const getter = {
    info: { role: "user" },
    get parts() {
      return trap();
    },
  };
  const odd = [thrower, getter, () => {}, Symbol("x"), user("Go"), new Date(0), [[]], "text", 1n];
  for (const format of ["anthropic", "openai-chat", "openai-responses", "gemini"]) {
    const body = parts.toRequest(format, { model: "m", messages: odd });
    assert.ok(JSON.stringify(body).includes("Go"), format);
  }
  assert.equal(parts.repair(odd).messages.length, 1);
  assert.throws(() => parts.repair("Hi"), { name: "PartValidationError" });
  assert.throws(() => parts.repair([], { format: "x" }), { name: "PartValidationError" });
});
