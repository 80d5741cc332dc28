// Tools in the packed package: definitions, the states of calls, arguments and their repair, health, aborts,
// places and locks. (The rules of schemas and permissions themselves are tested in Rust.)
import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import { z } from "zod";
import { consumer, requireFrom } from "./helper.mjs";

let parts;
let logs = [];
before(async () => {
  parts = requireFrom(await consumer("tools"))("apex-parts");
  parts.setLogger((level, message) => logs.push(`${level}: ${message}`));
});
beforeEach(() => {
  logs = [];
});

const CALL = { callID: "call_1", sessionID: "ses_1", messageID: "msg_1" };
const OBJECT = { type: "object" };

const tool = (id, execute, more = {}) =>
  parts.Tool.define(id, { description: `About ${id}.`, parameters: OBJECT, execute, ...more });

/** A registry with one tool. */
function registry(execute, more, options) {
  const made = new parts.ToolRegistry(options);
  made.register(tool("t", execute, more));
  return made;
}

/** Every state of a call. */
async function statesOf(run) {
  const states = [];
  for await (const part of run) states.push(part.state);
  return states;
}

const call = (made, more) => made.execute({ ...CALL, tool: "t", ...more });
const stateOf = async (made, more) => (await call(made, more)).state;
const statuses = (states) => states.map(({ status }) => status).join(" ");

/** A promise and its resolve. */
function signal() {
  const made = {};
  made.promise = new Promise((resolve) => {
    made.resolve = resolve;
  });
  return made;
}

describe("a definition", () => {
  test("is neither changed nor wrapped, and may be asked for any number of times", async () => {
    const definition = Object.freeze({
      description: "",
      parameters: Object.freeze({ ...OBJECT }),
      execute: () => "x",
    });
    const info = parts.Tool.define("t", definition);
    assert.equal(await info.init(), definition);
    assert.equal(await info.init(), definition);
    const dynamic = parts.Tool.define("t", ({ agent }) => ({
      ...definition,
      description: agent.name,
    }));
    assert.equal((await dynamic.init({ agent: { name: "build" } })).description, "build");
  });

  test("that cannot run is refused at once", () => {
    const cases = [
      [undefined, /not an object/],
      [{ parameters: OBJECT }, /no execute/],
      [{ execute() {} }, /neither a schema nor JSON Schema/],
      [{ execute() {}, parameters: { type: "text" } }, /is not a type/],
      [
        { execute() {}, parameters: { "~standard": { version: 1, validate() {} } } },
        /set jsonSchema/,
      ],
    ];
    for (const [definition, message] of cases) {
      assert.throws(() => parts.Tool.define("t", definition), {
        name: "ToolDefinitionError",
        message,
      });
    }
    assert.throws(() => parts.Tool.define("", {}), { name: "ToolDefinitionError" });
    assert.throws(() => new parts.ToolRegistry().register({}), { name: "ToolDefinitionError" });
  });

  test("that fails when it is asked for ends the call in an error", async () => {
    const made = new parts.ToolRegistry();
    made.register(parts.Tool.define("t", () => ({ description: "" })));
    assert.match((await stateOf(made)).error, /cannot be defined/);
    assert.deepEqual(await made.definitions(), []);
    assert.match(logs.join(), /left out of the list/);
  });
});

