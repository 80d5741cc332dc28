// Items of OpenAI's Responses API. The state of a part is `metadata.openai`. An answer is what stands between two
// inputs: messages of the user, and outputs of calls.

import type { WithParts } from "apex-parts:glue";
import { dataUrl } from "../../base64.ts";
import { type Fields, kindOf } from "../../tools/boundary.ts";
import { reasonOf, refusal } from "../approval.ts";
import { fieldsOf, given, isEmpty, jsonText, kept, mimeOf, others, stringOf } from "../fields.ts";
import type { CallOutcome, MessageBuilder, NewCall, NewFile, NewPart } from "./builder.ts";
import {
  addSystem,
  type MessagesReader,
  readArguments,
  readInput,
  readOutput,
  readTexts,
  readTool,
  refuseRole,
  typedFields,
} from "./reader.ts";

const KEY = "openai";
/** Fields of an item that say nothing to the model. */
const STATUS = ["status", "created_by"];
/** What the official library adds to items that it has read. */
const OF_LIBRARY = ["parsed", "parsed_arguments"];
/** Fields with the identity of a built-in call and its result; the others are its input. */
const NOT_INPUT = [
  ...["id", "type", "status", "call_id", "name", "server_label", "approval_request_id"],
  ...["execution", "environment", "caller", "created_by", "agent"],
  ...["output", "outputs", "result", "results", "error", "acknowledged_safety_checks"],
];
/** Calls of which the program gives the output. */
const ASKED = ["function_call", "custom_tool_call", "local_shell_call", "apply_patch_call"];
/** Items of the model that are no calls. */
const NO_CALLS = ["mcp_approval_request"];

/** A part that no type of the model has a place for. */
const customOf = (type: string, item: unknown): NewPart => ({
  type: `${KEY}-${type}`,
  metadata: { [KEY]: { item } },
});

/** A file of the user or of an output; undefined if it is known to OpenAI alone. */
function fileOf(block: Fields): NewFile | undefined {
  const { type, image_url, file_data, file_url, filename } = block;
  const isImage = type === "input_image" || type === "computer_screenshot";
  const image = stringOf(fieldsOf(image_url)?.url) ?? stringOf(image_url);
  if (isImage && image !== undefined) {
    const { detail } = block;
    const rest = others(block, ["type", "image_url", "detail"]);
    if (detail != null && detail !== "auto") rest.detail = detail;
    return { type: "file", mime: mimeOf(image), url: image, ...kept(KEY, rest) };
  }
  const url = stringOf(file_data) ?? stringOf(file_url);
  if (type === "input_file" && url !== undefined) {
    const name = stringOf(filename);
    const from = url === file_url ? "file_url" : "file_data";
    const otherwise = name === undefined ? "application/pdf" : mimeOf(name, "application/pdf");
    const rest = others(block, ["type", from, ...(name === undefined ? [] : ["filename"])]);
    return {
      ...{ type: "file", mime: mimeOf(url, otherwise), url },
      ...(name !== undefined && { filename: name }),
      ...kept(KEY, rest),
    };
  }
  const audio = type === "input_audio" ? fieldsOf(block.input_audio) : undefined;
  if (typeof audio?.data !== "string" || typeof audio.format !== "string") return undefined;
  const mime = `audio/${audio.format}`;
  return { type: "file", mime, url: dataUrl(mime, audio.data) };
}

const TEXTS = ["input_text", "output_text", "text", "summary_text", "reasoning_text"];

/** What an output item of the program says. */
function outcomeOf(item: Fields, path: string, builder: MessageBuilder): CallOutcome {
  const { type, status } = item;
  const isError = status === "failed";
  if (type === "mcp_approval_response") {
    const approved = item.approve === true;
    const { approval_request_id: id, reason } = item;
    const approval = given({ id, approved, reason: stringOf(reason) });
    const metadata = { approval };
    return approved
      ? { text: reasonOf(approval) ?? "approved", metadata }
      : { ...refusal(approval), metadata };
  }
  const { output } = item;
  const screenshot = fieldsOf(output);
  if (screenshot?.type === "computer_screenshot") {
    const file = fileOf(screenshot);
    if (file) return { text: "", files: [file], isError };
  }
  if (type === "tool_search_output") return { text: jsonText(item.tools ?? ""), isError };
  if (!Array.isArray(output)) return { text: jsonText(output ?? ""), isError };
  if (type === "shell_call_output") return shellOutcome(output, `${path}/output`, isError, builder);
  const said = readOutput(output, `${path}/output`, builder, (block) =>
    typeof block.text === "string" ? block.text : fileOf(block),
  );
  return { ...said, isError };
}

