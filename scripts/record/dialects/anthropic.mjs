// Anthropic's Messages, as Claude Code asks for them.

const PATH = /\/v1\/messages(\?|$)/;

/** A request without tools is for a title, or whether a topic is new. */
const kindOf = ({ tools = [] }) => (tools.length > 0 ? "step" : "title");

function usage({ input = 100, output = 10, cached = 0, written = 0 }) {
  const input_tokens = Math.max(0, input - cached - written);
  return {
    ...{ input_tokens, output_tokens: output },
    ...{ cache_creation_input_tokens: written, cache_read_input_tokens: cached },
  };
}

function blocks({ reasoning, text, calls = [] }) {
  const list = [];
  if (reasoning)
    list.push({ type: "thinking", thinking: [reasoning].flat(), signature: "c2lnbmVk" });
  if (text) list.push({ type: "text", text: [text].flat() });
  for (const { id, name, input } of calls) list.push({ type: "tool_use", id, name, input });
  return list;
}

function* pieces(block) {
  if (block.type === "thinking") {
    for (const thinking of block.thinking) yield { type: "thinking_delta", thinking };
    yield { type: "signature_delta", signature: block.signature };
  } else if (block.type === "text") {
    for (const text of block.text) yield { type: "text_delta", text };
  } else {
    yield { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
  }
}

const EMPTY = {
  thinking: { thinking: "", signature: "" },
  text: { text: "" },
  tool_use: { input: {} },
};

function* events(answer, { model }, id) {
  const event = (type, rest) => `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
  const tokens = usage(answer);
  const message = { id: `msg_${id}`, type: "message", role: "assistant", model, content: [] };
  const open = { stop_reason: null, stop_sequence: null, usage: { ...tokens, output_tokens: 1 } };
  yield event("message_start", { message: { ...message, ...open } });
  for (const [index, block] of blocks(answer).entries()) {
    const content_block = { ...block, ...EMPTY[block.type] };
    yield event("content_block_start", { index, content_block });
    for (const delta of pieces(block)) yield event("content_block_delta", { index, delta });
    yield event("content_block_stop", { index });
  }
  const stop_reason = answer.calls ? "tool_use" : "end_turn";
  yield event("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: tokens });
  yield event("message_stop", {});
}

/** The whole answer, to a request that does not stream. */
function whole(answer, { model }, id) {
  const content = blocks(answer).map((block) => ({
    ...block,
    ...(block.thinking && { thinking: block.thinking.join("") }),
    ...(Array.isArray(block.text) && { text: block.text.join("") }),
  }));
  const stop_reason = answer.calls ? "tool_use" : "end_turn";
  const message = { id: `msg_${id}`, type: "message", role: "assistant", model, content };
  return { ...message, stop_reason, stop_sequence: null, usage: usage(answer) };
}

const refusal = (status, message) => ({
  type: "error",
  error: { type: status >= 500 ? "api_error" : "invalid_request_error", message },
});

export const anthropic = { path: PATH, kindOf, events, whole, refusal };
