// Messages of Anthropic's Messages API. The state of a part is `metadata.anthropic`.

import { dataUrl } from "../../base64.ts";
import { type Fields, isObject } from "../../tools/boundary.ts";
import {
  fieldsOf,
  isEmpty,
  jsonText,
  kept,
  MAX_ELEMENTS,
  mimeOf,
  others,
  stringOf,
} from "../fields.ts";
import type { CallOutcome, MessageBuilder, NewCall, NewFile, NewPart } from "./builder.ts";
import {
  addSystem,
  type MessagesReader,
  messageFields,
  readInput,
  readOutput,
  readTexts,
  readTool,
  refuseRole,
  typedFields,
} from "./reader.ts";

const KEY = "anthropic";
const MESSAGE = ["role", "content", "id", "type", "model", "stop_reason", "stop_sequence", "usage"];

/** The state of a block: these fields, and those that a part has no field for in `block`. */
function stateOf(fields: Fields, block: Fields): { metadata?: Fields } {
  return kept(KEY, isEmpty(block) ? fields : { ...fields, block });
}

/** A block that no part has a type for. */
const customOf = (type: string, block: unknown): NewPart => ({
  type: `${KEY}-${type}`,
  metadata: { [KEY]: { block } },
});

/** The file of an image or a document; undefined if a URL cannot stand for it. */
function fileOf(block: Fields, type: string): NewFile | undefined {
  const source = fieldsOf(block.source);
  if (source === undefined) return undefined;
  const { type: kind, media_type, data, url } = source;
  const place = { mime: "", url: "" };
  if (kind === "base64" && typeof data === "string" && typeof media_type === "string") {
    place.mime = media_type;
    place.url = dataUrl(media_type, data);
  } else if (kind === "url" && typeof url === "string") {
    place.mime = mimeOf(url, type === "image" ? "image/*" : "application/pdf");
    place.url = url;
  } else return undefined;
  const filename = type === "document" ? stringOf(block.title) : undefined;
  const named = filename === undefined ? [] : ["title"];
  return {
    ...{ type: "file", ...place, ...(filename !== undefined && { filename }) },
    ...stateOf({}, others(block, ["type", "source", ...named])),
  };
}

/** What a result block of the client says. */
function outcomeOf(block: Fields, path: string, builder: MessageBuilder): CallOutcome {
  const { content } = block;
  const isError = block.is_error === true;
  if (!Array.isArray(content)) return { text: jsonText(content ?? ""), isError };
  const { text, files } = readOutput(content, `${path}/content`, builder, (inner) => {
    const { type, text } = inner;
    if (type === "text" && typeof text === "string") return text;
    return type === "image" || type === "document" ? fileOf(inner, type) : undefined;
  });
  return { text, isError, files };
}

/** What a result block of the provider says: its texts, or its content as JSON. */
function providerOutcome(block: Fields, resultIndex: number): CallOutcome {
  const { content } = block;
  const { tool_use_id: _, ...result } = block;
  const inner = fieldsOf(content);
  const isFailed = typeof inner?.type === "string" && inner.type.endsWith("_error");
  const isError = block.is_error === true || isFailed;
  const isList = Array.isArray(content) && content.length <= MAX_ELEMENTS;
  const blocks = isList ? content.map(fieldsOf) : [];
  const isText = blocks.length > 0 && blocks.every((one) => typeof one?.text === "string");
  const text = isText ? blocks.map((one) => one?.text).join("\n") : jsonText(content);
  return {
    text: isFailed ? (stringOf(inner?.error_code) ?? text) : text,
    isError,
    metadata: { [KEY]: { result, resultIndex } },
  };
}

/** A block of the user or the model that is neither a call nor a result. */
function partOf(block: Fields, whole: unknown, path: string, builder: MessageBuilder): NewPart {
  const type = block.type as string; // It is checked by the caller.
  switch (type) {
    case "text": {
      const { text, citations } = block;
      if (typeof text !== "string") break;
      const isCited = Array.isArray(citations) && citations.length > 0;
      const rest = others(block, ["type", "text", "citations"]);
      return { type, text, ...stateOf(isCited ? { citations } : {}, rest) };
    }
    case "image":
    case "document": {
      const file = fileOf(block, type);
      if (file === undefined) break;
      return file;
    }
    case "thinking": {
      const { thinking, signature } = block;
      if (typeof thinking !== "string") break;
      const isSigned = stringOf(signature) !== undefined;
      const state = isSigned ? { signature } : { unsigned: true };
      const rest = others(block, ["type", "thinking", "signature"]);
      return { type: "reasoning", text: thinking, time: builder.time, ...stateOf(state, rest) };
    }
    case "redacted_thinking": {
      if (typeof block.data !== "string") break;
      const rest = others(block, ["type", "data"]);
      const state = stateOf({ redactedData: block.data }, rest);
      return { type: "reasoning", text: "", time: builder.time, ...state };
    }
    default:
      return customOf(type, whole);
  }
  // A block of a known type with something else in it is kept whole, which its owner understands.
  if (!isObject(block.source))
    builder.warn("schema", path, "the block has not the fields of its type: it is kept whole");
  return customOf(type, whole);
}

