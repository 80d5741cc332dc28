// Messages of OpenAI's Chat Completions API and of the many servers that have it. The state of a part is
// `metadata.openaiCompatible`, the name that the AI SDK gives to fields of this API; that of OpenRouter is its own.
import { dataUrl } from "../../base64.ts";
import { type Fields, isObject, kindOf } from "../../tools/boundary.ts";
import { fieldsOf, isEmpty, jsonText, kept, mimeOf, others, stringOf } from "../fields.ts";
import type { CallOutcome, MessageBuilder, NewCall, NewFile, NewPart } from "./builder.ts";
import {
  addSystem,
  type MessagesReader,
  messageFields,
  readArguments,
  readTexts,
  readTool,
  refuseRole,
  type TakePart,
  typedFields,
} from "./reader.ts";

const FORMAT = "openai-chat";
const KEY = "openaiCompatible";
/** The fields in which servers send reasoning. */
const REASONING = ["reasoning_content", "reasoning", "reasoning_text", "thinking"];
const DETAILS = "reasoning_details";
const MESSAGE = ["role", "content"];
const RESULT = [...MESSAGE, "tool_call_id", "name"];
/** Fields of an answer that do not go back to the provider. */
const OUTPUT_ONLY = ["annotations", "audio", "images", "logprobs", "parsed"];
const ANSWER = [
  ...[...MESSAGE, ...REASONING, DETAILS, "refusal", "tool_calls", "function_call"],
  ...OUTPUT_ONLY,
];

/** A part of a content. */
function partOf(value: unknown, path: string, builder: MessageBuilder): NewPart | undefined {
  if (typeof value === "string") return { type: "text", text: value };
  const block = typedFields(value, path, builder);
  if (block === undefined) return undefined;
  const { type } = block;
  const own = block[type];
  const more = others(block, ["type", type]);
  switch (type) {
    case "text":
    case "refusal":
      if (typeof own !== "string") break;
      return {
        ...{ type: "text", text: own },
        ...kept(KEY, type === "text" ? more : { ...more, refusal: true }),
      };
    case "thinking": {
      // Mistral's: a list of texts.
      if (!Array.isArray(own)) break;
      const text = readTexts(own, `${path}/thinking`, builder).join("");
      const state = kept(KEY, { ...more, thinking: true });
      return { type: "reasoning", text, time: builder.time, ...state };
    }
    case "image_url": {
      const image = typeof own === "string" ? { url: own } : fieldsOf(own);
      const url = image?.url;
      if (image === undefined || typeof url !== "string") break;
      const state = kept(KEY, { ...more, ...others(image, ["url"]) });
      return { type: "file", mime: mimeOf(url), url, ...state };
    }
    case "input_audio": {
      const { data, format, ...rest } = fieldsOf(own) ?? {};
      if (typeof data !== "string" || typeof format !== "string") break;
      const mime = `audio/${format}`;
      const state = kept(KEY, { ...more, ...others(rest, []) });
      return { type: "file", mime, url: dataUrl(mime, data), ...state };
    }
    case "file": {
      const { filename, file_data: url, ...rest } = fieldsOf(own) ?? {};
      if (typeof url !== "string") break;
      const name = typeof filename === "string" ? { filename } : {};
      const state = kept(KEY, { ...more, ...others(rest, []) });
      return {
        ...{ type: "file", mime: mimeOf(url, "application/octet-stream"), url },
        ...{ ...name, ...state },
      };
    }
  }
  return { type: `${FORMAT}-${type}`, metadata: { [KEY]: { part: value } } };
}

/** Takes each part of a content, with where it stands. */
function readContent(content: unknown, path: string, builder: MessageBuilder, take: TakePart) {
  if (content === undefined || content === null || content === "") return;
  if (typeof content === "string") take({ type: "text", text: content }, path);
  else if (!Array.isArray(content))
    builder.error(
      path,
      `expected a string or an array of parts, got ${kindOf(content)}; it is left out`,
    );
  else
    builder.each(content, path, (value, at) => {
      const part = partOf(value, at, builder);
      if (part) take(part, at);
    });
}

