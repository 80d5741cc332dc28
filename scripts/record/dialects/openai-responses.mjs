// OpenAI's Responses, as Codex and the Copilot CLI ask for them.

const PATH = /\/responses(\?|$)/;

const kindOf = ({ tools = [] }) => (tools.length > 0 ? "step" : "title");

function* events(answer, { model }, id) {
  const { reasoning, text, calls = [], input = 100, output = 10, cached = 0 } = answer;
  let sequence_number = 0;
  const event = (type, rest) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...rest })}\n\n`;
  const response = { id: `resp_${id}`, object: "response", created_at: 1, model };
  yield event("response.created", { response: { ...response, status: "in_progress", output: [] } });
  const items = [];
  const add = function* (item, middle = []) {
    const output_index = items.length;
    yield event("response.output_item.added", {
      output_index,
      item: { ...item, status: "in_progress" },
    });
    for (const [type, rest] of middle)
      yield event(type, { output_index, item_id: item.id, ...rest });
    items.push(item);
    yield event("response.output_item.done", { output_index, item });
  };
  if (reasoning) {
    const all = [reasoning].flat().join("");
    const summary = [{ type: "summary_text", text: all }];
    const middle = [["response.reasoning_summary_text.delta", { summary_index: 0, delta: all }]];
    const item = { id: `rs_${id}`, type: "reasoning", summary, encrypted_content: "c2VhbGVk" };
    yield* add(item, middle);
  }
  if (text) {
    const pieces = [text].flat();
    const middle = pieces.map((delta) => [
      "response.output_text.delta",
      { content_index: 0, delta },
    ]);
    const content = [{ type: "output_text", text: pieces.join(""), annotations: [] }];
    yield* add(
      { id: `msg_${id}`, type: "message", role: "assistant", status: "completed", content },
      middle,
    );
  }
  for (const [index, call] of calls.entries()) {
    const of = { id: `fc_${id}_${index}`, call_id: call.id, name: call.name, status: "completed" };
    const item =
      typeof call.input === "string"
        ? { ...of, type: "custom_tool_call", input: call.input }
        : { ...of, type: "function_call", arguments: JSON.stringify(call.input) };
    yield* add({ ...item, ...(call.namespace && { namespace: call.namespace }) });
  }
  const usage = {
    ...{ input_tokens: input, input_tokens_details: { cached_tokens: cached } },
    ...{ output_tokens: output, output_tokens_details: { reasoning_tokens: reasoning ? 4 : 0 } },
    total_tokens: input + output,
  };
  yield event("response.completed", {
    response: { ...response, status: "completed", output: items, usage, error: null },
  });
}

const refusal = (status, message) => ({
  error: { message, type: status >= 500 ? "server_error" : "invalid_request_error", code: null },
});

export const openaiResponses = { path: PATH, kindOf, events, refusal };
