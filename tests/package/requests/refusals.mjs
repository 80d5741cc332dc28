// Why a provider would refuse a body, as its documentation and its errors say.
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isBlank = (text) => !/\S/.test(text);

function anthropic({ messages, max_tokens: most }) {
  const why = [];
  if (!(most > 0)) why.push("max_tokens is missing");
  if (messages[0] && messages[0].role !== "user") why.push("the first message is not the user's");
  const ids = new Set();
  messages.forEach(({ role, content }, at) => {
    if (messages[at - 1]?.role === role) why.push("two messages of one role");
    if (content.length === 0) why.push("an empty message");
    const next = messages[at + 1]?.content ?? [];
    const before = messages[at - 1]?.content ?? [];
    const own = new Set();
    let hasText = false;
    for (const block of content) {
      if (block.type === "text") {
        if (isBlank(block.text)) why.push("blank text");
        hasText = true;
      }
      if (block.type === "thinking" && typeof block.signature !== "string")
        why.push("no signature");
      if (block.type === "tool_use") {
        if (role !== "assistant") why.push("a call of the user");
        if (!/^[\w-]{1,64}$/.test(block.id)) why.push(`the id ${block.id}`);
        if (!/^[\w-]{1,128}$/.test(block.name)) why.push(`the name ${block.name}`);
        if (ids.has(block.id)) why.push("an id twice");
        ids.add(block.id);
        if (!isObject(block.input)) why.push("the input is not an object");
        const results = next.filter(
          ({ tool_use_id: id, type }) => type === "tool_result" && id === block.id,
        );
        if (results.length !== 1) why.push(`${results.length} results of one call`);
      }
      if (block.type === "tool_result") {
        if (role !== "user") why.push("a result of the model");
        if (hasText) why.push("text before a result");
        if (block.content === "" || block.content.length === 0) why.push("an empty result");
        if (!before.some(({ type, id }) => type === "tool_use" && id === block.tool_use_id))
          why.push("a result without its call");
      }
      if (/^(server|mcp)_tool_use$/.test(block.type)) own.add(block.id);
      else if (/._tool_result$/.test(block.type) && !own.delete(block.tool_use_id))
        why.push("a provider's result without its call");
    }
    if (own.size > 0 && at < messages.length - 1) why.push("a provider's call without its result");
    if (role === "assistant" && /thinking$/.test(content.at(-1)?.type))
      why.push("thinking at the end");
  });
  const last = messages.at(-1);
  const end = last?.content.at(-1);
  if (last?.role === "assistant" && end.type === "text" && end.text !== end.text.trimEnd())
    why.push("blanks at the end");
  return why;
}

function gemini({ contents }) {
  const why = [];
  if (contents[0] && contents[0].role !== "user") why.push("the first content is not the user's");
  contents.forEach(({ role, parts }, at) => {
    if (contents[at - 1]?.role === role) why.push("two contents of one role");
    if (parts.length === 0) why.push("an empty content");
    const calls = parts.filter(({ functionCall }) => functionCall);
    const responses = (contents[at + 1]?.parts ?? []).filter((one) => one.functionResponse);
    if (calls.length > 0 && responses.length !== calls.length) why.push("calls without responses");
    if (calls.length > 0 && !calls[0].thoughtSignature)
      why.push("a first call without a signature");
    for (const part of parts) {
      if (part.text === "" && !part.thoughtSignature) why.push("empty text");
      if (part.functionCall && !isObject(part.functionCall.args)) why.push("args is not an object");
      if (part.functionCall && !/^[A-Za-z_][\w.:-]{0,63}$/.test(part.functionCall.name))
        why.push(`the name ${part.functionCall.name}`);
      if (part.functionResponse && !(contents[at - 1]?.parts ?? []).some((one) => one.functionCall))
        why.push("a response without a call");
    }
  });
  return why;
}

function openAiResponses({ input, store }) {
  const why = [];
  const open = new Set();
  const calls = new Set();
  input.forEach((item, at) => {
    if (item.id?.length > 64) why.push("a long id of an item");
    if (item.call_id !== undefined && (item.call_id === "" || item.call_id.length > 64))
      why.push("a refused call_id");
    if (/^(function|custom_tool)_call$/.test(item.type)) {
      if (calls.has(item.call_id)) why.push("a call_id twice");
      calls.add(item.call_id);
      open.add(item.call_id);
      if (!/^[\w-]{1,64}$/.test(item.name)) why.push(`the name ${item.name}`);
      if (item.type === "function_call") JSON.parse(item.arguments);
    }
    if (/^(function|custom_tool)_call_output$/.test(item.type) && !open.delete(item.call_id))
      why.push("an output without its call");
    if (item.type === "reasoning") {
      if (!store && !item.encrypted_content) why.push("reasoning that is not encrypted");
      const next = input[at + 1];
      if (!next || next.role === "user" || /_output$/.test(next.type))
        why.push("reasoning without the item that follows it");
    }
  });
  if (open.size > 0) why.push("a call without an output");
  return why;
}

function openAiChat({ messages }, isMistral) {
  const why = [];
  let open = [];
  const ids = new Set();
  messages.forEach((message, at) => {
    if (message.role === "tool") {
      if (!open.includes(message.tool_call_id)) why.push("a result without its call");
      open = open.filter((id) => id !== message.tool_call_id);
      if (message.content === "") why.push("an empty result");
      return;
    }
    if (open.length > 0) why.push("a message before the results");
    open = [];
    if (message.role === "user" && message.content.length === 0) why.push("an empty message");
    if (isMistral && message.role === "user" && messages[at - 1]?.role === "tool")
      why.push("a user's message behind a tool's");
    if (message.role !== "assistant") return;
    const { content, tool_calls: calls, reasoning_content: thought } = message;
    const said =
      content || calls?.length || thought || message.reasoning || message.reasoning_details;
    if (!said) why.push("an empty answer");
    for (const { id, function: called } of calls ?? []) {
      if (isMistral ? !/^[A-Za-z0-9]{9}$/.test(id) : id === "" || id.length > 40)
        why.push(`the id ${id}`);
      if (ids.has(id)) why.push("an id twice");
      ids.add(id);
      open.push(id);
      if (!/^[\w-]{1,64}$/.test(called.name)) why.push(`the name ${called.name}`);
      if (!isObject(JSON.parse(called.arguments))) why.push("arguments are not an object");
    }
  });
  if (open.length > 0) why.push("a call without a result");
  return why;
}

const FORMATS = {
  anthropic,
  gemini,
  "openai-responses": openAiResponses,
  "openai-chat": openAiChat,
};

/** Why the provider refuses the body; empty if it takes it. */
export function refusals(format, body, isMistral = false) {
  const json = JSON.stringify(body);
  const why = FORMATS[format](body, isMistral);
  if (json.includes("\\u0000")) why.push("NUL");
  if (/\\ud[89a-f][0-9a-f]{2}/i.test(json)) why.push("a lone surrogate");
  return why;
}