/** What commands wrote; the exit code is that of the last one which failed. */
function shellOutcome(
  output: unknown[],
  path: string,
  isError: boolean,
  builder: MessageBuilder,
): CallOutcome {
  const texts: string[] = [];
  let exit: number | undefined;
  builder.each(output, path, (value) => {
    const { stdout, stderr, outcome } = fieldsOf(value) ?? {};
    for (const text of [stdout, stderr]) if (typeof text === "string" && text) texts.push(text);
    const code = fieldsOf(outcome)?.exit_code;
    if (typeof code === "number" && (exit === undefined || code !== 0)) exit = code;
  });
  return { text: texts.join("\n"), isError, ...(exit !== undefined && { details: { exit } }) };
}

/** What the provider's own call came to, if its item says so. */
function providerOutcome(item: Fields): CallOutcome | undefined {
  const { status, error, call_id } = item;
  const values = ["output", "outputs", "result", "results", "content", "tools"];
  const value = values.map((name) => item[name]).find((one) => one != null);
  if (error != null) return { text: jsonText(error), isError: true };
  if (status === "failed" || status === "incomplete")
    return { text: jsonText(value ?? status), isError: true };
  if (value !== undefined) return { text: jsonText(value) };
  // The output of a call with a `call_id` is an item of its own.
  const isOpen = status === "in_progress" || stringOf(call_id) !== undefined;
  return isOpen ? undefined : { text: "completed" };
}

/** Whether the provider runs the call of an item. */
function isProviders(type: string, item: Fields): boolean {
  if (ASKED.includes(type) || type === "computer_call" || NO_CALLS.includes(type)) return false;
  if (type === "shell_call")
    return (stringOf(fieldsOf(item.environment)?.type) ?? "").startsWith("container");
  return item.execution !== "client";
}

/** Keeps fields of a message or of reasoning that no part has on its first part. */
function keepItem(item: Fields, parts: NewPart[]) {
  // A cast: texts, reasoning and custom parts have metadata.
  const first = parts[0] as { metadata?: Fields } | undefined;
  if (first === undefined || isEmpty(item)) return;
  // A cast: it is made by `kept`.
  const own = first.metadata?.[KEY] as Fields | undefined;
  first.metadata = { ...first.metadata, [KEY]: { item, ...own } };
}

/** Reads items one after the other. */
class ItemReader {
  readonly #builder: MessageBuilder;
  /** The answer that is being read. */
  #answer: WithParts | undefined;
  /** How many items of the answer were read. */
  #count = 0;
  /** The calls of the provider in this answer, by their id. */
  readonly #own = new Set<string>();

  constructor(builder: MessageBuilder) {
    this.#builder = builder;
  }

  /** Ends the answer: an input comes, or nothing. */
  end() {
    if (this.#answer) this.#builder.end(this.#answer);
    this.#answer = undefined;
    this.#count = 0;
    this.#own.clear();
  }

  #add(parts: (NewPart | NewCall)[]) {
    this.#answer ??= this.#builder.begin();
    this.#builder.add(this.#answer, parts);
    this.#count++;
  }