/** Keeps fields of a message on its first part that can hold them. */
function keepFields(
  fields: Fields,
  parts: (NewPart | NewCall)[],
  path: string,
  builder: MessageBuilder,
) {
  if (isEmpty(fields)) return;
  const first = parts.find(({ type }) => ["text", "reasoning", "call"].includes(type));
  if (first === undefined) {
    builder.leaveOut(fields, path);
    return;
  }
  const part = first as { metadata?: Fields }; // A cast: these have metadata.
  // A cast: it is made by `kept`.
  const state = part.metadata?.[KEY] as Fields | undefined;
  part.metadata = { ...part.metadata, [KEY]: { ...state, message: fields } };
}

/** A call; undefined, and a problem, if it is none. */
function callOf(value: unknown, path: string, builder: MessageBuilder): NewCall | undefined {
  const call = fieldsOf(value) ?? {};
  const type = call.type ?? "function";
  const own = type === "function" || type === "custom" ? fieldsOf(call[type]) : undefined;
  if (own === undefined || (type !== "function" && type !== "custom")) {
    const got = isObject(value) ? "another object" : kindOf(value);
    const expected = "expected a call, {id, type, function: {name, arguments}}";
    builder.error(path, `${expected}, got ${got}; left out`);
    return undefined;
  }
  const tool = stringOf(own.name);
  if (tool === undefined) {
    const expected = `expected the name of a tool, got ${kindOf(own.name)}`;
    builder.error(`${path}/${type}/name`, `${expected}; the call is left out`);
    return undefined;
  }
  const state = others(call, ["id", "type", "index", type]);
  const isText = type === "custom";
  const rest = others(own, ["name", isText ? "input" : "arguments", "parsed_arguments"]);
  if (!isEmpty(rest)) state[type] = rest;
  if (isText) state.type = type;
  const input = isText
    ? { input: own.input }
    : readArguments(own.arguments, `${path}/function/arguments`, state, builder);
  return {
    ...{ type: "call", id: stringOf(call.id) ?? "", tool, input, path: `${path}/id` },
    metadata: isEmpty(state) ? {} : { [KEY]: state },
  };
}

/** The reasoning of an answer in fields of its message; fields of another kind go to `wrong`. */
function reasoningOf(message: Fields, wrong: Fields, builder: MessageBuilder): NewPart[] {
  const parts: NewPart[] = [];
  const texts = new Set<unknown>();
  const { time } = builder;
  for (const field of REASONING) {
    const text = message[field];
    if (typeof text === "string") {
      // The same text under two names is one.
      if (text !== "" && !texts.has(text))
        parts.push({ type: "reasoning", text, time, ...kept(KEY, { field }) });
      texts.add(text);
    } else if (text != null) wrong[field] = text;
  }
  const details = message[DETAILS];
  if (Array.isArray(details) && details.length > 0) {
    const openrouter = { [DETAILS]: details };
    // A cast: reasoning has metadata.
    const first = parts[0] as { metadata?: Fields } | undefined;
    if (first) first.metadata = { ...first.metadata, openrouter };
    else parts.push({ type: "reasoning", text: "", time, metadata: { openrouter } });
  } else if (details != null && !Array.isArray(details)) wrong[DETAILS] = details;
  return parts;
}

