// Streams of a given length, deterministic for the same arguments.

const WORDS = "the tool found what it was looking for and wrote it down before lunch ".split(" ");
const word = (i) => `${WORDS[i % WORDS.length]} `;

export const ndjson = (records) => `${records.map((r) => JSON.stringify(r)).join("\n")}\n`;

export function sse(records, named) {
  return records
    .map((r) => `${named ? `event: ${r.type}\n` : ""}data: ${JSON.stringify(r)}\n\n`)
    .join("");
}

/** Deltas of the contract's shape, about 160 bytes each. */
export function deltas(n, kind = "text") {
  const runId = "0198c3f0-8d5e-7cc1-b5d1-0a2b3c4d5e6f";
  const timestamp = "2025-02-17T08:00:00.000Z";
  const list = [];
  const add = (kind, payload) => {
    list.push({ runId, seq: list.length + 1, kind, payload, timestamp });
  };
  add("start", { modelId: "m", requestId: "r" });
  if (kind === "tool") {
    add("tool_call_start", { toolCallId: "call_1", toolName: "write" });
    add("tool_call_args", { toolCallId: "call_1", argsTextDelta: '{"content":"' });
    for (let i = 0; i < n; i++) {
      add("tool_call_args", { toolCallId: "call_1", argsTextDelta: word(i) });
    }
    add("tool_call_args", { toolCallId: "call_1", argsTextDelta: '"}' });
    add("tool_call_end", { toolCallId: "call_1" });
  } else {
    for (let i = 0; i < n; i++) add("text", { textDelta: word(i) });
  }
  add("usage", { inputTokens: 1, outputTokens: n, totalTokens: n + 1 });
  add("done", { finishReason: "stop" });
  return list;
}

/** Events of Anthropic's Messages API. */
export function anthropicEvents(n, kind) {
  const tool = kind !== "text";
  const block = tool
    ? { type: "tool_use", id: "toolu_1", name: "write", input: {} }
    : { type: "text", text: "" };
  const delta = (text) =>
    tool ? { type: "input_json_delta", partial_json: text } : { type: "text_delta", text };
  const piece = (text) => ({ type: "content_block_delta", index: 0, delta: delta(text) });
  const usage = { input_tokens: 10, output_tokens: 1 };
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    usage,
  };
  const stop = { stop_reason: tool ? "tool_use" : "end_turn", stop_sequence: null };
  return [
    { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: "content_block_start", index: 0, content_block: block },
    ...(tool ? [piece('{"content":"')] : []),
    ...Array.from({ length: n }, (_, i) => piece(word(i))),
    ...(tool ? [piece('"}')] : []),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: stop, usage: { output_tokens: n } },
    { type: "message_stop" },
  ];
}

/** Chunks of the AI SDK's UI message stream. */
export function uiChunks(n, kind) {
  const words = Array.from({ length: n }, (_, i) => word(i));
  const text = words.map((delta) => ({ type: "text-delta", id: "t", delta }));
  const tool = ['{"content":"', ...words, '"}'].map((inputTextDelta) => ({
    type: "tool-input-delta",
    toolCallId: "call_1",
    inputTextDelta,
  }));
  const call = { toolCallId: "call_1", toolName: "write" };
  const middle =
    kind === "text"
      ? [{ type: "text-start", id: "t" }, ...text, { type: "text-end", id: "t" }]
      : [
          { type: "tool-input-start", ...call },
          ...tool,
          { type: "tool-input-available", ...call, input: { content: words.join("") } },
        ];
  return [
    { type: "start", messageId: "m" },
    { type: "start-step" },
    ...middle,
    { type: "finish-step" },
    { type: "finish" },
  ];
}