  read(value: unknown, path: string) {
    const item = typeof value === "string" ? { role: "user", content: value } : fieldsOf(value);
    if (item === undefined) {
      const message = `expected an item, which is an object, got ${kindOf(value)}; it is left out`;
      this.#builder.error(path, message);
      return;
    }
    const type = stringOf(item.type) ?? (item.role === undefined ? undefined : "message");
    if (type === undefined) {
      const message = "expected an item with a `type` or a `role`; it is left out";
      this.#builder.error(path, message);
    } else if (type === "message") this.#message(item, path);
    else if (type === "reasoning") this.#reasoning(item, path);
    else if (type.endsWith("_call") || type === "mcp_approval_request")
      this.#call(item, type, value, path);
    else if (type.endsWith("_output") || type === "mcp_approval_response")
      this.#output(item, type, value, path);
    else this.#add([customOf(type, value)]);
  }

  #message(item: Fields, path: string) {
    const { role, content } = item;
    const builder = this.#builder;
    const at = `${path}/content`;
    if (role === "assistant") this.#said(item, path);
    else if (role === "system" || role === "developer") {
      this.end();
      addSystem(readTexts(content, at, builder), builder);
    } else if (role === "user") {
      this.end();
      const parts: NewPart[] = [];
      if (typeof content === "string") parts.push({ type: "text", text: content });
      else if (content != null)
        builder.each(content, at, (block, place) => {
          const part = this.#block(block, {}, place);
          if (part) parts.push(part);
        });
      builder.leaveOut(others(item, ["type", "role", "content", "id", ...STATUS]), path);
      builder.user(parts);
    } else refuseRole(role, path, "system, developer, user or assistant", builder);
  }

  /** A text of the model, one part for each of its contents. */
  #said(item: Fields, path: string) {
    const { content, id, phase } = item;
    const state = given({ itemId: stringOf(id), phase: stringOf(phase) });
    const rest = others(item, ["type", "role", "content", "id", "phase", ...STATUS, ...OF_LIBRARY]);
    const parts: NewPart[] = [];
    if (typeof content === "string")
      parts.push({ type: "text", text: content, ...kept(KEY, state) });
    else if (content != null)
      this.#builder.each(content, `${path}/content`, (block, at) => {
        const part = this.#block(block, state, at);
        if (part) parts.push(part);
      });
    keepItem(rest, parts);
    this.#add(parts);
  }

  /** A content of a message. */
  #block(value: unknown, state: Fields, path: string): NewPart | undefined {
    if (typeof value === "string") return { type: "text", text: value, ...kept(KEY, state) };
    const block = typedFields(value, path, this.#builder);
    if (block === undefined) return undefined;
    const { type, text, refusal, annotations } = block;
    if (TEXTS.includes(type) && typeof text === "string") {
      const known = ["type", "text", "annotations", "logprobs", ...OF_LIBRARY];
      const isCited = Array.isArray(annotations) && annotations.length > 0;
      const rest = others(block, known);
      const part = isEmpty(rest) ? {} : { part: rest };
      return {
        ...{ type: "text", text },
        ...kept(KEY, { ...state, ...(isCited && { annotations }), ...part }),
      };
    }
    if (type === "refusal" && typeof refusal === "string")
      return { type: "text", text: refusal, ...kept(KEY, { ...state, refusal: true }) };
    return fileOf(block) ?? customOf(type, value);
  }

  /** Reasoning: a part for each summary and each text; one without text if it has none. */
  #reasoning(item: Fields, path: string) {
    const { id, encrypted_content, summary, content } = item;
    const reasoningEncryptedContent = stringOf(encrypted_content);
    const state = given({ itemId: stringOf(id), reasoningEncryptedContent });
    const known = ["type", "id", "encrypted_content", "summary", "content", ...STATUS];
    const rest = others(item, known);
    // An empty list is not the same as none.
    if (Array.isArray(content) && content.length === 0) rest.content = content;
    const parts: NewPart[] = [];
    const { time } = this.#builder;
    const read = (list: unknown, at: string, more: Fields) => {
      if (list === undefined || list === null) return;
      this.#builder.each(list, at, (value, place) => {
        const text = typeof value === "string" ? value : fieldsOf(value)?.text;
        if (typeof text === "string")
          parts.push({ type: "reasoning", text, time, ...kept(KEY, { ...state, ...more }) });
        else this.#builder.error(place, "expected reasoning with a `text`; it is left out");
      });
    };
    read(summary, `${path}/summary`, {});
    read(content, `${path}/content`, { content: true });
    if (parts.length === 0) parts.push({ type: "reasoning", text: "", time, ...kept(KEY, state) });
    keepItem(rest, parts);
    this.#add(parts);
  }

  #call(item: Fields, type: string, whole: unknown, path: string) {
    const builder = this.#builder;
    const { name, id, call_id } = item;
    const itemId = stringOf(id);
    const state = given({ itemId });
    const isOwn = isProviders(type, item);
    const stem = type.replace(/_call$/, "");
    const tool = stringOf(name) ?? stem;
    const call: NewCall = {
      ...{ type: "call", id: stringOf(call_id) ?? itemId ?? "", tool, input: {} },
      ...{ metadata: {}, path: `${path}/call_id` },
    };
    if (type === "function_call") {
      call.input = readArguments(item.arguments, `${path}/arguments`, state, builder);
      const known = ["type", "id", "call_id", "name", "arguments", ...STATUS, ...OF_LIBRARY];
      const rest = others(item, known);
      if (!isEmpty(rest)) state.item = whole;
    } else if (type === "custom_tool_call") {
      const input = stringOf(item.input) ?? "";
      call.input = { input };
      state.custom = input;
      const rest = others(item, ["type", "id", "call_id", "name", "input", ...STATUS]);
      if (!isEmpty(rest)) state.item = whole;
    } else {
      state.item = whole;
      call.input = this.#inputOf(item, type, path);
    }
    if (!isEmpty(state)) call.metadata[KEY] = state;
    if (isOwn) {
      call.metadata.providerExecuted = true;
      const outcome = providerOutcome(item);
      if (outcome) call.outcome = outcome;
    }
    this.#add([call]);
    if (isOwn) this.#own.add(call.id);
  }

  /** The input of a built-in tool: what its item says of it. */
  #inputOf(item: Fields, type: string, path: string): Fields {
    if (type === "mcp_call" || type === "mcp_approval_request") {
      // The whole item is kept: of its arguments nothing else is.
      return readArguments(item.arguments, `${path}/arguments`, {}, this.#builder);
    }
    if (type === "web_search_call") return readInput(item.action, `${path}/action`, this.#builder);
    return readInput(others(item, NOT_INPUT), path, this.#builder);
  }

  /** The output of a call: the program's ends the answer, the provider's is a part of it. */
  #output(item: Fields, type: string, whole: unknown, path: string) {
    const builder = this.#builder;
    const isApproval = type === "mcp_approval_response";
    const of = stringOf(isApproval ? item.approval_request_id : item.call_id) ?? "";
    const at = `${path}/${isApproval ? "approval_request_id" : "call_id"}`;
    const isOwn = this.#own.has(of) || item.execution === "server";
    if (isOwn && this.#answer !== undefined) {
      const outcome = providerOutcome(item);
      const resultIndex = this.#count++;
      const metadata = { [KEY]: { result: whole, resultIndex } };
      builder.result(of, { ...(outcome ?? { text: "" }), metadata }, at);
      return;
    }
    this.end();
    builder.result(of, outcomeOf(item, path, builder), at);
  }
}

function readTools(tools: unknown, builder: MessageBuilder) {
  if (tools === undefined || tools === null) return;
  builder.each(tools, "/tools", (value, at) => {
    const { type, name, description, parameters, strict, ...rest } = fieldsOf(value) ?? {};
    const own = { name: type === "function" ? name : undefined, description, schema: parameters };
    readTool({ ...own, strict }, rest, at, builder);
  });
}

/** Reads items of OpenAI's Responses API. */
export const readOpenAiResponses: MessagesReader = ({ list, path, fields }, builder) => {
  const instructions = readTexts(fields.instructions, "/instructions", builder);
  addSystem([instructions.join("\n\n")], builder);
  readTools(fields.tools, builder);
  const items = new ItemReader(builder);
  if (typeof list === "string") items.read(list, path);
  else builder.each(list, path, (value, at) => items.read(value, at));
  items.end();
};
