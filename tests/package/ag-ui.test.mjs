// toAgUi: the deltas of any response as events that AG-UI accepts, and that say the same when they are read back.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { before, describe, test } from "node:test";
import { EventSchemas } from "@ag-ui/core/schemas";
import fc from "fast-check";
import { recordedFiles } from "../recorded.mjs";
import { at } from "./helper.mjs";
import { load, parts, seen, streamAt, taken } from "./stream-laws.mjs";

before(() => load("ag-ui"));

const own = readdirSync(at("tests/fixtures/streams"))
  .filter((name) => name.endsWith(".sse"))
  .map((name) => at("tests/fixtures/streams", name));
const STREAMS = [...own, ...recordedFiles("providers", /\.sse$/)].map(streamAt);

/** The deltas of each response of a stream. */
function responses({ format, bytes }) {
  const runs = new Map();
  for (const delta of parts.readDeltas(format, bytes, { onProblem: "collect" })) {
    runs.set(delta.runId, [...(runs.get(delta.runId) ?? []), delta]);
  }
  return [...runs.values()];
}

const sse = (events) =>
  Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""));

/** Parts without what AG-UI has no place for: custom parts, state, and where one text ends and the next begins. */
function shown(list) {
  const made = [];
  for (const { kind, payload } of list) {
    const { provider: _, ...more } = payload;
    const last = made.at(-1);
    if (kind === "custom" || more.text === "") continue;
    if (last?.kind === kind && more.text !== undefined) last.payload.text += more.text;
    else made.push({ kind, payload: more });
  }
  return made;
}

/** What deltas say that AG-UI has a place for. */
function said(t, deltas) {
  const { preview } = seen(taken(t, deltas, { onProblem: "collect" }));
  const { usage, error } = preview.meta ?? {};
  const { cost: _, ...counts } = usage ?? {};
  return {
    parts: shown(preview.parts),
    usage: usage && counts,
    error: error && {
      errorCode: error.errorCode,
      message: error.message,
      retryable: error.retryable,
    },
  };
}

function readBack(t, events) {
  const assembler = taken(t, [], { format: "ag-ui", onProblem: "collect" });
  assembler.pushBytes(sse(events));
  assembler.end();
  return assembler;
}

describe("the deltas of any response", () => {
  test("are events that AG-UI accepts, and say the same when they are read back", (t) => {
    let count = 0;
    for (const stream of STREAMS) {
      for (const deltas of responses(stream)) {
        if (deltas.length === 0) continue;
        const where = `${stream.path} ${deltas[0].payload.requestId}`;
        const events = parts.toAgUi(deltas, { threadId: "t" });
        for (const event of events) {
          const { success, error } = EventSchemas.safeParse(event);
          assert.ok(success, `${where}: ${JSON.stringify(event)}: ${error?.message}`);
        }
        const ends = ["done", "error"].includes(deltas.at(-1).kind);
        if (!ends) continue;
        const { preview } = seen(readBack(t, events));
        const { usage, error } = preview.meta ?? {};
        const want = said(t, deltas);
        const { details: _, ...same } = error ?? {};
        assert.deepEqual(
          {
            parts: preview.parts,
            usage,
            error: error && {
              errorCode: same.errorCode,
              message: same.message,
              retryable: same.retryable,
            },
          },
          want,
          where,
        );
        count += 1;
      }
    }
    assert.ok(count > 30, `${count} responses`);
  });

  test("of several responses are several runs", () => {
    const stream = STREAMS.find(({ path }) => path.endsWith("responses.anthropic.sse"));
    const deltas = parts.readDeltas(stream.format, stream.bytes, { onProblem: "collect" });
    const starts = parts.toAgUi(deltas).filter(({ type }) => type === "RUN_STARTED");
    assert.deepEqual(
      starts.map(({ runId, threadId }) => [runId, threadId]),
      [...new Set(deltas.map(({ runId }) => runId))].map((id) => [id, id]),
    );
  });
});

const head = (seq) => ({ runId: "run-1", seq, timestamp: "2026-01-01T00:00:00Z" });
const AT = { timestamp: Date.UTC(2026, 0, 1) };
const made = (...payloads) =>
  payloads.map(([kind, payload], index) => ({ ...head(index + 1), kind, payload }));

