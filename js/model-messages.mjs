// The fast path of toModelMessage: plain messages are turned without a call of the module, of which
// the long way makes some twenty a message. The rules are those of src/convert/ui_messages.rs, which
// is asked about whatever is not of the plainest shape; a test holds the two against each other.

/** As in src/model/view.rs. */
const MAX_ELEMENTS = 1 << 24;
const CLEARED = "[Old tool result content cleared]";
const INTERRUPTED = "[Tool execution was interrupted]";

/** Thrown in here alone: the long way is to be gone. */
const ODD = Symbol("odd");

const { getPrototypeOf, prototype } = Object;

function isPlain(value) {
  return (
    typeof value === "object" &&
    value !== null &&
    getPrototypeOf(value) === prototype &&
    !Array.isArray(value)
  );
}

function plain(value) {
  if (!isPlain(value)) throw ODD;
  return value;
}

/** How many elements an array has: one that is a proxy may say anything. */
function lengthOf(list) {
  if (!Array.isArray(list)) throw ODD;
  const { length } = list;
  if (!Number.isSafeInteger(length) || length < 0 || length > MAX_ELEMENTS) throw ODD;
  return length;
}

function copy(to, key, value) {
  if (value !== undefined) to[key] = value;
}

/** What a part of the user's says to a model, if anything. */
function ofUser(part) {
  switch (part.type) {
    case "text": {
      if (part.ignored === true) return undefined;
      const made = { type: "text" };
      copy(made, "text", part.text);
      return made;
    }
    case "file": {
      const { mime } = part;
      if (mime === "text/plain" || mime === "application/x-directory") return undefined;
      const made = { type: "file" };
      copy(made, "url", part.url);
      copy(made, "mediaType", mime);
      copy(made, "filename", part.filename);
      return made;
    }
    case "compaction":
      return { type: "text", text: "What did we do so far?" };
    case "subtask":
      return { type: "text", text: "The following tool was executed by the user" };
    default:
      return undefined;
  }
}

/** What a tool call says, if its state is one. */
function ofTool(part) {
  const state = plain(part.state);
  const { status } = state;
  const isCompleted = status === "completed";
  if (!isCompleted && status !== "error" && status !== "pending" && status !== "running") {
    return undefined;
  }
  const { tool } = part;
  if (typeof tool !== "string") throw ODD;
  const made = {
    state: isCompleted ? "output-available" : "output-error",
    type: `tool-${tool}`,
  };
  copy(made, "toolCallId", part.callID);
  copy(made, "input", state.input);
  if (isCompleted) copy(made, "output", isCompacted(state) ? CLEARED : state.output);
  else if (status === "error") copy(made, "errorText", state.error);
  else made.errorText = INTERRUPTED;
  copy(made, "callProviderMetadata", part.metadata);
  return made;
}

function isCompacted({ time }) {
  return time !== undefined && Number.isFinite(plain(time).compacted);
}

/** Does it give files back, which go before the message as one of their own? */
function hasFiles({ type, state }) {
  if (type !== "tool" || state.status !== "completed") return false;
  const { attachments } = state;
  return attachments !== undefined && lengthOf(attachments) > 0 && !isCompacted(state);
}

function ofAssistant(part) {
  const { type } = part;
  if (type === "tool") return ofTool(part);
  if (type !== "text" && type !== "reasoning") return undefined;
  const made = { type };
  copy(made, "text", part.text);
  copy(made, "providerMetadata", part.metadata);
  return made;
}

/** Adds what a message says to `result`. */
function add(message, result, whole) {
  const info = plain(plain(message).info);
  const { parts } = message;
  const { role } = info;
  const length = lengthOf(parts);
  const isUser = role === "user";
  if (!isUser && role !== "assistant") return;
  const content = [];
  let isAnswered = false;
  let isWhole = true;
  for (let i = 0; i < length; i++) {
    const part = plain(parts[i]);
    const made = isUser ? ofUser(part) : ofAssistant(part);
    if (made !== undefined) content.push(made);
    isAnswered ||= part.type !== "step-start" && part.type !== "reasoning";
    if (!isUser && hasFiles(part)) isWhole = false;
  }
  if (!isWhole) {
    result.push(...whole([message]));
    return;
  }
  const { error } = info;
  const hasFailed = !isUser && error !== undefined && error !== null;
  if (content.length === 0 || (hasFailed && !isAnswered)) return;
  const { id } = info;
  result.push(id === undefined ? { role, parts: content } : { id, role, parts: content });
}

/** The model messages of plain messages; `undefined` where the long way (`whole`) is to be gone. */
export function modelMessages(input, whole) {
  const result = [];
  try {
    const length = lengthOf(input);
    for (let i = 0; i < length; i++) add(input[i], result, whole);
  } catch {
    // A getter that throws, a shape that is none: it is said there what is wrong.
    return undefined;
  }
  return result;
}
