// What a model is told, in one form: read from a request of OpenAI's chat completions and from the UI messages
// that toModelMessage makes, so that both can be compared.

/**
 * One item of what a model is told. System prompts are left out: they are no part of a session.
 *
 * @typedef {{ role: "user", texts: string[], media: string[] }
 *   | { role: "assistant", text: string, reasoning: string, calls: { id: string, name: string, input: unknown }[] }
 *   | { role: "tool", id: string, output: string }} Said
 */

const textOf = (content) =>
  typeof content === "string"
    ? content
    : (content ?? []).map((part) => part.text ?? JSON.stringify(part)).join("");

/** The arguments of a call; as text where they are not JSON. */
function inputOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Reads the messages of a request.
 *
 * @returns {Said[]}
 */
export function fromRequest(messages) {
  const said = [];
  for (const { role, content, reasoning_content, tool_calls = [], tool_call_id } of messages) {
    if (role === "user") {
      const list = typeof content === "string" ? [{ type: "text", text: content }] : content;
      const texts = list.filter(({ type }) => type === "text").map(({ text }) => text);
      const media = list.filter(({ type }) => type !== "text");
      said.push({ role, texts, media: media.map((part) => part.image_url?.url ?? part.type) });
    } else if (role === "assistant") {
      const calls = tool_calls.map(({ id, function: { name, arguments: text } }) => {
        return { id, name, input: inputOf(text) };
      });
      said.push({ role, text: textOf(content), reasoning: reasoning_content ?? "", calls });
    } else if (role === "tool") {
      said.push({ role, id: tool_call_id, output: textOf(content) });
    }
  }
  return said;
}

const joined = (parts, type) =>
  parts
    .filter((part) => part.type === type)
    .map(({ text }) => text)
    .join("");

/** One step of an assistant message: what it says and calls, and then the results. */
function stepOf(parts) {
  const tools = parts.filter(({ type }) => type.startsWith("tool-"));
  const text = joined(parts, "text");
  const reasoning = joined(parts, "reasoning");
  if (!text && !reasoning && tools.length === 0) return [];
  const calls = tools.map(({ type, toolCallId, input }) => {
    return { id: toolCallId, name: type.slice("tool-".length), input };
  });
  const results = tools.map(({ toolCallId, state, output, errorText }) => {
    return { role: "tool", id: toolCallId, output: state === "output-error" ? errorText : output };
  });
  return [{ role: "assistant", text, reasoning, calls }, ...results];
}

/**
 * Reads the UI messages that toModelMessage makes.
 *
 * @returns {Said[]}
 */
export function fromView(messages) {
  const said = [];
  for (const { role, parts } of messages) {
    if (role === "user") {
      const texts = parts.filter(({ type }) => type === "text").map(({ text }) => text);
      const media = parts.filter(({ type }) => type === "file").map(({ url }) => url);
      said.push({ role, texts, media });
      continue;
    }
    let step = [];
    for (const part of parts) {
      if (part.type !== "step-start") step.push(part);
      else {
        said.push(...stepOf(step));
        step = [];
      }
    }
    said.push(...stepOf(step));
  }
  return said;
}
