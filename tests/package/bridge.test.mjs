// The guide into apex-bridge: its files compile and work against a stand-in that has the shapes that were met there
// (fragments of calls, `success` and `result`). That the changes of files fit is told by scripts/bridge.mjs alone, which
// applies them to a checkout.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { patched, slicesOf } from "../../scripts/bridge/guide.mjs";
import { at, consumer, requireFrom, run, tool } from "./helper.mjs";

const slices = slicesOf(readFileSync(at("docs", "guides", "apex-bridge.md"), "utf8"));
const blocks = slices.flatMap(({ blocks }) => blocks);

/** What the files of the guide import there. */
const STAND_IN = {
  "src/constants/index.ts": "export const DOOM_LOOP = { THRESHOLD: 3 } as const;\n",
  "src/core/stream-orchestrator/types.ts": `export interface StreamEvent {
  type: "reasoning-start" | "reasoning" | "reasoning-delta" | "reasoning-end" | "step-start" | "step-finish"
    | "content" | "tool_start" | "tool_end" | "done" | "error";
  data: any;
  timestamp: number;
  iteration: number;
  stepNumber?: number;
}
`,
  "src/core/tool-action/types.ts": `export interface ToolActionCall {
  name: string;
  parameters: Record<string, string>;
}
export interface ToolExecutionResult {
  success: boolean;
  toolName: string;
  result?: any;
  error?: string;
  executionTime: number;
  tool_details?: {
    tool_name: string;
    input_params: Record<string, any>;
    output_content: string;
    output_metadata?: { token_count?: number; execution_time_ms?: number };
  };
  error_details?: { error_type: string; error_message: string; context?: Record<string, any> };
}
`,
  "src/types/index.ts": `export interface Message {
  role: "system" | "user" | "assistant";
  content: string | { type: "text" | "image_url"; text?: string; image_url?: string | { url: string } }[];
  name?: string;
  metadata?: Record<string, any>;
}
`,
  "src/utils/logger.ts":
    "export const logger = { warn(message: string) {}, debug(message: string) {} };\n",
  "src/utils/error-classifier.ts": `export class ErrorClassifier {
  static estimateTokens(text: string) {
    return Math.ceil(text.length / 4);
  }
  static classifyError(error: Error) {
    return error.name;
  }
}
`,
};

/** The stand-in with the files that the guide writes; changes of files that are not its own are left out. */
const TREE = {
  ...STAND_IN,
  ...Object.fromEntries(
    blocks.filter(({ kind }) => kind === "write").map(({ path, text }) => [path, text]),
  ),
};

/** The options of its own compiler that matter here. */
const OPTIONS = {
  target: "ES2020",
  module: "commonjs",
  lib: ["ES2020"],
  types: ["node"],
  strict: true,
  strictNullChecks: false,
  noImplicitAny: false,
  esModuleInterop: true,
  skipLibCheck: true,
  moduleResolution: "node10",
  rootDir: "src",
  outDir: "out",
};

/** What the package exports there, and what a file of the guide does. */
let parts;
let load;
before(async () => {
  const cwd = await consumer("bridge", {
    "tsconfig.json": JSON.stringify({ compilerOptions: OPTIONS, include: ["src"] }),
    "package.json": JSON.stringify({ type: "commonjs" }),
    ...TREE,
  });
  await run(process.execPath, [tool("typescript", "tsc"), "-p", "."], { quiet: true, cwd });
  parts = requireFrom(cwd)("apex-parts");
  load = (path) => requireFrom(cwd)(join(cwd, "out", path));
});

test("each section of the guide that changes something names its files", () => {
  assert.ok(slices.length >= 3);
  for (const { path } of blocks) assert.match(path, /^src\/[\w/-]+\.ts$/);
  for (const kind of ["write", "change", "remove"])
    assert.ok(blocks.some((block) => block.kind === kind));
});

