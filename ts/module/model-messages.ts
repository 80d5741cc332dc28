// The fast path of toModelMessage: converts plain messages without calling the module, which the slow path
// does some twenty times for each message. The rules are those of crates/ui-messages/src/ui_messages.rs, to which
// anything but plain messages is left. It must equal it, proven by tests/package/model-messages.test.mjs.
import type { UIMessage } from "apex-parts:glue";
import { CLEARED_TOOL_RESULT } from "../compaction/cleared.ts";
import { COMPACTION, INTERRUPTED, SUBTASK } from "../placeholders.ts";

/** As in crates/model/src/view.rs. */
const MAX_ELEMENTS = 1 << 24;

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

/** The fields of a part's metadata that are not state of a provider. As in crates/ui-messages. */
const OWN = ["ai-sdk", "approval", "citations", "providerExecuted"];
/** Custom parts that are parts of a UI message in version 7. */
const KEPT = ["ai-sdk-custom", "ai-sdk-file", "ai-sdk-reasoning-file", "ai-sdk-steering-message"];

/** The part of a UI message that a custom part holds; undefined if it holds none. */
function keptOf({ type, metadata }: Fields): Fields | undefined {
  if (typeof type !== "string" || !KEPT.includes(type)) return undefined;
  const own = isFilled(metadata) ? plain(metadata)["ai-sdk"] : undefined;
  const part = isFilled(own) ? plain(own).part : undefined;
  return isFilled(part) && !Array.isArray(part) ? plain(part) : undefined;
}

/** Whether it is an object, which may be one that the slow path must read. */
const isFilled = (value: unknown) => typeof value === "object" && value !== null;

/** The state of providers in metadata: the caller's own object, unless it has fields that are none. */
function stateOf(metadata: unknown): unknown {
  if (!isFilled(metadata) || Array.isArray(metadata)) return metadata;
  const fields = plain(metadata);
  let isOwn = false;
  for (const name of OWN) isOwn ||= fields[name] !== undefined;
  if (!isOwn) return metadata;
  const others: Fields = {};
  let count = 0;
  for (const name of Object.keys(fields)) {
    if (OWN.includes(name)) continue;
    // To set it would set the prototype.
    if (name === "__proto__") throw ODD;
    others[name] = fields[name];
    if (others[name] !== undefined) count++;
  }
  return count > 0 ? others : undefined;
}

/** The same for a part whose metadata may be a program's: only where each field is an object, as state is. */
function providerStateOf(metadata: unknown): unknown {
  if (!isFilled(metadata) || Array.isArray(metadata)) return undefined;
  const fields = plain(metadata);
  let count = 0;
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (OWN.includes(name) || value === undefined) continue;
    if (!isFilled(value) || Array.isArray(value)) return undefined;
    plain(value);
    count++;
  }
  return count > 0 ? stateOf(metadata) : undefined;
}

function fileOf(part: Fields): Fields {
  const file: Fields = { type: "file" };
  copy(file, "url", part.url);
  copy(file, "mediaType", part.mime);
  copy(file, "filename", part.filename);
  copy(file, "providerMetadata", providerStateOf(part.metadata));
  return file;
}

/** Whether a file of the user is one of the AI SDK's, which is sent whatever its type. */
function isOfSdk({ metadata }: Fields) {
  if (!isFilled(metadata)) return false;
  const own = plain(metadata)["ai-sdk"];
  return isFilled(own) && !Array.isArray(own) && isFilled(plain(own));
}

/** The part of a UI message for a part of the user; undefined if it has none. */
function ofUser(part: Fields) {
  switch (part.type) {
    case "text": {
      if (part.ignored === true) return undefined;
      const text: Fields = { type: "text" };
      copy(text, "text", part.text);
      copy(text, "providerMetadata", providerStateOf(part.metadata));
      return text;
    }
    case "file": {
      const { mime } = part;
      const isBeside = mime === "text/plain" || mime === "application/x-directory";
      return isBeside && !isOfSdk(part) ? undefined : fileOf(part);
    }
    case "compaction":
      return { type: "text", text: COMPACTION };
    case "subtask":
      return { type: "text", text: SUBTASK };
    default:
      return undefined;
  }
}

/** The part of a UI message for a tool call; undefined if its state is unknown. */
function ofTool(part: Fields) {
  const state = plain(part.state);
  const { status } = state;
  const isCompleted = status === "completed";
  const isError = status === "error";
  if (!isCompleted && !isError && status !== "pending" && status !== "running") return undefined;
  const { tool, metadata } = part;
  if (typeof tool !== "string") throw ODD;
  const approval = isFilled(metadata) ? approvalOf(metadata) : undefined;
  // The messages behind this one decide what becomes of it.
  if (approval && !isCompleted && !isError) throw ODD;
  const hasID = typeof approval?.id === "string";
  const isDenied = isError && hasID && approval?.approved === false;
  const call: Fields = {
    state: isCompleted ? "output-available" : isDenied ? "output-denied" : "output-error",
    type: `tool-${tool}`,
  };
  copy(call, "toolCallId", part.callID);
  copy(call, "input", state.input);
  if (isCompleted) copy(call, "output", isCompacted(state) ? CLEARED_TOOL_RESULT : outputOf(state));
  else if (!isError) call.errorText = INTERRUPTED;
  else if (!isDenied) copy(call, "errorText", state.error);
  copy(call, "callProviderMetadata", stateOf(metadata));
  if (isPlain(metadata)) addOwn(call, metadata);
  // The SDK refuses another approval of a call with a result.
  if (isDenied || (hasID && approval?.approved === true)) call.approval = approval;
  return call;
}

