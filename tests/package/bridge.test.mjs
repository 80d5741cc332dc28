// The guide into apex-bridge: its files compile and work against a stand-in that has the shapes that were met there
// (fragments of calls, `success` and `result`). That the changes of files fit is told by scripts/bridge.mjs alone, which
// applies them to a checkout.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { patched, slicesOf } from "../../scripts/bridge/guide.mjs";
import { at, consumer, run, tool } from "./helper.mjs";

const slices = slicesOf(readFileSync(at("docs", "guides", "apex-bridge.md"), "utf8"));
const blocks = slices.flatMap(({ blocks }) => blocks);

/** What the files of the guide import there. */
const STAND_IN = {
  "src/constants/index.ts": "export const DOOM_LOOP = { THRESHOLD: 3 } as const;\n",
  "src/core/tool-action/types.ts": `export interface ToolExecutionResult {
  success: boolean;
  toolName: string;
  result?: any;
  error?: string;
  executionTime: number;
}
`,
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

let folder;
before(async () => {
  const files = blocks.filter(({ language }) => language === "ts");
  folder = await consumer("bridge", {
    "tsconfig.json": JSON.stringify({ compilerOptions: OPTIONS, include: ["src"] }),
    "package.json": JSON.stringify({ type: "commonjs" }),
    ...STAND_IN,
    ...Object.fromEntries(files.map(({ path, text }) => [path, text])),
  });
  await run(process.execPath, [tool("typescript", "tsc"), "-p", "."], { quiet: true, cwd: folder });
});

/** What a file of the guide exports. */
const load = (...path) => createRequire(join(folder, "out", "x.js"))(join(folder, "out", ...path));

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
    const { readModelStream } = load("core", "llm", "adapters", "model-stream.js");
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
    const { createTextPart } = load("types", `${name}.js`);
    assert.equal(createTextPart({ sessionID: "s", messageID: "m", text: "Hi" }).type, "text");
  }
});

describe("the loop check", () => {
  const outcome = { success: true, toolName: "read", result: "the same", executionTime: 1 };

  /** The number of calls that are made until the run is interrupted. */
  async function callsUntilLoop(callOf, most = 10) {
    const { LoopCheck } = load("core", "stream-orchestrator", "loop-check.js");
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
    const { DoomLoopDetected } = load("core", "stream-orchestrator", "loop-check.js");
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