function readAnswer(message: Fields, path: string, builder: MessageBuilder) {
  const wrong: Fields = {};
  const parts: (NewPart | NewCall)[] = reasoningOf(message, wrong, builder);
  readContent(message.content, `${path}/content`, builder, (part) => parts.push(part));
  const { refusal, tool_calls, function_call } = message;
  if (typeof refusal === "string" && refusal !== "")
    parts.push({ type: "text", text: refusal, ...kept(KEY, { refusal: true }) });
  else if (refusal != null && refusal !== "") wrong.refusal = refusal;
  if (Array.isArray(tool_calls))
    builder.each(tool_calls, `${path}/tool_calls`, (value, at) => {
      const call = callOf(value, at, builder);
      if (call) parts.push(call);
    });
  else if (tool_calls != null) {
    const message = `expected an array of calls, got ${kindOf(tool_calls)}; left out`;
    builder.error(`${path}/tool_calls`, message);
  }
  if (function_call != null) {
    const at = `${path}/function_call`;
    const call = callOf({ function: function_call }, at, builder);
    // Results of these calls name the function.
    if (call) parts.push({ ...call, isNamed: true });
  }
  for (const name of OUTPUT_ONLY)
    if (message[name] != null && !isNothing(message[name]))
      builder.leaveOut({ [name]: message[name] }, path);
  keepFields({ ...others(message, ANSWER), ...wrong }, parts, path, builder);
  builder.answer(parts);
}

const isNothing = (value: unknown) => Array.isArray(value) && value.length === 0;

function readResult(message: Fields, path: string, builder: MessageBuilder) {
  const { content, role, name, tool_call_id } = message;
  const isNamed = role === "function";
  const id = isNamed ? name : tool_call_id;
  const texts: string[] = [];
  const files: NewFile[] = [];
  if (isObject(content) || typeof content === "number" || typeof content === "boolean") {
    const expected = `expected a string or an array, got ${kindOf(content)}`;
    builder.warn("schema", `${path}/content`, `${expected}: its JSON is the output`);
    texts.push(jsonText(content));
  } else
    readContent(content, `${path}/content`, builder, (part, at) => {
      if (part.type === "text") texts.push((part as { text: string }).text);
      else if (part.type === "file") files.push(part as NewFile);
      else builder.warn("schema", at, "an output has no place for it: it is left out");
    });
  builder.leaveOut(others(message, RESULT), path);
  const outcome: CallOutcome = { text: texts.join("\n"), files };
  const at = `${path}/${isNamed ? "name" : "tool_call_id"}`;
  builder.result(stringOf(id) ?? "", outcome, at, isNamed);
}

function readTools(fields: Fields, builder: MessageBuilder) {
  const readOne = (own: unknown, rest: Fields, path: string) => {
    const { name, description, parameters: schema, strict, ...more } = fieldsOf(own) ?? {};
    readTool({ name, description, schema, strict }, { ...rest, ...more }, path, builder);
  };
  if (fields.tools != null)
    builder.each(fields.tools, "/tools", (value, at) => {
      const { type, function: own, ...rest } = fieldsOf(value) ?? {};
      readOne(own, rest, at);
    });
  if (fields.functions != null)
    builder.each(fields.functions, "/functions", (value, at) => readOne(value, {}, at));
}

/** Reads messages of OpenAI's Chat Completions API. */
export const readOpenAiChat: MessagesReader = ({ list, path, fields }, builder) => {
  readTools(fields, builder);
  builder.each(list, path, (value, at) => {
    const message = messageFields(value, at, builder);
    if (message === undefined) return;
    const { role, content } = message;
    if (role === "system" || role === "developer") {
      const texts = readTexts(content, `${at}/content`, builder);
      builder.leaveOut(others(message, MESSAGE), at);
      addSystem(texts, builder);
    } else if (role === "user") {
      const parts: NewPart[] = [];
      readContent(content, `${at}/content`, builder, (part) => parts.push(part));
      keepFields(others(message, MESSAGE), parts, at, builder);
      builder.user(parts);
    } else if (role === "assistant") readAnswer(message, at, builder);
    else if (role === "tool" || role === "function") readResult(message, at, builder);
    else refuseRole(role, at, "system, developer, user, assistant or tool", builder);
  });
};