describe("a change fits", () => {
  const source = "a\nb {\n  1\n  2\n}\nc\na\n";

  test("in one place, with what is left out between", () => {
    const diff = " b {\n-…\n }\n+d\n@@\n c\n-a\n";
    assert.equal(patched(source, diff, "x.ts"), "a\nb {\n}\nd\nc\n");
  });
  test("up to the end", () => {
    assert.equal(patched(source, " b {\n-…\n", "x.ts"), "a\nb {\n");
  });
  test("not in none, and not in two", () => {
    assert.throws(() => patched(source, "-z\n", "x.ts"), /x\.ts: this hunk fits nowhere:\n-z/);
    assert.throws(() => patched(source, "-a\n", "x.ts"), /fits in 2 places/);
  });
});

/** The pieces of a stream, as small as a network may send them. */
async function* pieces(events, size) {
  const bytes = new TextEncoder().encode(events.map((event) => `data: ${event}\n\n`).join(""));
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const chunk = (delta, reason = null) =>
  JSON.stringify({
    id: "r1",
    object: "chat.completion.chunk",
    created: 1,
    model: "m",
    choices: [{ index: 0, delta, finish_reason: reason }],
  });
const called = (fields) => chunk({ tool_calls: [{ index: 0, ...fields }] });
const OPENAI = [
  chunk({ role: "assistant", reasoning_content: "Let me " }),
  chunk({ reasoning_content: "look: ü" }),
  chunk({ content: "I read " }),
  chunk({ content: "it." }),
  called({ id: "call_9", type: "function", function: { name: "read", arguments: "" } }),
  called({ function: { arguments: '{"path":"a' } }),
  called({ function: { arguments: '.txt"}' } }),
  chunk({}, "tool_calls"),
];
const ANTHROPIC = [
  {
    type: "message_start",
    message: { id: "r1", model: "m", role: "assistant", content: [], usage: {} },
  },
  { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
  {
    type: "content_block_delta",
    index: 0,
    delta: { type: "thinking_delta", thinking: "Let me look: ü" },
  },
  { type: "content_block_stop", index: 0 },
  { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "I read it." } },
  { type: "content_block_stop", index: 1 },
  {
    type: "content_block_start",
    index: 2,
    content_block: { type: "tool_use", id: "call_9", name: "read", input: {} },
  },
  {
    type: "content_block_delta",
    index: 2,
    delta: { type: "input_json_delta", partial_json: '{"path":"a.txt"}' },
  },
  { type: "content_block_stop", index: 2 },
  { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 3 } },
  { type: "message_stop" },
].map((event) => JSON.stringify(event));

describe("a model's stream", () => {
  const read = async (events, format, size = 61) => {
    const { readModelStream } = load("core/llm/adapters/model-stream.js");
    const all = [];
    for await (const text of readModelStream(pieces(events, size), format))
      all.push(JSON.parse(text));
    return all;
  };
  const joined = (all, field) => all.map((each) => each[field] ?? "").join("");

  for (const [format, events] of [
    ["openai-chat", [...OPENAI, "[DONE]"]],
    ["anthropic", ANTHROPIC],
  ]) {
    test(`of ${format} in pieces of any size keeps its text, its thinking and its calls`, async () => {
      for (const size of [1, 7, 61, 100_000]) {
        const all = await read(events, format, size);
        assert.equal(joined(all, "reasoning_content"), "Let me look: ü");
        assert.equal(joined(all, "content"), "I read it.");
        assert.deepEqual(all.at(-1).tool_calls[0], {
          id: "call_9",
          type: "function",
          function: { name: "read", arguments: '{"path":"a.txt"}' },
        });
        assert.equal(all.filter(({ tool_calls }) => tool_calls).length, 1);
      }
    });
  }

  test("that ends early throws, and so does one with an error; neither gives calls", async () => {
    await assert.rejects(read(OPENAI.slice(0, 6), "openai-chat"), /may be incomplete/);
    const failed = [...OPENAI.slice(0, 2), JSON.stringify({ error: { message: "overloaded" } })];
    await assert.rejects(read(failed, "openai-chat"), /^Error: overloaded$/);
  });
});

test("the two type files are the entry ./apex-bridge", () => {
  for (const name of ["message-v2", "tool-state"]) {
    const { createTextPart } = load(`types/${name}.js`);
    assert.equal(createTextPart({ sessionID: "s", messageID: "m", text: "Hi" }).type, "text");
  }
});