test("a message with everything", () => {
  const deltas = made(
    ["start", { modelId: "m", requestId: "r" }],
    ["thinking", { textDelta: "Two " }],
    ["thinking", { textDelta: "files." }],
    ["text", { textDelta: "" }],
    ["text", { textDelta: "Read." }],
    ["tool_call_start", { toolCallId: "c", toolName: "read" }],
    ["tool_call_args", { toolCallId: "c", argsTextDelta: "" }],
    ["tool_call_args", { toolCallId: "c", argsTextDelta: "{}" }],
    ["tool_call_end", { toolCallId: "c" }],
    ["tool_call_start", { toolCallId: "d", toolName: "ask" }],
    ["usage", { inputTokens: 3, outputTokens: 4, totalTokens: 7, cacheReadTokens: 1 }],
    ["usage", { inputTokens: 0, outputTokens: 1, totalTokens: 1, reasoningTokens: 1, cost: 1 }],
    [
      "done",
      {
        finishReason: "length",
        meta: { toolResults: [{ toolCallId: "c", isError: false, content: { n: 1 } }] },
      },
    ],
  );
  const ids = { threadId: "t", runId: "run-1" };
  assert.deepEqual(parts.toAgUi(deltas, { threadId: "t" }), [
    { type: "RUN_STARTED", ...ids, ...AT },
    { type: "REASONING_MESSAGE_START", messageId: "run-1-1", role: "reasoning", ...AT },
    { type: "REASONING_MESSAGE_CONTENT", messageId: "run-1-1", delta: "Two ", ...AT },
    { type: "REASONING_MESSAGE_CONTENT", messageId: "run-1-1", delta: "files.", ...AT },
    { type: "REASONING_MESSAGE_END", messageId: "run-1-1", ...AT },
    { type: "TEXT_MESSAGE_START", messageId: "run-1-2", role: "assistant", ...AT },
    { type: "TEXT_MESSAGE_CONTENT", messageId: "run-1-2", delta: "Read.", ...AT },
    { type: "TEXT_MESSAGE_END", messageId: "run-1-2", ...AT },
    { type: "TOOL_CALL_START", toolCallId: "c", toolCallName: "read", ...AT },
    { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: "{}", ...AT },
    { type: "TOOL_CALL_END", toolCallId: "c", ...AT },
    { type: "TOOL_CALL_START", toolCallId: "d", toolCallName: "ask", ...AT },
    { type: "TOOL_CALL_END", toolCallId: "d", ...AT },
    {
      type: "TOOL_CALL_RESULT",
      messageId: "run-1-3",
      toolCallId: "c",
      role: "tool",
      content: '{"n":1}',
      ...AT,
    },
    {
      type: "RUN_FINISHED",
      ...ids,
      outcome: { type: "success", pendingToolCallIds: ["d"] },
      usage: [
        {
          ...{ model: "m", inputTokens: 3, outputTokens: 5, totalTokens: 8 },
          ...{ cachedInputTokens: 1, reasoningTokens: 1 },
        },
      ],
      metadata: { finishReason: "length" },
      ...AT,
    },
  ]);
});

test("an error ends the run", () => {
  const events = parts.toAgUi(
    made(["text", { textDelta: "Hi" }], ["error", { errorCode: "overloaded", message: "later" }]),
  );
  assert.deepEqual(
    events.map(({ type }) => type),
    ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_ERROR"],
  );
  assert.deepEqual(events.at(-1), {
    type: "RUN_ERROR",
    code: "overloaded",
    message: "later",
    ...AT,
  });
});

test("what is not a list of deltas is refused, whatever it is", () => {
  for (const value of [undefined, null, 7, "text", {}, [7], [null], [{}], [{ kind: "text" }]]) {
    assert.throws(
      () => parts.toAgUi(value),
      { name: "PartValidationError" },
      JSON.stringify(value),
    );
  }
  assert.throws(() => parts.toAgUi([], { threadId: 7 }), { name: "PartValidationError" });
  assert.throws(() => parts.toAgUi(made(["text", {}])), /textDelta/);
  assert.deepEqual(parts.toAgUi([]), []);
  fc.assert(
    fc.property(fc.array(fc.object()), (deltas) => {
      try {
        parts.toAgUi(deltas);
      } catch (error) {
        assert.equal(error.name, "PartValidationError");
      }
    }),
  );
});

describe("parts that are taken back", () => {
  const texts = (deltas) =>
    parts
      .toAgUi(deltas)
      .filter(({ delta }) => delta !== undefined)
      .map(({ delta }) => delta);

  test("are left out, and what comes again stands once", () => {
    const deltas = made(
      ["start", { modelId: "m", requestId: "r" }],
      ["text", { textDelta: "kept", block: 0 }],
      ["text", { textDelta: "wrong", block: 1 }],
      ["tool_call_start", { toolCallId: "c", toolName: "read" }],
      ["tool_call_args", { toolCallId: "c", argsTextDelta: "{}" }],
      // More of a part that stays, behind the first that goes.
      ["text", { textDelta: " whole", block: 0 }],
      ["reset", { since: 3 }],
      ["text", { textDelta: "right", block: 1 }],
      ["tool_call_start", { toolCallId: "c", toolName: "read" }],
      ["tool_call_args", { toolCallId: "c", argsTextDelta: "[]" }],
      ["tool_call_end", { toolCallId: "c" }],
      ["done", { finishReason: "stop" }],
    );
    assert.deepEqual(texts(deltas), ["kept", " whole", "right", "[]"]);
  });

  test("by one reset after another", () => {
    const deltas = made(
      ["start", { modelId: "m", requestId: "r" }],
      ["text", { textDelta: "one" }],
      ["reset", { since: 2 }],
      ["text", { textDelta: "two" }],
      ["thinking", { textDelta: "three" }],
      ["reset", { since: 5 }],
      // Without a block, text goes on with the last part that is left.
      ["text", { textDelta: "four" }],
      ["reset", { since: 9 }],
      ["done", { finishReason: "stop" }],
    );
    assert.deepEqual(texts(deltas), ["two", "four"]);
  });

  test("are those of one message alone", () => {
    const first = made(["start", { modelId: "m", requestId: "r" }], ["text", { textDelta: "one" }]);
    assert.deepEqual(texts([...first, ...made(["start", { modelId: "m", requestId: "r" }])]), [
      "one",
    ]);
  });
});