/** A call; the provider's own has its place among the blocks. */
function callOf(block: Fields, index: number, path: string, builder: MessageBuilder): NewCall {
  const type = block.type as string; // It is checked by the caller.
  const isOwn = type !== "tool_use";
  const rest = others(block, ["type", "id", "name", "input"]);
  const state: Fields = isOwn ? { type, index } : {};
  if (!isEmpty(rest)) state.block = rest;
  return {
    ...{ type: "call", id: stringOf(block.id) ?? "", path: `${path}/id` },
    tool: stringOf(block.name) ?? (isOwn ? type.replace(/_tool_use$/, "") : "unknown"),
    input: readInput(block.input, `${path}/input`, builder),
    metadata: {
      ...(isEmpty(state) ? {} : { [KEY]: state }),
      ...(isOwn && { providerExecuted: true }),
    },
  };
}

/** Shows each block of a content with its type; a string is one text block. */
function eachBlock(
  content: unknown,
  path: string,
  builder: MessageBuilder,
  read: (block: Fields & { type: string }, whole: unknown, path: string, index: number) => void,
) {
  if (content === undefined || content === null || content === "") return;
  if (typeof content === "string") {
    const text = { type: "text", text: content };
    read(text, text, path, 0);
    return;
  }
  builder.each(content, path, (whole, at, index) => {
    const given = typeof whole === "string" ? { type: "text", text: whole } : whole;
    const block = typedFields(given, at, builder, "block");
    if (block !== undefined) read(block, whole, at, index);
  });
}

function readUser({ content }: Fields, path: string, builder: MessageBuilder) {
  const parts: NewPart[] = [];
  let hasResults = false;
  eachBlock(content, `${path}/content`, builder, (block, whole, at) => {
    if (block.type !== "tool_result") {
      parts.push(partOf(block, whole, at, builder));
      return;
    }
    hasResults = true;
    builder.leaveOut(others(block, ["type", "tool_use_id", "content", "is_error"]), at);
    const id = stringOf(block.tool_use_id) ?? "";
    builder.result(id, outcomeOf(block, at, builder), `${at}/tool_use_id`);
  });
  // A message with nothing but results is no message of the user.
  if (parts.length > 0 || !hasResults) builder.user(parts);
}

function readAnswer({ content }: Fields, path: string, builder: MessageBuilder) {
  const parts: (NewPart | NewCall)[] = [];
  /** The provider's calls of this message. */
  const own = new Map<string, NewCall>();
  eachBlock(content, `${path}/content`, builder, (block, whole, at, index) => {
    if (block.type === "tool_use" || block.type.endsWith("_tool_use")) {
      const call = callOf(block, index, at, builder);
      parts.push(call);
      if (block.type !== "tool_use" && !own.has(call.id)) own.set(call.id, call);
      return;
    }
    const call = block.type.endsWith("_tool_result")
      ? own.get(stringOf(block.tool_use_id) ?? "")
      : undefined;
    if (call !== undefined && call.outcome === undefined) {
      call.outcome = providerOutcome(block, index);
      return;
    }
    // A result whose call is in another message is kept in its place.
    parts.push(partOf(block, whole, at, builder));
  });
  builder.answer(parts);
}

/** Reads messages of Anthropic's Messages API. */
export const readAnthropic: MessagesReader = ({ list, path, fields }, builder) => {
  addSystem([readTexts(fields.system, "/system", builder).join("\n\n")], builder);
  if (fields.tools != null)
    builder.each(fields.tools, "/tools", (value, at) => {
      const { name, description, input_schema, strict, type, ...rest } = fieldsOf(value) ?? {};
      const isOwn = type === undefined || type === null || type === "custom";
      const tool = { name: isOwn ? name : undefined, description, schema: input_schema, strict };
      readTool(tool, rest, at, builder);
    });
  builder.each(list, path, (value, at) => {
    const message = messageFields(value, at, builder);
    if (message === undefined) return;
    const { role, content } = message;
    if (role === "user") readUser(message, at, builder);
    else if (role === "assistant") readAnswer(message, at, builder);
    else if (role === "system" || role === "developer")
      addSystem(readTexts(content, `${at}/content`, builder), builder);
    else return refuseRole(role, at, "user, assistant or system", builder);
    builder.leaveOut(others(message, MESSAGE), at);
  });
};