describe("the record of a run", () => {
  const event = (type, data) => ({ type, data, timestamp: 1, iteration: 0 });
  const outcome = { success: true, toolName: "read", result: { lines: 3 }, executionTime: 1 };

  /** The events of a run of rounds, each a function that gives what the engine yields. */
  async function eventsOf(record, rounds) {
    const all = [];
    for (const round of rounds) {
      const events = record.step(round(record));
      let next = await events.next();
      for (; !next.done; next = await events.next()) all.push(next.value);
    }
    return all;
  }
  async function* thinkThenCall(record) {
    yield event("reasoning-delta", "Let me ");
    yield event("reasoning-delta", "look.");
    yield event("content", "I read it.");
    yield* record.call(
      { id: "call_9", name: "read", parameters: { path: "a.txt" } },
      async () => outcome,
    );
    yield* record.call({ name: "read", parameters: { path: "b.txt" } }, async () => ({
      ...outcome,
      success: false,
      error: "no such file",
    }));
    return null;
  }
  async function* answer() {
    yield event("content", "Done.");
    return "Done.";
  }

  test("has all events in their order, with the text of deltas as a string", async () => {
    const { RunRecord } = load("core/stream-orchestrator/run-record.js");
    const record = new RunRecord();
    const events = await eventsOf(record, [thinkThenCall, answer]);
    assert.deepEqual(
      events.map(({ type }) => type),
      [
        ...["step-start", "reasoning-start", "reasoning-delta", "reasoning-delta", "reasoning-end"],
        ...["content", "tool_start", "tool_end", "tool_start", "tool_end", "step-finish"],
        ...["step-start", "content", "step-finish"],
      ],
    );
    const texts = events.filter(({ type }) => ["reasoning-delta", "content"].includes(type));
    assert.deepEqual(
      texts.map(({ data }) => data),
      ["Let me ", "look.", "I read it.", "Done."],
    );
    const calls = record.parts().filter(({ type }) => type === "tool");
    assert.deepEqual(
      calls.map(({ state }) => state.output ?? state.error),
      ['{"lines":3}', "no such file"],
    );
    record.free();
  });

  /** How many of ten rounds with a call each are made, and what ends the run. */
  async function callsUntilLoop(callOf) {
    const { RunRecord } = load("core/stream-orchestrator/run-record.js");
    const record = new RunRecord();
    let made = 0;
    const rounds = Array.from({ length: 10 }, (_, round) => {
      return async function* () {
        yield* record.call(callOf(round), async () => {
          made++;
          return outcome;
        });
        return null;
      };
    });
    try {
      await eventsOf(record, rounds);
      return { made };
    } catch (error) {
      return { made, error };
    } finally {
      record.free();
    }
  }

  test("ends a run that repeats a call, with ids of the provider and without", async () => {
    const { DoomLoopDetected } = load("core/stream-orchestrator/run-record.js");
    for (const idOf of [(round) => `call_${round}_x`, () => undefined]) {
      // Keys in another order do not make another call.
      const parameters = (round) => (round % 2 ? { a: 1, b: 2 } : { b: 2, a: 1 });
      const { made, error } = await callsUntilLoop((round) => {
        return { id: idOf(round), name: "read", parameters: parameters(round) };
      });
      assert.ok(error instanceof DoomLoopDetected);
      assert.equal(error.name, "DoomLoopDetected");
      assert.equal(made, error.details.threshold - 1);
      assert.match(error.message, /read/);
    }
  });

  test("lets a run go on that gets somewhere", async () => {
    const { made, error } = await callsUntilLoop((round) => {
      return { name: "read", parameters: { path: `${round}.txt` } };
    });
    assert.equal(error, undefined);
    assert.equal(made, 10);
  });

  test("reaches a client that reads the format apex-bridge", async () => {
    const { DeltaAssembler } = parts;
    const { RunRecord } = load("core/stream-orchestrator/run-record.js");
    const { eventTypeOf } = load("api/utils/run-event.js");
    const record = new RunRecord();
    const assembler = new DeltaAssembler({ format: "apex-bridge" });
    const push = (text) => assembler.pushBytes(new TextEncoder().encode(text));
    // As ReActStrategy.stream and StreamResponseHandler write them.
    for (const { type, data, iteration, stepNumber } of await eventsOf(record, [
      thinkThenCall,
      answer,
    ])) {
      const field = { "reasoning-delta": "reasoning_content", content: "content" }[type];
      const chunk = JSON.stringify(
        field
          ? {
              reasoning_content: null,
              content: null,
              [field]: data,
              step_number: stepNumber,
              iteration,
            }
          : { event_type: type, data, iteration, step_number: stepNumber },
      );
      const named = eventTypeOf(chunk);
      assert.equal(named, field ? undefined : type);
      push(named ? `event: ${named}\ndata: ${chunk}\n\n` : `data: ${chunk}\n\n`);
    }
    push("data: [DONE]\n\n");
    assembler.end();
    assert.equal(assembler.status, "done");
    const kinds = assembler.message().parts.map(({ kind }) => kind);
    assert.deepEqual(kinds, ["thinking", "text", "tool_call", "tool_call", "text"]);
    assembler.free();
    record.free();
  });
});