describe("the states of a call", () => {
  test("are events in order, each a part of its own, and the run is the last", async () => {
    const seen = [];
    const made = registry((_, context) => {
      context.metadata({ title: "half way", metadata: { a: 1 } });
      context.metadata({ metadata: { b: 2 } });
      return { title: "done", output: "out", metadata: { c: 3 } };
    });
    const input = { x: 1 };
    const run = made.execute({ ...CALL, tool: "t", input }, { onState: (part) => seen.push(part) });
    assert.equal(run.part.state.status, "pending");
    assert.deepEqual(run.part.state.input, {});
    assert.equal(run.part.state.raw, '{"x":1}');
    const states = await statesOf(run);
    assert.equal(statuses(states), "pending running running running completed");
    assert.deepEqual(
      seen.map(({ state }) => state),
      states,
    );
    assert.equal(states[1].input, input);
    assert.equal(states[1].metadata, undefined);
    assert.deepEqual([states[2].title, states[2].metadata], ["half way", { a: 1 }]);
    assert.deepEqual(states[3].metadata, { a: 1, b: 2 });
    assert.deepEqual(states[4].metadata, { a: 1, b: 2, c: 3 });
    assert.equal(states[4].title, "done");
    const part = await run;
    assert.equal(part, run.part);
    assert.deepEqual([part.type, part.callID, part.tool], ["tool", CALL.callID, "t"]);
    assert.equal(parts.PartValidator.isToolPart(part), true);
    // Who comes late gets all of them too.
    assert.deepEqual(await statesOf(run), states);
  });

  test("keep the caller's references", async () => {
    const [input, metadata] = [{ deep: { at: new Date(0) } }, { big: [] }];
    let got;
    const made = registry((args) => {
      got = args;
      return { title: "", output: "x", metadata };
    });
    const state = await stateOf(made, { input });
    assert.equal(got, input);
    assert.equal(state.input, input);
    assert.equal(state.metadata, metadata);
  });

  test("continue a pending part", async () => {
    const state = parts.createToolStatePending({ input: {}, raw: '{"a"' });
    const part = {
      ...parts.createToolPart({ ...CALL, tool: "t", state }),
      metadata: { of: "the provider" },
    };
    const ended = await call(
      registry(() => "x"),
      { part, input: {} },
    );
    assert.equal(ended.id, part.id);
    assert.deepEqual(ended.metadata, { of: "the provider" });
    assert.equal(ended.state.status, "completed");
  });

  test("come from an iterable, whose last element is the result", async () => {
    const made = registry(async function* () {
      yield { title: "one" };
      yield { metadata: { done: 50 } };
      yield { title: "two", output: "out" };
    });
    const states = await statesOf(call(made));
    assert.equal(statuses(states), "pending running running running completed");
    assert.deepEqual([states[4].title, states[4].output], ["two", "out"]);
  });

  test("end in an error for whatever is thrown and for an output that is none", async () => {
    const thrown = async (value) =>
      (
        await stateOf(
          registry(() => {
            throw value;
          }),
        )
      ).error;
    assert.equal(await thrown(new Error("no such host")), "no such host");
    assert.equal(await thrown("a text"), "a text");
    assert.equal(await thrown({ code: 7 }), "[object Object]");
    assert.equal(await thrown(new Error("")), "The t tool failed without saying why.");
    assert.equal(await thrown(undefined), "undefined");
    const wanted = "Return a string, or an object whose `output` is a string";
    for (const [given, said] of [
      [undefined, `no output. ${wanted}.`],
      [null, `no output. ${wanted}.`],
      [5, `a number, not its output. ${wanted}.`],
      [["a"], `an array, not its output. ${wanted}.`],
      [{}, `an object without an output. ${wanted}.`],
      [{ output: null }, `an object without an output. ${wanted}.`],
      [{ output: 5 }, "a number as its output, not a string."],
      [{ output: { a: 1 } }, "an object as its output, not a string."],
      [{ output: [1] }, "an array as its output, not a string."],
    ]) {
      const state = await stateOf(registry(() => given));
      assert.ok(state.error.startsWith(`The t tool returned ${said}`), state.error);
      assert.ok(state.error.includes(wanted), state.error);
      assert.equal(state.metadata.kind, "fault");
    }
    const { error } = await stateOf(registry(() => ({ output: 5 })));
    assert.match(error, /of a value, JSON\.stringify\(value\)\.$/);
    assert.equal((await stateOf(registry(() => ""))).output, "(no output)");
  });

  test("take files, with or without ids", async () => {
    const file = { type: "file", mime: "image/png", url: "data:image/png;base64,AA==" };
    const made = registry(() => ({ title: "", output: "x", attachments: [file] }));
    const part = await call(made);
    const [attachment] = part.state.attachments;
    assert.deepEqual([attachment.mime, attachment.messageID], ["image/png", CALL.messageID]);
    assert.equal(parts.PartValidator.isToolPart(part), true);
  });

  test("are never broken by a listener, nor by metadata that comes late", async () => {
    let late;
    const made = registry((_, context) => {
      late = context.metadata;
      return "x";
    });
    const run = made.execute(
      { ...CALL, tool: "t" },
      {
        onState() {
          throw new Error("mine");
        },
      },
    );
    const { state } = await run;
    late({ title: "too late" });
    assert.equal(run.part.state, state);
    assert.match(logs.join(), /onState of a tool call threw/);
    assert.match(logs.join(), /after its call had ended/);
  });
});