/** The approval of a call, from its metadata. */
function approvalOf(metadata: unknown): Fields | undefined {
  if (Array.isArray(metadata)) return undefined;
  const { approval } = plain(metadata);
  return isFilled(approval) && !Array.isArray(approval) ? plain(approval) : undefined;
}

/** Adds what the metadata of a call says beside the state of providers and its approval. */
function addOwn(call: Fields, { "ai-sdk": own }: Fields) {
  if (!isFilled(own) || Array.isArray(own)) return;
  const { providerExecuted, resultProviderMetadata } = plain(own);
  if (providerExecuted === true) call.providerExecuted = true;
  if (isFilled(resultProviderMetadata) && !Array.isArray(resultProviderMetadata))
    call.resultProviderMetadata = plain(resultProviderMetadata);
}

/** What a call returned: its output, or the value of which the output is the JSON, if the state has it. */
function outputOf({ output, metadata }: Fields) {
  if (!isFilled(metadata) || Array.isArray(metadata)) return output;
  const value = plain(metadata).output;
  const isPrimitive = value === null || typeof value === "boolean" || Number.isFinite(value);
  const isValue = isPrimitive || isFilled(value);
  return isValue && typeof output === "string" && JSON.stringify(value) === output ? value : output;
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

function ofAssistant(part: Fields, isSeven: boolean) {
  const { type, metadata } = part;
  if (type === "tool") return ofTool(part);
  if (type === "file") return fileOf(part);
  if (type !== "text" && type !== "reasoning") return undefined;
  const text: Fields = { type };
  copy(text, "text", part.text);
  copy(text, "providerMetadata", stateOf(metadata));
  if (isSeven && isPlain(metadata) && Array.isArray(metadata.citations))
    text.citations = metadata.citations;
  return text;
}

/** Converts messages by the module. */
type SlowPath = (messages: unknown[], options: unknown) => UIMessage[];

/** Adds the UI message of a message to `result`; `slowPath` converts messages with files. */
function add(message: unknown, isSeven: boolean, result: Fields[], slowPath: SlowPath) {
  const whole = plain(message);
  const info = plain(whole.info);
  const parts = whole.parts as unknown[]; // The length is that of an array.
  const { role } = info;
  const length = lengthOf(parts);
  const isUser = role === "user";
  if (!isUser && role !== "assistant") return;
  const content: Fields[] = [];
  let isAnswered = false;
  let isPlainMessage = true;
  for (let i = 0; i < length; i++) {
    const part = plain(parts[i]);
    const own = isSeven ? keptOf(part) : undefined;
    const converted = own ?? (isUser ? ofUser(part) : ofAssistant(part, isSeven));
    if (converted !== undefined) content.push(converted);
    isAnswered ||= part.type !== "step-start" && part.type !== "reasoning";
    if (!isUser && hasFiles(part)) isPlainMessage = false;
  }
  if (!isPlainMessage) {
    // A cast: the module gives them whole.
    result.push(...(slowPath([message], { sdk: isSeven ? 7 : 6 }) as unknown as Fields[]));
    return;
  }
  const { error } = info;
  const hasFailed = !isUser && error !== undefined && error !== null;
  if (content.length === 0 || (hasFailed && !isAnswered)) return;
  const { id } = info;
  result.push(id === undefined ? { role, parts: content } : { id, role, parts: content });
}

/** Whether the options name version 7. Those that are not an object are the index of `map`. */
function isForSeven(options: unknown) {
  if (!isFilled(options)) return false;
  const { sdk } = plain(options);
  if (sdk !== undefined && sdk !== 6 && sdk !== 7) throw ODD;
  return sdk === 7;
}

/** The UI messages of plain messages; undefined if the slow path must convert them all. */
export function modelMessages(
  input: unknown,
  options: unknown,
  slowPath: SlowPath,
): UIMessage[] | undefined {
  const result: Fields[] = [];
  try {
    const isSeven = isForSeven(options);
    const length = lengthOf(input);
    const messages = input as unknown[]; // The length is that of an array.
    for (let i = 0; i < length; i++) add(messages[i], isSeven, result, slowPath);
  } catch {
    // A getter that throws, an unexpected shape: the slow path gives the error.
    return undefined;
  }
  // A cast: what is converted here has no other fields than the slow path gives.
  return result as unknown as UIMessage[];
}