describe("a call through the registry", () => {
  test("has its arguments converted, its output and its error", async () => {
    const { Tool } = load("core/tool/tool.js");
    const { toolRegistry, ToolType } = load("core/tool/registry.js");
    const { callTool } = load("core/tool-action/registry-call.js");
    const add = Tool.define("add", {
      description: "Adds one",
      parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
      execute: async ({ n }) => ({ title: "", output: String(n + 1) }),
    });
    const waits = Tool.define("waits", {
      description: "Waits for ever",
      parameters: { type: "object" },
      execute: () => new Promise(() => {}),
    });
    for (const one of [add, waits]) toolRegistry.register(one, ToolType.BUILTIN);
    const { success, result, tool_details } = await callTool({
      name: "add",
      parameters: { n: "5" },
    });
    assert.deepEqual([success, result, tool_details.output_content], [true, "6", "6"]);
    const wrong = await callTool({ name: "add", parameters: {} });
    assert.deepEqual([wrong.success, wrong.toolName], [false, "add"]);
    assert.match(wrong.error, /n: required, a number/);
    assert.equal(wrong.error_details.error_message, wrong.error);
    const late = await callTool({ name: "waits", parameters: {} }, 20);
    assert.equal(late.success, false);
    assert.match(late.error, /20 ms/);
    toolRegistry.clear();
  });
});

describe("the context", () => {
  const turns = (count) =>
    Array.from({ length: count }, (_, turn) => [
      { role: "user", content: `Question ${turn}: ${"why ".repeat(500)}` },
      { role: "assistant", content: `Answer ${turn}: ${"so ".repeat(500)}` },
    ]).flat();
  const system = { role: "system", content: "Be brief." };

  test("that is large enough takes all messages as they are", () => {
    const { fitContext } = load("services/context-compression/fit-context.js");
    const messages = [system, ...turns(2)];
    const fitted = fitContext(messages, 100_000);
    assert.equal(fitted.messages, messages);
    assert.equal(fitted.before, fitted.after);
  });

  test("that is too small loses its earliest turns, whole, and keeps the system prompt", () => {
    const { fitContext } = load("services/context-compression/fit-context.js");
    const last = { role: "user", content: [{ type: "text", text: "And now?" }] };
    const { messages, before, after } = fitContext([system, ...turns(20), last], 8000);
    assert.ok(after < before && after < 7000, `${before} → ${after}`);
    assert.deepEqual(messages[0], system);
    const text = JSON.stringify(messages);
    assert.ok(!text.includes("Question 0:") && !text.includes("Answer 0:"));
    assert.ok(text.includes("Question 19:") && text.includes("Answer 19:"));
    assert.match(JSON.stringify(messages.at(-1)), /And now\?/);
    const first = (role) => messages.findIndex((message) => message.role === role);
    assert.ok(first("user") < first("assistant"));
  });
});

