// OpenAI's chat completions, as OpenCode asks for them: it needs no package beside its own.

const PATH = /\/chat\/completions(\?|$)/;

/**
 * What a request is for. A step offers tools. A summary and a title do not; the title's says in its system
 * prompt what it is.
 */
function kindOf({ tools = [], messages = [] }) {
  if (tools.length > 0) return "step";
  const system = messages.find(({ role }) => role === "system")?.content;
  return /\btitle generator\b/.test(JSON.stringify(system)) ? "title" : "summary";
}

const tokensOf = ({ messages, tools }) => Math.ceil(JSON.stringify({ messages, tools }).length / 4);

function* events({ text, reasoning, calls = [], input = 100, output = 10 }) {
  const event = (delta, finish_reason = null, usage = undefined) => {
    const of = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "script" };
    const choices = [{ index: 0, delta, finish_reason }];
    return `data: ${JSON.stringify({ ...of, choices, usage })}\n\n`;
  };
  yield event({ role: "assistant", content: "" });
  for (const piece of [reasoning ?? []].flat()) yield event({ reasoning_content: piece });
  for (const piece of [text ?? []].flat()) yield event({ content: piece });
  for (const [index, { id, name, input }] of calls.entries()) {
    const call = { name, arguments: JSON.stringify(input) };
    yield event({ tool_calls: [{ index, id, type: "function", function: call }] });
  }
  const tokens = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  yield event({}, calls.length > 0 ? "tool_calls" : "stop", tokens);
  yield "data: [DONE]\n\n";
}

const refusal = (_status, message) => ({ error: { message, type: "invalid_request_error" } });

export const openaiChat = { path: PATH, kindOf, tokensOf, events, refusal };