describe("arguments", () => {
  const EDIT = {
    type: "object",
    properties: {
      filePath: { type: "string" },
      limit: { type: "integer", minimum: 1 },
      replaceAll: { type: "boolean" },
      tags: { type: "array", items: { type: "string" } },
      at: { type: "object", properties: { line: { type: "number" } } },
    },
    required: ["filePath"],
  };
  const made = () => registry((args) => JSON.stringify(args), { parameters: EDIT });

  test("that do not fit are all named, with what came and what the tool takes", async () => {
    const state = await stateOf(made(), { input: { replaceAll: "maybe", limit: 0 } });
    assert.equal(
      state.error,
      [
        "The t tool cannot run with these arguments:",
        "- filePath: required, a string",
        "- limit: expected a whole number of at least 1, got the number 0",
        '- replaceAll: expected true or false, got the string "maybe"',
        "It takes: filePath string, limit? integer, replaceAll? boolean, tags? string[], at? object.",
        "Call it again with arguments that fit.",
      ].join("\n"),
    );
    assert.equal(state.metadata.kind, "arguments");
  });

  test("are repaired as the schema says, within each other too, and the input stays as it came", async () => {
    const input = { filePath: "a", limit: "2", replaceAll: "true", tags: "x", at: '{"line":"3"}' };
    const before = structuredClone(input);
    const state = await stateOf(made(), { input });
    const expected = { filePath: "a", limit: 2, replaceAll: true, tags: ["x"], at: { line: 3 } };
    assert.deepEqual(JSON.parse(state.output), expected);
    assert.deepEqual(state.input, before);
    assert.equal(state.metadata.repaired.length, 5);
    assert.ok(state.metadata.repaired.includes("at.line: read as a number"));
    const wrong = { ...input, at: '{"line":"x"}' };
    assert.match((await stateOf(made(), { input: wrong })).error, /at: expected an object/);
    const nulls = await stateOf(made(), { input: { filePath: "a", limit: null } });
    assert.equal(nulls.output, '{"filePath":"a"}');
    assert.match((await stateOf(made(), { input: { filePath: 5 } })).error, /expected a string/);
    assert.match((await stateOf(made(), { input: { filePath: null } })).error, /got null/);
  });

  test("become numbers only where no digit is lost", async () => {
    const schema = {
      type: "object",
      properties: { n: { type: "number" }, list: { type: "array", items: { type: "integer" } } },
    };
    const tools = registry((args) => JSON.stringify(args), { parameters: schema });
    const read = async (input) => (await stateOf(tools, { input })).output;
    for (const [text, n] of [
      ["5.0", 5],
      ["1e3", 1000],
      ["-0.25", -0.25],
      ["9007199254740992", 2 ** 53],
    ]) {
      assert.equal(await read({ n: text }), JSON.stringify({ n }), text);
    }
    for (const text of ["9007199254740993", "1e-400", "1e400", "123456789012345680.5"]) {
      const { error } = await stateOf(tools, { input: { n: text } });
      assert.match(error, /- n: expected a number, .*more digits than a number holds/, text);
    }
    // A plain number is as JSON reads it.
    assert.equal(await read('{"n":9007199254740993}'), '{"n":9007199254740992}');
    assert.equal(await read({ list: '["1","2"]' }), '{"list":[1,2]}');
    assert.equal(await read({ list: "5" }), '{"list":[5]}');
    for (const list of ["[9007199254740993]", '["1","x"]', "x"]) {
      assert.match((await stateOf(tools, { input: { list } })).error, /- list: expected/, list);
    }
  });

  test("may be text, which must be a JSON object", async () => {
    assert.equal((await stateOf(made(), { input: '{"filePath":"a"}' })).output, '{"filePath":"a"}');
    assert.equal((await stateOf(made(), { raw: '{"filePath":"b"}' })).output, '{"filePath":"b"}');
    assert.equal(
      (
        await stateOf(
          registry(() => "x"),
          { input: " " },
        )
      ).status,
      "completed",
    );
    for (const input of ['{"filePath', "[1]", "null", "5", '"text"']) {
      const states = await statesOf(call(made(), { input }));
      assert.equal(statuses(states), "pending running error");
      assert.deepEqual(states[2].input, {});
      assert.equal(states[0].raw, input);
      assert.match(states[2].error, /JSON/);
    }
  });

  test("are checked by a library of schemas, whose output the tool gets", async () => {
    const parameters = z.object({
      path: z.string(),
      limit: z.coerce.number().int().default(20),
      lines: z.number().optional(),
    });
    let got;
    const checked = registry(
      (args) => {
        got = args;
        return "x";
      },
      { parameters },
    );
    await stateOf(checked, { input: { path: "a", limit: "7" } });
    assert.deepEqual(got, { path: "a", limit: 7 });
    await stateOf(checked, { input: { path: "a", lines: "3" } });
    assert.deepEqual(got, { path: "a", limit: 20, lines: 3 });
    const { error } = await stateOf(checked, { input: { lines: "x" } });
    assert.match(
      error,
      /- path: required, a string\n- lines: expected a number, got the string "x"/,
    );
    assert.match(error, /It takes: path string, limit\? integer, lines\? number\./);
    const [definition] = await checked.definitions();
    assert.equal(definition.inputSchema.properties.path.type, "string");
  });

  test("may be refused in the tool's own words", async () => {
    const own = registry(() => "x", {
      parameters: EDIT,
      formatValidationError: (issues) => `no: ${issues.map(({ path }) => path.join(".")).join()}`,
    });
    assert.equal((await stateOf(own, { input: {} })).error, "no: filePath");
    const broken = registry(() => "x", {
      parameters: EDIT,
      formatValidationError() {
        throw new Error("mine");
      },
    });
    assert.match((await stateOf(broken, { input: {} })).error, /cannot run with these arguments/);
  });

  test("cannot reach prototypes", async () => {
    const input = JSON.parse('{"filePath":"a","__proto__":{"limit":"2"},"limit":"3"}');
    const state = await stateOf(made(), { input });
    assert.equal(JSON.parse(state.output).limit, 3);
    assert.equal({}.limit, undefined);
  });

  test("keywords that are ignored are logged once, and patterns are those of JavaScript", async () => {
    const parameters = { properties: { a: { type: "string", pattern: "^\\p{L}+$", if: {} } } };
    const of = registry(() => "x", { parameters });
    assert.equal((await stateOf(of, { input: { a: "é" } })).status, "completed");
    assert.equal((await stateOf(of, { input: { a: "5" } })).status, "error");
    assert.equal(logs.filter((line) => line.includes("are ignored: if")).length, 1);
  });
});

