// The guide into apex-bridge: its files compile and work against a stand-in that has the shapes that were met there
// (fragments of calls, `success` and `result`). That the changes of files fit is told by scripts/bridge.mjs alone, which
// applies them to a checkout.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { patched, slicesOf } from "../../scripts/bridge/guide.mjs";
import { at, consumer, requireFrom, run, tool } from "./helper.mjs";

const slices = slicesOf(readFileSync(at("docs", "guides", "apex-bridge.md"), "utf8"));
const blocks = slices.flatMap(({ blocks }) => blocks);

/** The section whose class a later one replaces. */
const LOOP_CHECK = "The loop check";

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

/** The stand-in with what the guide writes, up to and with a section; changes of files that are not its own are left out. */
function treeUntil(last) {
  const files = { ...STAND_IN };
  const written = new Set();
  for (const { name, blocks } of slices) {
    for (const { language, path, text } of blocks) {
      if (language === "ts") {
        files[path] = text;
        written.add(path);
      } else if (written.has(path)) files[path] = patched(files[path], text, path);
    }
    if (name === last) break;
  }
  return files;
}

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

let loads;
let parts;
before(async () => {
  const folders = await Promise.all(
    [LOOP_CHECK, slices.at(-1).name].map((last, index) =>
      consumer(`bridge-${index}`, {
        "tsconfig.json": JSON.stringify({ compilerOptions: OPTIONS, include: ["src"] }),
        "package.json": JSON.stringify({ type: "commonjs" }),
        ...treeUntil(last),
      }),
    ),
  );
  for (const cwd of folders) {
    await run(process.execPath, [tool("typescript", "tsc"), "-p", "."], { quiet: true, cwd });
  }
  parts = requireFrom(folders[1])("apex-parts");
  loads = folders.map((folder) => (path) => requireFrom(folder)(join(folder, "out", path)));
});

/** What a file of the guide exports when all of it is followed, and when it is followed up to the loop check. */
const load = (path) => loads[1](path);
const loadUntilLoopCheck = (path) => loads[0](path);

test("each section of the guide that changes something names its files", () => {
  assert.ok(slices.length >= 3);
  for (const { path } of blocks) assert.match(path, /^src\/[\w/-]+\.ts$/);
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
        const { index, ...call } = all.at(-1).tool_calls[0];
        assert.equal(index, 0);
        assert.deepEqual(call, {
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

describe("the loop check", () => {
  const outcome = { success: true, toolName: "read", result: "the same", executionTime: 1 };

  /** The number of calls that are made until the run is interrupted. */
  async function callsUntilLoop(callOf, most = 10) {
    const { LoopCheck } = loadUntilLoopCheck("core/stream-orchestrator/loop-check.js");
    const loops = new LoopCheck();
    let made = 0;
    try {
      for (let round = 0; round < most; round++) {
        await loops.run(callOf(round), round, async () => {
          made++;
          return outcome;
        });
      }
      return { made };
    } catch (error) {
      return { made, error };
    } finally {
      loops.free();
    }
  }

  test("ends a run that repeats a call, with ids of the provider and without", async () => {
    const { DoomLoopDetected } = loadUntilLoopCheck("core/stream-orchestrator/loop-check.js");
    for (const idOf of [(round) => `call_${round}_x`, () => undefined]) {
      // The order of the keys is not another call.
      const keys = (round) => (round % 2 ? { a: 1, b: 2 } : { b: 2, a: 1 });
      const { made, error } = await callsUntilLoop((round) => ({
        id: idOf(round),
        name: "read",
        parameters: keys(round),
      }));
      assert.ok(error instanceof DoomLoopDetected);
      assert.equal(error.name, "DoomLoopDetected");
      assert.equal(made, error.details.threshold - 1);
      assert.match(error.message, /read/);
    }
  });

  test("lets a run go on that gets somewhere", async () => {
    const { made, error } = await callsUntilLoop((round) => ({
      name: "read",
      parameters: { path: `${round}.txt` },
    }));
    assert.equal(error, undefined);
    assert.equal(made, 10);
  });
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

  test("ends a run that repeats a call by tags", async () => {
    const { RunRecord } = load("core/stream-orchestrator/run-record.js");
    const record = new RunRecord();
    let made = 0;
    async function* repeats() {
      yield* record.call({ name: "read", parameters: { path: "a.txt" } }, async () => {
        made++;
        return outcome;
      });
      return null;
    }
    await assert.rejects(eventsOf(record, Array(10).fill(repeats)), { name: "DoomLoopDetected" });
    assert.equal(made, 2);
    record.free();
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