describe("the tools of an MCP server", () => {
  const tool = (name) => ({ name, inputSchema: { type: "object" } });

  test("are in the registry as long as the server has them", async () => {
    const { mcpTools } = load("services/mcp/tool-set.js");
    const { toolRegistry } = parts;
    let tools = [tool("greet"), tool("fail")];
    const client = {
      listTools: async () => ({ tools }),
      callTool: async ({ name }) => ({
        content: [{ type: "text", text: `Hi from ${name}` }],
        isError: name === "fail",
      }),
    };
    await mcpTools.add(client, { clientName: "demo" });
    assert.deepEqual(toolRegistry.ids(), ["demo_greet", "demo_fail"]);
    assert.equal(toolRegistry.getType("demo_greet"), "mcp");
    const { callTool } = load("core/tool-action/registry-call.js");
    const call = (name) => callTool({ name, parameters: {} });
    assert.equal((await call("demo_greet")).result, "Hi from greet");
    const failed = await call("demo_fail");
    assert.deepEqual([failed.success, failed.error], [false, "Hi from fail"]);

    tools = [tool("greet"), tool("part")];
    await mcpTools.refresh("demo");
    assert.deepEqual(toolRegistry.ids(), ["demo_greet", "demo_part"]);
    mcpTools.remove("demo");
    assert.deepEqual(toolRegistry.ids(), []);
  });
});

describe("a skill", () => {
  const SOURCE =
    "---\nname: greeting\ndescription: Greets people\nversion: 1.10\ntags: [a, b]\n---\n# Hi\n";

  test("has its frontmatter as data, and none is a text alone", () => {
    const { default: frontmatter } = load("services/skill/frontmatter.js");
    assert.deepEqual(frontmatter(SOURCE), {
      data: { name: "greeting", description: "Greets people", version: 1.1, tags: ["a", "b"] },
      content: "# Hi\n",
    });
    assert.deepEqual(frontmatter("# Hi\n"), { data: {}, content: "# Hi\n" });
    assert.throws(() => frontmatter("---\nname: [\n---\n"), Error);
  });

  test("whose frontmatter is a program is refused", () => {
    const { default: frontmatter } = load("services/skill/frontmatter.js");
    const source = "---js\n{ name: (globalThis.wasExecuted = true) }\n---\n";
    assert.throws(() => frontmatter(source), /---/);
    assert.equal(globalThis.wasExecuted, undefined);
  });

  test("in the folder is offered to the model, one that was added later too", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "bridge-skills-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const { InstalledSkills } = load("services/skill/installed-skills.js");
    const { callTool } = load("core/tool-action/registry-call.js");
    const installed = new InstalledSkills(folder);
    assert.deepEqual(await installed.read(), []);
    mkdirSync(join(folder, "greeting", "scripts"), { recursive: true });
    writeFileSync(join(folder, "greeting", "SKILL.md"), SOURCE);
    const names = (await installed.read()).map(({ name }) => name);
    assert.deepEqual(names, ["greeting"]);
    const call = (name, args) => callTool({ name: "skill", parameters: { name, args } });
    assert.match((await call("greeting")).result, /# Hi/);
    const { success, error } = await call("../greeting");
    assert.equal(success, false);
    assert.match(error, /greeting/);
    parts.toolRegistry.clear();
  });
});

test("a request to Anthropic has tools, calls and results as its API wants them", () => {
  const { anthropicRequest } = load("core/llm/adapters/anthropic-request.js");
  const call = (id, name, input) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  });
  const parameters = { type: "object", properties: { path: { type: "string" } } };
  const body = anthropicRequest(
    [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Read a.txt" },
      { role: "assistant", content: "", tool_calls: [call("call_1", "read", { path: "a.txt" })] },
      { role: "tool", tool_call_id: "call_1", name: "read", content: "Hello" },
    ],
    { model: "claude", max_tokens: 100 },
    [{ function: { name: "read", description: "Reads a file", parameters } }],
  );
  assert.deepEqual(body, {
    model: "claude",
    max_tokens: 100,
    temperature: 0.7,
    stream: true,
    system: [{ type: "text", text: "Be brief." }],
    tools: [{ name: "read", description: "Reads a file", input_schema: parameters }],
    messages: [
      { role: "user", content: [{ type: "text", text: "Read a.txt" }] },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "call_1", name: "read", input: { path: "a.txt" } }],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "call_1", content: "Hello" }],
      },
    ],
  });
});
