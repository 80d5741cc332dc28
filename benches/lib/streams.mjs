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