describe("names", () => {
  test("are found exactly, by alias, and with another case or other dashes", async () => {
    const made = new parts.ToolRegistry({ aliases: { webfetch: "web-fetch" } });
    made.register(tool("web-fetch", () => "x"));
    made.register(tool("a.b/c:d", () => "y"));
    for (const name of ["web-fetch", "webfetch", "Web_Fetch", "WEB-FETCH", "WebFetch"]) {
      const part = await call(made, { tool: name });
      assert.deepEqual([part.tool, part.state.output], ["web-fetch", "x"], name);
    }
    assert.equal((await stateOf(made, { tool: "a.b/c:d" })).output, "y");
    assert.equal((await stateOf(made, { tool: "a.b" })).status, "error");
    // Models know the built-in tools by such names.
    for (const name of ["WebFetch", "WEBFETCH"]) {
      assert.equal((await call(made, { tool: name })).tool, "web-fetch", name);
    }
    made.register({ ...tool("todo-write", () => "w"), aliases: ["todowrite"] });
    assert.equal((await call(made, { tool: "TodoWrite" })).tool, "todo-write");
    made.register({ ...tool("other", () => "w"), aliases: ["todo_Write", "TODOWRITE"] });
    assert.match((await stateOf(made, { tool: "TodoWrite" })).error, /no tool named TodoWrite/);
    made.register(tool("web_fetch", () => "z"));
    assert.equal((await stateOf(made, { tool: "WebFetch" })).output, "x");
    assert.match((await stateOf(made, { tool: "WEB-FETCH" })).error, /no tool named WEB-FETCH/);
  });

  test("that are unknown end in an error which says what there is", async () => {
    const made = new parts.ToolRegistry();
    for (const id of ["read", "write"]) made.register(tool(id, () => "x"));
    const states = await statesOf(call(made, { tool: "reed" }));
    assert.equal(statuses(states), "pending running error");
    assert.equal(
      states[2].error,
      "There is no tool named reed. Available tools: read, write. Closest: read.",
    );
    for (const name of ["__proto__", "constructor", ""]) {
      assert.equal((await stateOf(made, { tool: name })).status, "error");
    }
  });
});

