// The fast path of toModelMessage: converts plain messages without calling the module, which the slow path
// does some twenty times for each message. The rules are those of crates/ui-messages/src/ui_messages.rs, to which
// anything but plain messages is left. It must equal it, proven by tests/package/model-messages.test.mjs.
import type { UIMessage } from "apex-parts:glue";
import { CLEARED_TOOL_RESULT } from "../compaction/cleared.ts";

/** As in crates/model/src/view.rs. */
const MAX_ELEMENTS = 1 << 24;
/** What a model sees of a call that has no result. */
const INTERRUPTED = "[Tool execution was interrupted]";

/** Thrown and caught in this file only: the slow path must convert this. */
const ODD = Symbol("odd");

const { getPrototypeOf, prototype } = Object;

/** An object of which nothing is known. */
type Fields = { [field: string]: unknown };

function isPlain(value: unknown): value is Fields {
  return (
    typeof value === "object" &&
    value !== null &&
    getPrototypeOf(value) === prototype &&
    !Array.isArray(value)
  );
}

function plain(value: unknown): Fields {
  if (!isPlain(value)) throw ODD;
  return value;
}

/** The length of an array; a proxy may give anything. */
function lengthOf(list: unknown) {
  if (!Array.isArray(list)) throw ODD;
  const { length } = list;
  if (!Number.isSafeInteger(length) || length < 0 || length > MAX_ELEMENTS) throw ODD;
  return length;
}

function copy(to: Fields, key: string, value: unknown) {
  if (value !== undefined) to[key] = value;
}

/** The part of a UI message for a part of the user; undefined if it has none. */
function ofUser(part: Fields) {
  switch (part.type) {
    case "text": {
      if (part.ignored === true) return undefined;
      const text: Fields = { type: "text" };
      copy(text, "text", part.text);
      return text;
    }
    case "file": {
      const { mime } = part;
      if (mime === "text/plain" || mime === "application/x-directory") return undefined;
      const file: Fields = { type: "file" };
      copy(file, "url", part.url);
      copy(file, "mediaType", mime);
      copy(file, "filename", part.filename);
      return file;
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
function ofTool(part: Fields) {
  const state = plain(part.state);
  const { status } = state;
  const isCompleted = status === "completed";
  if (!isCompleted && status !== "error" && status !== "pending" && status !== "running") {
    return undefined;
  }
  const { tool } = part;
  if (typeof tool !== "string") throw ODD;
  const call: Fields = {
    state: isCompleted ? "output-available" : "output-error",
    type: `tool-${tool}`,
  };
  copy(call, "toolCallId", part.callID);
  copy(call, "input", state.input);
  if (isCompleted) copy(call, "output", isCompacted(state) ? CLEARED_TOOL_RESULT : state.output);
  else if (status === "error") copy(call, "errorText", state.error);
  else call.errorText = INTERRUPTED;
  copy(call, "callProviderMetadata", part.metadata);
  return call;
}

function isCompacted({ time }: Fields) {
  return time !== undefined && Number.isFinite(plain(time).compacted);
}

/** Whether it returned files, which become a message of their own before this one. */
function hasFiles({ type, state }: Fields) {
  if (type !== "tool") return false;
  const call = plain(state);
  if (call.status !== "completed") return false;
  const { attachments } = call;
  return attachments !== undefined && lengthOf(attachments) > 0 && !isCompacted(call);
}

function ofAssistant(part: Fields) {
  const { type } = part;
  if (type === "tool") return ofTool(part);
  if (type !== "text" && type !== "reasoning") return undefined;
  const text: Fields = { type };
  copy(text, "text", part.text);
  copy(text, "providerMetadata", part.metadata);
  return text;
}

/** Converts messages by the module. */
type SlowPath = (messages: unknown[]) => UIMessage[];

/** Adds the UI message of a message to `result`; `slowPath` converts messages with files. */
function add(message: unknown, result: Fields[], slowPath: SlowPath) {
  const own = plain(message);
  const info = plain(own.info);
  const parts = own.parts as unknown[]; // The length is that of an array.
  const { role } = info;
  const length = lengthOf(parts);
  const isUser = role === "user";
  if (!isUser && role !== "assistant") return;
  const content: Fields[] = [];
  let isAnswered = false;
  let isPlainMessage = true;
  for (let i = 0; i < length; i++) {
    const part = plain(parts[i]);
    const converted = isUser ? ofUser(part) : ofAssistant(part);
    if (converted !== undefined) content.push(converted);
    isAnswered ||= part.type !== "step-start" && part.type !== "reasoning";
    if (!isUser && hasFiles(part)) isPlainMessage = false;
  }
  if (!isPlainMessage) {
    // A cast: the module gives them whole.
    result.push(...(slowPath([message]) as unknown as Fields[]));
    return;
  }
  const { error } = info;
  const hasFailed = !isUser && error !== undefined && error !== null;
  if (content.length === 0 || (hasFailed && !isAnswered)) return;
  const { id } = info;
  result.push(id === undefined ? { role, parts: content } : { id, role, parts: content });
}

/** The UI messages of plain messages; undefined if the slow path must convert them all. */
export function modelMessages(input: unknown, slowPath: SlowPath): UIMessage[] | undefined {
  const result: Fields[] = [];
  try {
    const length = lengthOf(input);
    const messages = input as unknown[]; // The length is that of an array.
    for (let i = 0; i < length; i++) add(messages[i], result, slowPath);
  } catch {
    // A getter that throws, an unexpected shape: the slow path gives the error.
    return undefined;
  }
  // A cast: what is converted here has no other fields than the slow path gives.
  return result as unknown as UIMessage[];
}
