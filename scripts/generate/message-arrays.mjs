// Messages for models: one JSON array in each format.

/** What a session says, without what these formats have no place for. */
function turnsOf({ info, parts }) {
  const says = parts.flatMap((part) => {
    if (part.type === "text" || part.type === "reasoning") return [part];
    // A call that is running has no result, without which a history cannot go on.
    return part.type === "tool" && part.state.status !== "running" ? [part] : [];
  });
  return info.error ? { role: info.role, says: [] } : { role: info.role, says };
}

/** The text of a call's result, and whether it failed. */
const resultOf = ({ state }) =>
  state.status === "error"
    ? { output: state.error, failed: true }
    : { output: state.output, failed: false };

const ofType = (says, type) => says.filter((part) => part.type === type);
const textOf = (says) =>
  ofType(says, "text")
    .map(({ text }) => text)
    .join("\n");

/** A file of such messages; `messagesOf` gives those of a message of the session. */
const array = (messagesOf) => ({
  ids: "uuid",
  head: () => "[",
  message: (message, state) => {
    const turns = turnsOf(message);
    if (turns.says.length === 0) return "";
    let out = "";
    for (const one of messagesOf(turns, message))
      out += (state.count++ === 0 ? "\n" : ",\n") + JSON.stringify(one);
    return out;
  },
  foot: () => "\n]\n",
});

const anthropic = array(function* ({ role, says }) {
  const content = says.map((part) => {
    if (part.type === "text") return { type: "text", text: part.text };
    if (part.type === "reasoning")
      return { type: "thinking", thinking: part.text, signature: "c2lnbmVk" };
    return { type: "tool_use", id: part.callID, name: part.tool, input: part.state.input };
  });
  yield { role, content };
  const results = ofType(says, "tool").map((part) => {
    const { output: content, failed: is_error } = resultOf(part);
    return { type: "tool_result", tool_use_id: part.callID, content, is_error };
  });
  if (results.length > 0) yield { role: "user", content: results };
});

const openaiChat = array(function* ({ role, says }) {
  const calls = ofType(says, "tool");
  const tool_calls = calls.map(({ callID: id, tool: name, state }) => ({
    ...{ id, type: "function", function: { name, arguments: JSON.stringify(state.input) } },
  }));
  const content = textOf(says);
  yield { role, content, ...(tool_calls.length > 0 && { tool_calls }) };
  for (const part of calls)
    yield { role: "tool", tool_call_id: part.callID, content: resultOf(part).output };
});

const openaiResponses = array(function* ({ role, says }) {
  const type = role === "user" ? "input_text" : "output_text";
  for (const part of says) {
    if (part.type === "text") {
      yield { type: "message", role, content: [{ type, text: part.text }] };
    } else if (part.type === "reasoning") {
      const summary = [{ type: "summary_text", text: part.text }];
      yield { type: "reasoning", id: `rs_${part.id}`, summary, encrypted_content: "c2VhbGVk" };
    } else {
      const { callID: call_id, tool: name, state } = part;
      yield { type: "function_call", call_id, name, arguments: JSON.stringify(state.input) };
    }
  }
  for (const part of ofType(says, "tool"))
    yield { type: "function_call_output", call_id: part.callID, output: resultOf(part).output };
});

const gemini = array(function* ({ role, says }) {
  const parts = says.map((part) => {
    if (part.type === "text") return { text: part.text };
    if (part.type === "reasoning") return { text: part.text, thought: true };
    const { callID: id, tool: name, state } = part;
    return { functionCall: { id, name, args: state.input } };
  });
  yield { role: role === "user" ? "user" : "model", parts };
  const results = ofType(says, "tool").map((part) => {
    const { output, failed } = resultOf(part);
    const response = failed ? { error: output } : { output };
    return { functionResponse: { id: part.callID, name: part.tool, response } };
  });
  if (results.length > 0) yield { role: "user", parts: results };
});

const aiSdk = array(function* ({ role, says }, { info: { id } }) {
  const parts = says.map((part) => {
    const { type, text } = part;
    if (type !== "tool") return { type, text, state: "done" };
    const { output, failed } = resultOf(part);
    const own = { type: `tool-${part.tool}`, toolCallId: part.callID, input: part.state.input };
    return failed
      ? { ...own, state: "output-error", errorText: output }
      : { ...own, state: "output-available", output };
  });
  yield { id, role, parts };
});

const aiSdkModel = array(function* ({ role, says }) {
  const content = says.map((part) => {
    if (part.type !== "tool") return { type: part.type, text: part.text };
    const { callID: toolCallId, tool: toolName, state } = part;
    return { type: "tool-call", toolCallId, toolName, input: state.input };
  });
  yield { role, content };
  const results = ofType(says, "tool").map((part) => {
    const { output: value, failed } = resultOf(part);
    const output = { type: failed ? "error-text" : "text", value };
    return { type: "tool-result", toolCallId: part.callID, toolName: part.tool, output };
  });
  if (results.length > 0) yield { role: "tool", content: results };
});

/** Conversations say texts only. */
const shareGpt = array(function* ({ role, says }) {
  const value = textOf(says);
  if (value !== "") yield { from: role === "user" ? "human" : "gpt", value };
});

export const MESSAGE_ARRAYS = {
  "messages-anthropic": anthropic,
  "messages-openai-chat": openaiChat,
  "messages-openai-responses": openaiResponses,
  "messages-gemini": gemini,
  "messages-ai-sdk": aiSdk,
  "messages-ai-sdk-model": aiSdkModel,
  "messages-sharegpt": shareGpt,
};