describe("the registry", () => {
  test("keeps tools with their types and says what it has", async () => {
    const made = new parts.ToolRegistry();
    const [a, b] = [tool("a", () => "x"), tool("b", () => "x")];
    assert.equal(made.register(a, parts.ToolType.SKILL), undefined);
    assert.equal(made.register(b), undefined);
    const again = tool("a", () => "y");
    made.updateStatus("a", parts.ToolStatus.HEALTHY);
    assert.equal(made.register(again, "mcp"), a);
    assert.equal(made.isHealthy("a"), true);
    assert.deepEqual([made.get("a"), made.size(), made.ids()], [again, 2, ["a", "b"]]);
    assert.deepEqual(
      [made.getType("a"), made.getType("b"), made.getType("c")],
      ["mcp", "builtin", undefined],
    );
    assert.deepEqual([made.list(), made.listByType("mcp")], [[again, b], [again]]);
    assert.deepEqual(
      [made.has("a"), made.unregister("a"), made.unregister("a"), made.has("a")],
      [true, true, false, false],
    );
    made.clear();
    assert.equal(made.size(), 0);
  });

  test("describes tools for a prompt and for a provider", async () => {
    const made = new parts.ToolRegistry({ rules: [parts.Permission.fromConfig({ edit: "deny" })] });
    const parameters = {
      type: "object",
      properties: { x: { type: "integer", description: "How many" }, y: {} },
      required: ["x"],
    };
    made.register(tool("bash", () => "x", { parameters }));
    for (const id of ["write", "read", "grep", "ill"]) made.register(tool(id, () => "x"));
    made.updateStatus("ill", "unhealthy", "no disk");
    const [bash] = await made.listDescriptions();
    assert.deepEqual(bash, {
      name: "bash",
      description: "About bash.",
      parameters: [
        { name: "x", type: "integer", description: "How many", required: true },
        { name: "y", type: "string", description: "", required: false },
      ],
    });
    const names = async (context) => (await made.definitions(context)).map(({ name }) => name);
    assert.deepEqual(await names(), ["bash", "read", "grep"]);
    const permission = [{ permission: "bash", pattern: "*", action: "deny" }];
    assert.deepEqual(await names({ agent: { name: "a", permission } }), ["read", "grep"]);
    assert.deepEqual(await names({ only: ["read", "write"] }), ["read"]);
    assert.deepEqual(await names({ user: { grep: false } }), ["bash", "read"]);
    made.register({ ...tool("web-fetch", () => "x"), aliases: ["webfetch"] });
    assert.deepEqual(await names({ only: ["webfetch"] }), ["web-fetch"]);
    assert.deepEqual(await names({ user: { webfetch: false } }), ["bash", "read", "grep"]);
    assert.equal((await made.definitions())[0].inputSchema, parameters);
  });
});

describe("health", () => {
  const FAULT = () => {
    throw new Error("broken");
  };

  test("changes with calls: unknown, healthy, unhealthy after faults in a row", async () => {
    let execute = () => "x";
    const made = registry(() => execute(), {}, { recheckMs: 1e9 });
    assert.deepEqual([made.isHealthy("t"), made.getUnhealthyTools()], [false, []]);
    await call(made);
    assert.equal(made.isHealthy("t"), true);
    execute = FAULT;
    await call(made);
    await call(made);
    execute = () => "x";
    await call(made);
    execute = FAULT;
    for (let i = 0; i < 3; i++) await call(made);
    assert.equal(made.get("t"), undefined);
    assert.equal(made.has("t"), true);
    assert.equal(made.getUnhealthyTools().length, 1);
    assert.match((await stateOf(made)).error, /unavailable: broken/);
    made.updateStatus("t", "healthy");
    assert.ok(made.get("t"));
  });

  test("is not touched by arguments, permissions, aborts and errors on purpose", async () => {
    const made = new parts.ToolRegistry({ unhealthyAfter: 1 });
    const parameters = { properties: { a: { type: "string" } }, required: ["a"] };
    made.register(tool("arguments", () => "x", { parameters }));
    made.register(tool("asks", (_, context) => context.ask({ permission: "x", patterns: ["y"] })));
    made.register(
      tool("purpose", () => {
        throw new parts.Tool.Expected("no such file");
      }),
    );
    made.register(
      tool("shape", () => {
        throw Object.assign(new Error("e"), { expected: true });
      }),
    );
    const started = signal();
    made.register(
      tool("stopped", (_, { abort }) => {
        started.resolve();
        return new Promise((_, fail) => abort.addEventListener("abort", () => fail(abort.reason)));
      }),
    );
    for (const name of ["arguments", "asks", "purpose", "shape"]) await call(made, { tool: name });
    const run = call(made, { tool: "stopped" });
    await started.promise;
    run.abort("enough");
    assert.equal((await run).state.error, "Aborted: enough");
    assert.deepEqual(made.getUnhealthyTools(), []);
  });

  test("gives a tool that is down one call to try when its time has come", async () => {
    let isBroken = true;
    const made = registry(
      () => (isBroken ? FAULT() : "x"),
      {},
      { unhealthyAfter: 1, recheckMs: 0 },
    );
    await call(made);
    assert.equal(made.get("t"), undefined);
    assert.equal((await stateOf(made)).error, "broken");
    isBroken = false;
    assert.equal((await stateOf(made)).output, "x");
    assert.equal(made.isHealthy("t"), true);
  });
});