/** A stream of each format that came later, with `n` pieces of text, as its server sends it. */
export function answers(n) {
  const words = Array.from({ length: n }, (_, i) => word(i));
  const at = "2026-01-01T00:00:00.000000000Z";
  const usage = { inputTokens: 10, outputTokens: n, totalTokens: n + 10 };
  return {
    bedrock: converse(words, usage),
    ollama: [
      ...words.map((content, i) => ({
        ...{ model: "llama3.2", created_at: at.replace("000000", `${100_000 + i}`) },
        message: { role: "assistant", content },
        done: false,
      })),
      {
        ...{ model: "llama3.2", created_at: at, message: { role: "assistant", content: "" } },
        ...{ done: true, done_reason: "stop", prompt_eval_count: 10, eval_count: n },
      },
    ],
    cohere: [
      { id: "m", type: "message-start", delta: { message: { role: "assistant", content: [] } } },
      ...words.map((text) => ({
        type: "content-delta",
        index: 0,
        delta: { message: { content: { text } } },
      })),
      {
        type: "message-end",
        delta: {
          finish_reason: "COMPLETE",
          usage: { tokens: { input_tokens: 10, output_tokens: n } },
        },
      },
    ],
    "gemini-interactions": [
      {
        event_type: "interaction.created",
        interaction: { id: "i", model: "gemini-3", status: "in_progress" },
      },
      { event_type: "step.start", index: 0, step: { type: "model_output" } },
      ...words.map((text) => ({
        event_type: "step.delta",
        index: 0,
        delta: { type: "text", text },
      })),
      { event_type: "step.stop", index: 0 },
      { event_type: "interaction.completed", interaction: { id: "i", status: "completed" } },
    ],
    "ag-ui": [
      { type: "RUN_STARTED", threadId: "t", runId: "r" },
      { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" },
      ...words.map((delta) => ({ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta })),
      { type: "TEXT_MESSAGE_END", messageId: "m" },
      { type: "RUN_FINISHED", threadId: "t", runId: "r" },
    ],
    "ai-sdk": [
      { type: "stream-start", warnings: [] },
      { type: "text-start", id: "0" },
      ...words.map((delta) => ({ type: "text-delta", id: "0", delta })),
      { type: "text-end", id: "0" },
      { type: "finish", finishReason: "stop", usage },
    ],
  };
}

// Bedrock's servers pad their records to hide the lengths of the texts.
const PADDING = "abcdefghijklmnopqrstuvwxyz";

const converse = (words, usage) => [
  { messageStart: { role: "assistant" } },
  ...words.map((text, i) => ({
    contentBlockDelta: { contentBlockIndex: 0, delta: { text }, p: PADDING.slice(0, i % 26) },
  })),
  { contentBlockStop: { contentBlockIndex: 0 } },
  { messageStop: { stopReason: "end_turn" } },
  { metadata: { usage, metrics: { latencyMs: 100 } } },
];

/** The records of Bedrock in frames of Amazon's event stream. */
export function frames(n) {
  const words = Array.from({ length: n }, (_, i) => word(i));
  const records = converse(words, { inputTokens: 10, outputTokens: n, totalTokens: n + 10 });
  return Buffer.concat(records.map((record) => frame(Object.entries(record)[0])));
}

function frame([name, value]) {
  const headers = Buffer.concat(
    Object.entries({
      ":event-type": name,
      ":content-type": "application/json",
      ":message-type": "event",
    }).map(([key, text]) => {
      const length = Buffer.from([7, text.length >> 8, text.length & 255]);
      return Buffer.concat([
        Buffer.from([key.length]),
        Buffer.from(key),
        length,
        Buffer.from(text),
      ]);
    }),
  );
  const payload = Buffer.from(JSON.stringify(value));
  const out = Buffer.alloc(16 + headers.length + payload.length);
  out.writeUInt32BE(out.length, 0);
  out.writeUInt32BE(headers.length, 4);
  out.writeUInt32BE(crc32(out.subarray(0, 8)), 8);
  headers.copy(out, 12);
  payload.copy(out, 12 + headers.length);
  out.writeUInt32BE(crc32(out.subarray(0, -4)), out.length - 4);
  return out;
}

function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
