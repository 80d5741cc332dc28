// The AI SDK's UI messages (npm `ai`, versions 6 and 7). State of providers is `metadata`, under their names; what only
// the AI SDK knows is `metadata["ai-sdk"]`.
import { type Fields, isObject, kindOf } from "../../tools/boundary.ts";
import { refusal } from "../approval.ts";
import { fieldsOf, given, jsonText, others, stringOf } from "../fields.ts";
import { AI_SDK, customOf, fileAt, stateOf } from "./ai-sdk-file.ts";
import type { CallOutcome, MessageBuilder, NewCall, NewPart } from "./builder.ts";
import {
  addSystem,
  type MessagesReader,
  messageFields,
  readInput,
  readTexts,
  refuseRole,
  typedFields,
} from "./reader.ts";

/** The fields of a call that have their own place. */
const CALL = [
  ...["type", "toolCallId", "toolName", "state", "input", "output", "errorText", "rawInput"],
  ...["providerExecuted", "callProviderMetadata", "approval", "title", "preliminary"],
];

/** The call of a part `tool-NAME` or `dynamic-tool`. */
function callOf(part: Fields, type: string, path: string, builder: MessageBuilder): NewCall {
  const { state, input, rawInput, approval } = part;
  const isDynamic = type === "dynamic-tool";
  const more: Fields = {};
  if (part.providerExecuted === true) more.providerExecuted = true;
  if (isObject(approval)) more.approval = approval;
  const rest = others(part, CALL);
  if (isDynamic) rest.dynamic = true;
  if (part.providerExecuted === true) rest.providerExecuted = true;
  if (Object.keys(rest).length > 0) more[AI_SDK] = rest;
  const { metadata = {} } = stateOf(part.callProviderMetadata, more);
  const isStreaming = state === "input-streaming";
  const known = input ?? (isStreaming ? undefined : rawInput);
  const title = stringOf(part.title);
  const call: NewCall = {
    ...{ type: "call", id: stringOf(part.toolCallId) ?? "", path: `${path}/toolCallId` },
    tool: (isDynamic ? stringOf(part.toolName) : type.slice("tool-".length)) || "unknown",
    input: isStreaming && !isObject(known) ? {} : readInput(known, `${path}/input`, builder),
    ...{ metadata, ...(title !== undefined && { title }) },
  };
  if (isStreaming) call.raw = stringOf(rawInput) ?? jsonText(input ?? "");
  const outcome = outcomeOf(part, path, builder);
  if (outcome) call.outcome = outcome;
  return call;
}

/** What a call came to; undefined if it runs. */
function outcomeOf(part: Fields, path: string, builder: MessageBuilder): CallOutcome | undefined {
  const { state, output, errorText, approval, preliminary } = part;
  switch (state) {
    case "output-available": {
      if (preliminary === true) return undefined;
      const isText = typeof output === "string" || output === undefined;
      return { text: jsonText(output), details: isText ? {} : { output } };
    }
    case "output-error":
      return { text: stringOf(errorText) ?? "error", isError: true };
    case "output-denied":
      return refusal(fieldsOf(approval) ?? {});
    case "approval-responded": {
      const answer = fieldsOf(approval);
      return answer?.approved === false ? refusal(answer) : undefined;
    }
    case "input-streaming":
    case "input-available":
    case "approval-requested":
      return undefined;
    default: {
      const got = typeof state === "string" ? JSON.stringify(state.slice(0, 60)) : kindOf(state);
      builder.warn("schema", `${path}/state`, `${got} is not a state of a call: it is running`);
      return undefined;
    }
  }
}

/** A part that is not a call; undefined, and a problem, if it has no type. */
function partOf(
  value: unknown,
  path: string,
  builder: MessageBuilder,
): NewPart | NewCall | undefined {
  const part = typedFields(value, path, builder);
  if (part === undefined) return undefined;
  const { type, text, url, citations, providerMetadata } = part;
  if (type === "text" && typeof text === "string")
    return { type, text, ...stateOf(providerMetadata, given({ citations })) };
  if (type === "reasoning" && typeof text === "string")
    return { type, text, time: builder.time, ...stateOf(providerMetadata) };
  if (type === "file" && typeof url === "string" && !isObject(part.providerReference))
    return fileAt(url, part.mediaType, part.filename, providerMetadata);
  if (type === "dynamic-tool" || type.startsWith("tool-")) return callOf(part, type, path, builder);
  return customOf(type, value);
}

function readAnswer(message: Fields, path: string, builder: MessageBuilder) {
  let id = stringOf(message.id);
  let parts: (NewPart | NewCall)[] = [];
  let hasStep = false;
  const end = (state?: Fields) => {
    builder.answer(parts, id, state);
    parts = [];
    id = undefined;
  };
  if (message.parts != null)
    builder.each(message.parts, `${path}/parts`, (value, at) => {
      if (isObject(value) && value.type === "step-start") {
        if (parts.length > 0 || hasStep) end();
        hasStep = true;
        return;
      }
      const part = partOf(value, at, builder);
      if (part) parts.push(part);
    });
  const { metadata } = message;
  end(metadata == null ? undefined : { [AI_SDK]: { message: metadata } });
}

/** Keeps the metadata of a message of the user on its first part. */
function keepMetadata(value: unknown, parts: NewPart[], path: string, builder: MessageBuilder) {
  if (value === undefined || value === null) return;
  // A cast: texts, files and custom parts have metadata.
  const first = parts[0] as { metadata?: Fields } | undefined;
  if (first === undefined) builder.leaveOut({ metadata: value }, path);
  else {
    // A cast: it is made by `fileAt` or `customOf`.
    const own = first.metadata?.[AI_SDK] as Fields | undefined;
    first.metadata = { ...first.metadata, [AI_SDK]: { ...own, message: value } };
  }
}

/** Reads the AI SDK's UI messages. */
export const readAiSdk: MessagesReader = ({ list, path }, builder) => {
  builder.each(list, path, (value, at) => {
    const message = messageFields(value, at, builder);
    if (message === undefined) return;
    const { role, id, parts, content, metadata } = message;
    // Messages of version 4 have their text beside the parts.
    const own = parts ?? (typeof content === "string" ? [{ type: "text", text: content }] : []);
    if (role === "system") {
      addSystem(readTexts(own, `${at}/parts`, builder), builder);
      if (metadata != null) builder.leaveOut({ metadata }, at);
    } else if (role === "assistant") readAnswer({ id, parts: own, metadata }, at, builder);
    else if (role === "user") {
      const made: NewPart[] = [];
      builder.each(own, `${at}/parts`, (part, place) => {
        const read = partOf(part, place, builder);
        if (read === undefined) return;
        if (read.type === "call")
          builder.error(place, "a call of the user has no place; it is left out");
        else made.push(read as NewPart); // It is not a call.
      });
      keepMetadata(metadata, made, at, builder);
      builder.user(made, stringOf(id));
    } else return refuseRole(role, at, "system, user or assistant", builder);
    const known = ["id", "role", "parts", "content", "createdAt", "metadata"];
    builder.leaveOut(others(message, known), at);
  });
};