describe("an abort", () => {
  test("ends a tool that ends by itself, which may still give its result", async () => {
    const started = signal();
    const made = registry((_, { abort }) => {
      started.resolve();
      return new Promise((done) => abort.addEventListener("abort", () => done("what there is")));
    });
    const run = call(made);
    await started.promise;
    run.abort("enough");
    assert.equal((await run).state.output, "what there is");
  });

  test("by the signal of the call, before and during it", async () => {
    const controller = new AbortController();
    const started = signal();
    const made = registry((_, { abort }) => {
      started.resolve();
      return new Promise((_, fail) => abort.addEventListener("abort", () => fail(new Error("x"))));
    });
    const run = call(made, { abort: controller.signal });
    await started.promise;
    controller.abort(new Error("the user left"));
    const { state } = await run;
    assert.deepEqual([state.error, state.metadata.aborted], ["Aborted: the user left", true]);
    const second = await call(made, { abort: controller.signal });
    assert.equal(second.state.status, "error");
    assert.equal(second.state.metadata.aborted, true);
  });

  test("ends a tool that does not listen, whose late result is dropped", async (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const [started, late] = [signal(), signal()];
    const made = registry(() => {
      started.resolve();
      return late.promise;
    });
    const run = call(made);
    await started.promise;
    run.abort();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(run.part.state.status, "running");
    t.mock.timers.tick(3000);
    const { state } = await run;
    assert.deepEqual(
      [state.error, state.metadata.aborted],
      ["Aborted: the call was stopped", true],
    );
    late.resolve("late");
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(run.part.state, state);
    assert.match(logs.join(), /its result is dropped/);
  });

  test("and a time-out end alike; the time-out is that of the tool", async () => {
    const made = registry(
      (_, { abort }) =>
        new Promise((_, fail) => abort.addEventListener("abort", () => fail(new Error("x")))),
      { timeoutMs: 5 },
    );
    const state = await stateOf(made);
    assert.match(state.error, /timed out after 5 ms/);
    assert.equal(state.metadata.kind, "timeout");
  });

  /** A tool that ends when its call is aborted; `reasons` gets why. */
  const waits = (reasons, definition, options) =>
    registry(
      (_, { abort }) =>
        new Promise((_, fail) => {
          abort.addEventListener("abort", () => {
            reasons.push(abort.reason.message);
            fail(abort.reason);
          });
        }),
      definition,
      options,
    );

  test("the time of the registry holds for a tool that has none, and that of the call before both", async () => {
    for (const [tool, ofRegistry, ofCall, wanted] of [
      [undefined, 6, undefined, 6],
      [7, 60_000, undefined, 7],
      [60_000, 6, 8, 8],
      [undefined, undefined, 9, 9],
    ]) {
      const reasons = [];
      const made = waits(reasons, { timeoutMs: tool }, { timeoutMs: ofRegistry });
      const { state } = await made.execute({ ...CALL, tool: "t" }, { timeoutMs: ofCall });
      assert.equal(state.error, `Tool execution timed out after ${wanted} ms`);
      assert.equal(state.metadata.kind, "timeout");
      assert.deepEqual(reasons, [`the tool took longer than ${wanted} ms`]);
    }
  });

  test("a call whose time is 0 may take any, whatever the registry says", async () => {
    const release = signal();
    const made = registry(
      (_, { abort }) =>
        new Promise((done, fail) => {
          abort.addEventListener("abort", () => fail(abort.reason));
          release.promise.then(done);
        }),
      {},
      { timeoutMs: 5 },
    );
    const patient = made.execute({ ...CALL, tool: "t" }, { timeoutMs: 0 });
    // This one begins later, and its time is over before.
    assert.equal((await stateOf(made, { callID: "call_2" })).metadata.kind, "timeout");
    assert.equal(patient.part.state.status, "running");
    release.resolve("out");
    assert.equal((await patient).state.output, "out");
  });
});

