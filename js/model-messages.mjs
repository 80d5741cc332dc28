// The fast path of toModelMessage: converts plain messages without calling the module, which the slow path
// does some twenty times for each message. The rules are those of crates/ui-messages/src/ui_messages.rs, to which
// anything but plain messages is left. It must equal it, proven by tests/package/model-messages.test.mjs.
import { CLEARED_TOOL_RESULT } from "../ts/compaction/cleared.ts";

/** As in crates/model/src/view.rs. */
const MAX_ELEMENTS = 1 << 24;
/** What a model sees of a call that has no result. */
const INTERRUPTED = "[Tool execution was interrupted]";

/** Thrown and caught in this file only: the slow path must convert this. */
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

/** The length of an array; a proxy may give anything. */
function lengthOf(list) {
  if (!Array.isArray(list)) throw ODD;
  const { length } = list;
  if (!Number.isSafeInteger(length) || length < 0 || length > MAX_ELEMENTS) throw ODD;
  return length;
}

function copy(to, key, value) {
  if (value !== undefined) to[key] = value;
}

/** The part of a UI message for a part of the user; undefined if it has none. */
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

/** The part of a UI message for a tool call; undefined if its state is unknown. */
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
  if (isCompleted) copy(made, "output", isCompacted(state) ? CLEARED_TOOL_RESULT : state.output);
  else if (status === "error") copy(made, "errorText", state.error);
  else made.errorText = INTERRUPTED;
  copy(made, "callProviderMetadata", part.metadata);
  return made;
}

function isCompacted({ time }) {
  return time !== undefined && Number.isFinite(plain(time).compacted);
}

/** Whether it returned files, which become a message of their own before this one. */
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

/** Adds the UI message of a message to `result`; `slowPath` converts messages with files. */
function add(message, result, slowPath) {
  const info = plain(plain(message).info);
  const { parts } = message;
  const { role } = info;
  const length = lengthOf(parts);
  const isUser = role === "user";
  if (!isUser && role !== "assistant") return;
  const content = [];
  let isAnswered = false;
  let isPlainMessage = true;
  for (let i = 0; i < length; i++) {
    const part = plain(parts[i]);
    const made = isUser ? ofUser(part) : ofAssistant(part);
    if (made !== undefined) content.push(made);
    isAnswered ||= part.type !== "step-start" && part.type !== "reasoning";
    if (!isUser && hasFiles(part)) isPlainMessage = false;
  }
  if (!isPlainMessage) {
    result.push(...slowPath([message]));
    return;
  }
  const { error } = info;
  const hasFailed = !isUser && error !== undefined && error !== null;
  if (content.length === 0 || (hasFailed && !isAnswered)) return;
  const { id } = info;
  result.push(id === undefined ? { role, parts: content } : { id, role, parts: content });
}

/** The UI messages of plain messages; undefined if the slow path must convert them all. */
export function modelMessages(input, slowPath) {
  const result = [];
  try {
    const length = lengthOf(input);
    for (let i = 0; i < length; i++) add(input[i], result, slowPath);
  } catch {
    // A getter that throws, an unexpected shape: the slow path gives the error.
    return undefined;
  }
  return result;
}