describe("output", () => {
  const LONG = Array.from({ length: 3000 }, (_, i) => `line ${i + 1}`).join("\n");

  test("that is too long is cut once, and the whole is in the store", async () => {
    const saved = [];
    const store = {
      async save(text, about) {
        saved.push([text, about]);
        return "/tmp/out.txt";
      },
    };
    const state = await stateOf(registry(() => LONG, {}, { store }));
    assert.match(state.output, /^line 1\n/);
    assert.match(
      state.output,
      /line 2000\n\n\[1000 more lines left out\. Whole output: \/tmp\/out\.txt: read it with offset and limit, or grep it\.\]$/,
    );
    assert.equal(state.metadata.truncated, true);
    assert.equal(state.metadata.outputPath, "/tmp/out.txt");
    assert.equal(state.metadata.omitted.lines, 1000);
    assert.deepEqual(saved, [[LONG, { sessionID: "ses_1", callID: "call_1", tool: "t" }]]);
  });

  test("keeps its tail where the tool says so, and all of it where the tool has cut it", async () => {
    const tail = await stateOf(
      registry(() => LONG, { truncate: { direction: "tail", maxLines: 2 } }),
    );
    assert.match(tail.output, /^\[2998 more lines left out\.\]\n\nline 2999\nline 3000$/);
    assert.equal((await stateOf(registry(() => LONG, { truncate: false }))).output, LONG);
    const own = registry(() => ({ title: "", output: LONG, metadata: { truncated: false } }));
    assert.equal((await stateOf(own)).output, LONG);
  });

  test("of an error is cut as well, whoever throws it", async () => {
    const saved = [];
    const store = { save: async (text) => `/tmp/${saved.push(text)}` };
    const throwing = (error) => () => {
      throw error;
    };
    const told = new Error(LONG);
    told.metadata = { exit: 1, truncated: true };
    const huge = "x".repeat(3_000_000);
    for (const [error, more] of [
      [new Error(huge)],
      [huge],
      [new Error(huge), { truncate: false }],
    ]) {
      const state = await stateOf(registry(throwing(error), more, { store }));
      assert.ok(state.error.length < 60_000, String(state.error.length));
      assert.match(state.error, /bytes left out\. Whole output: \/tmp\/\d/);
      assert.deepEqual([state.metadata.truncated, state.metadata.kind], [true, "fault"]);
      assert.equal(saved.at(-1), huge);
    }
    const tail = { truncate: { direction: "tail", maxLines: 2 } };
    const last = await stateOf(registry(throwing(new Error(LONG)), tail));
    assert.match(last.error, /^\[2998 more lines left out\.\]\n\nline 2999\nline 3000$/);
    // What has cut its error itself is left alone.
    const own = await stateOf(registry(throwing(told)));
    assert.equal(own.error, LONG);
    const unread = await stateOf(
      registry(() => "", {
        formatValidationError: () => huge,
        parameters: { ...OBJECT, required: ["a"] },
      }),
    );
    assert.ok(unread.error.length < 60_000);
    assert.equal(unread.metadata.kind, "arguments");
  });

  test("is cut also where the store fails", async () => {
    const store = { save: () => Promise.reject(new Error("disk full")) };
    const state = await stateOf(registry(() => LONG, {}, { store }));
    assert.match(state.output, /\[1000 more lines left out\.\]$/);
    assert.equal(state.metadata.outputPath, undefined);
    assert.match(logs.join(), /could not be saved/);
  });
});

describe("places and locks", () => {
  test("a session runs so many calls at once, and the others in order", async () => {
    const [inside, gates] = [[], []];
    const made = registry(
      ({ n }) => {
        const gate = signal();
        inside.push(n);
        gates.push(gate);
        return gate.promise;
      },
      {},
      { maxConcurrency: 2 },
    );
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    const runs = [1, 2, 3, 4].map((n) => call(made, { input: { n } }));
    const other = call(made, { input: { n: 9 }, sessionID: "ses_2" });
    await settled();
    assert.deepEqual(inside, [1, 2, 9]);
    runs[2].abort("not wanted");
    assert.equal((await runs[2]).state.error, "Aborted: not wanted");
    gates[0].resolve("one");
    await runs[0];
    await settled();
    assert.deepEqual(inside, [1, 2, 9, 4]);
    for (const gate of gates) gate.resolve("x");
    await Promise.all([...runs, other]);
  });

  test("calls with the same key run one after another, others do not wait", async () => {
    const order = [];
    const first = signal();
    const made = registry(
      async ({ n }) => {
        order.push(`begin ${n}`);
        if (n === 1) await first.promise;
        order.push(`end ${n}`);
        return "x";
      },
      { lock: ({ key }) => key },
    );
    const runs = [
      call(made, { input: { key: "a", n: 1 } }),
      call(made, { input: { key: "a", n: 2 } }),
      call(made, { input: { key: "b", n: 3 } }),
    ];
    await runs[2];
    assert.deepEqual(order, ["begin 1", "begin 3", "end 3"]);
    first.resolve();
    await Promise.all(runs);
    assert.deepEqual(order.slice(3), ["end 1", "begin 2", "end 2"]);
  });
});

describe("the detector of loops", () => {
  test("ends a call that repeats, and warns before", async () => {
    const detector = new parts.DoomLoopDetector({ threshold: 3 });
    const made = registry(() => "the same");
    const results = [];
    for (let i = 0; i < 3; i++) {
      const run = made.execute(
        { ...CALL, callID: `c${i}`, tool: "t", input: { a: 1 } },
        { detector },
      );
      results.push((await run).state);
    }
    assert.deepEqual(
      results.map(({ status }) => status),
      ["completed", "completed", "error"],
    );
    assert.match(results[2].error, /t/);
    assert.equal(results[2].metadata.kind, "loop");
    assert.deepEqual(made.isHealthy("t"), true);
    detector.free();
  });

  for (const watchers of ["a detector", "a recorder", "both"])
    test(`seven identical calls with ${watchers}: two run, the rest are refused`, async () => {
      const detector = new parts.DoomLoopDetector({ threshold: 3 });
      const recorder = new parts.ReActRecorder({ sessionID: "s", messageID: "m" });
      const options = {
        ...(watchers !== "a recorder" && { detector }),
        ...(watchers !== "a detector" && { recorder }),
      };
      let runs = 0;
      const made = registry(() => {
        runs++;
        return "the same";
      });
      const states = [];
      for (let number = 1; number <= 7; number++) {
        recorder.startStep();
        const call = { ...CALL, callID: `c${number}`, tool: "t", input: { a: 1 } };
        states.push((await made.execute(call, { ...options, round: number })).state);
        recorder.finishStep("tool-calls");
      }
      assert.equal(runs, 2);
      assert.equal(statuses(states), `completed completed${" error".repeat(5)}`);
      assert.ok(states.slice(2).every(({ metadata }) => metadata.kind === "loop"));
      if (options.detector) assert.equal(detector.detect().repeats, 7);
      if (options.recorder) assert.equal(recorder.detectDoomLoop().repeats, 7);
      recorder.free();
      detector.free();
    });

  test("parallel calls of one round count once, calls without a round each", async () => {
    const declined = registry(() => {
      throw new parts.Tool.Expected("The user declined this call.");
    });
    const actions = async (rounds) => {
      const detector = new parts.DoomLoopDetector();
      const found = [];
      for (const [number, options] of rounds.entries()) {
        const runs = Array.from({ length: 8 }, (_, i) =>
          declined.execute(
            { ...CALL, callID: `c${number}_${i}`, tool: "t", input: { number, i } },
            { detector, ...options },
          ),
        );
        await Promise.all(runs);
        found.push(detector.detect().suggestedAction);
      }
      detector.free();
      return found;
    };
    const rounds = [1, 2, 3, 4, 5].map((round) => ({ round }));
    assert.deepEqual(await actions(rounds), [...Array(4).fill("continue"), "warning"]);
    assert.deepEqual(await actions([{}]), ["interrupt"]);
  });

  test("parallel calls of a step are one round of its recorder", async () => {
    const recorder = new parts.ReActRecorder({ sessionID: "s", messageID: "m" });
    const declined = registry(() => {
      throw new parts.Tool.Expected("The user declined this call.");
    });
    const found = [];
    for (let step = 1; step <= 5; step++) {
      recorder.startStep();
      const runs = Array.from({ length: 8 }, (_, i) =>
        declined.execute(
          { ...CALL, callID: `c${step}_${i}`, tool: "t", input: { step, i } },
          { recorder },
        ),
      );
      await Promise.all(runs);
      recorder.finishStep("tool-calls");
      found.push(recorder.detectDoomLoop().kind);
    }
    assert.deepEqual(found, [...Array(4).fill(undefined), "same_error"]);
    recorder.free();
  });

  test("a recorder gets the call and its result", async () => {
    const recorder = new parts.ReActRecorder({ sessionID: "s", messageID: "m" });
    recorder.startStep();
    const made = registry(() => ({ title: "T", output: "out" }));
    const run = made.execute({ ...CALL, tool: "t", input: { a: 1 } }, { recorder });
    assert.equal((await run).state.status, "completed");
    const recorded = recorder.parts().find(({ type }) => type === "tool");
    assert.deepEqual([recorded.state.status, recorded.state.output], ["completed", "out"]);
    recorder.free();
  });

  test("a recorder of one message and a detector of the whole run both get the call and its result", async () => {
    const detector = new parts.DoomLoopDetector();
    const made = registry(() => "the same");
    const states = [];
    for (let number = 1; number <= 3; number++) {
      // Each message has a recorder of its own: only the detector sees that the calls are the same.
      const recorder = new parts.ReActRecorder({ sessionID: "s", messageID: `m${number}` });
      recorder.startStep();
      const one = { ...CALL, callID: `call_${number}`, tool: "t", input: { a: 1 } };
      states.push((await made.execute(one, { recorder, detector })).state);
      const [, recorded] = recorder.parts();
      assert.equal(recorded.state.status, states.at(-1).status);
      recorder.free();
    }
    assert.equal(statuses(states), "completed completed error");
    assert.equal(states[2].metadata.kind, "loop");
    detector.free();
  });

  test("a recorder may interrupt where the detector does not", async () => {
    const recorder = new parts.ReActRecorder({ sessionID: "s", messageID: "m" });
    recorder.startStep();
    const detector = new parts.DoomLoopDetector({ threshold: 50 });
    const made = registry(() => "the same");
    const again = (number) => ({ ...CALL, callID: `call_${number}`, tool: "t", input: { a: 1 } });
    for (const number of [1, 2]) await made.execute(again(number), { recorder, detector });
    const { state } = await made.execute(again(3), { recorder, detector });
    assert.deepEqual([state.status, state.metadata.kind], ["error", "loop"]);
    recorder.free();
    detector.free();
  });
});
