// Contents of Google's Gemini API. The state of a part is `metadata.google`.
import { dataUrl } from "../../base64.ts";
import { type Fields, isObject, kindOf } from "../../tools/boundary.ts";
import { fieldsOf, isEmpty, jsonText, kept, others, stringOf } from "../fields.ts";
import type { CallOutcome, MessageBuilder, NewCall, NewFile, NewPart } from "./builder.ts";
import {
  addSystem,
  type MessagesReader,
  messageFields,
  readInput,
  readTexts,
  readTool,
  refuseRole,
} from "./reader.ts";

const KEY = "google";
/** The fields that say what a part is, and those of its result. */
const PROVIDER_CALLS: { [field: string]: string } = {
  executableCode: "codeExecutionResult",
  toolCall: "toolResponse",
};
const RESULTS = Object.values(PROVIDER_CALLS);
const STATE = ["thought", "thoughtSignature"];
/** What a part can be: it has one of these fields. */
const DATA = [
  ...["functionCall", "functionResponse", ...Object.keys(PROVIDER_CALLS), ...RESULTS],
  ...["text", "inlineData", "fileData"],
];

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A field under its name or, as Google's API takes too, in snake case. */
const pick = (fields: Fields, name: string): unknown => fields[name] ?? fields[snakeCase(name)];

const bothNames = (names: string[]) => names.flatMap((name) => [name, snakeCase(name)]);

/** The state of a part: its signature, whether it is a thought, and fields that it has no place for. */
function stateOf(part: Fields, own: string, more: Fields = {}): Fields {
  const state: Fields = { ...more };
  const signature = pick(part, "thoughtSignature");
  if (stringOf(signature) !== undefined) state.thoughtSignature = signature;
  if (part.thought === true) state.thought = true;
  const rest = others(part, [...bothNames([...STATE, own])]);
  return isEmpty(rest) ? state : { ...state, part: rest };
}

/** The file of inline data or a URI. */
function fileOf(part: Fields): NewFile | undefined {
  const inline = fieldsOf(pick(part, "inlineData"));
  const remote = fieldsOf(pick(part, "fileData"));
  const own = inline ?? remote;
  if (own === undefined) return undefined;
  const mime = pick(own, "mimeType");
  const value = inline ? own.data : pick(own, "fileUri");
  if (typeof value !== "string") return undefined;
  const type = stringOf(mime) ?? "application/octet-stream";
  const name = stringOf(pick(own, "displayName"));
  const known = bothNames(["mimeType", "data", "fileUri", "displayName"]);
  const state = stateOf(part, inline ? "inlineData" : "fileData", others(own, known));
  return {
    ...{ type: "file", mime: type, url: inline ? dataUrl(type, value) : value },
    ...(name !== undefined && { filename: name }),
    ...kept(KEY, state),
  };
}

/** What a response says: `output`, as Google's docs have it, or what other programs put there. */
function outcomeOf(response: unknown): CallOutcome {
  const fields = fieldsOf(response);
  if (fields === undefined) return { text: jsonText(response ?? "") };
  const { name: _, ...rest } = fields;
  const [[field, value] = ["", undefined], ...more] = Object.entries(rest);
  const isKnown = more.length === 0 && ["output", "error", "result", "content"].includes(field);
  const said = isKnown ? value : response;
  const isError = isKnown && field === "error";
  const details = typeof said === "string" ? {} : { output: said };
  return { text: jsonText(said), isError, details };
}

function readResponse(part: Fields, whole: unknown, path: string, builder: MessageBuilder) {
  const own = fieldsOf(pick(part, "functionResponse")) ?? {};
  const { id, name, response, parts } = own;
  const outcome = outcomeOf(response);
  const files: NewFile[] = [];
  if (parts != null)
    builder.each(parts, `${path}/functionResponse/parts`, (value, at) => {
      const file = fileOf(fieldsOf(value) ?? {});
      if (file) files.push(file);
      else builder.warn("schema", at, "an output has no place for it: it is left out");
    });
  // A response in another form than the one that is written is kept whole.
  const keys = Object.keys(fieldsOf(response) ?? {}).join();
  const isPlain = Object.keys(outcome.details ?? {}).length === 0 && /^(output|error)$/.test(keys);
  const metadata = isPlain ? {} : { metadata: { [KEY]: { result: whole } } };
  const isNamed = stringOf(id) === undefined;
  const of = stringOf(isNamed ? name : id) ?? "";
  builder.result(of, { ...outcome, files, ...metadata }, `${path}/functionResponse`, isNamed);
}

function callOf(part: Fields, path: string, builder: MessageBuilder): NewCall {
  const { id, name, args, ...rest } = fieldsOf(pick(part, "functionCall")) ?? {};
  const own = stringOf(id);
  const more: Fields = own === undefined ? {} : { id: own };
  const state = stateOf(part, "functionCall", more);
  const unknown = others(rest, []);
  if (!isEmpty(unknown)) state.part = { ...(state.part as Fields), functionCall: unknown };
  return {
    ...{ type: "call", id: own ?? "", isNamed: true, path: `${path}/functionCall` },
    tool: stringOf(name) ?? "unknown",
    input: readInput(args, `${path}/functionCall/args`, builder),
    metadata: isEmpty(state) ? {} : { [KEY]: state },
  };
}

/** A part that is neither a call nor a result. */
function partOf(part: Fields, whole: unknown, builder: MessageBuilder): NewPart {
  const { text } = part;
  if (typeof text === "string") {
    const state = kept(KEY, stateOf(part, "text"));
    return part.thought === true
      ? { type: "reasoning", text, time: builder.time, ...state }
      : { type: "text", text, ...state };
  }
  const file = fileOf(part);
  if (file !== undefined) return file;
  const type = Object.keys(others(part, bothNames(STATE)))[0];
  return { type: `${KEY}-${type ?? "part"}`, metadata: { [KEY]: { part: whole } } };
}

/** The part with the first of the fields that say what it is: it can have only one. */
function withOneField(part: Fields, path: string, builder: MessageBuilder): Fields {
  const [, ...more] = DATA.filter((name) => pick(part, name) !== undefined);
  if (more.length === 0) return part;
  const left = bothNames(more);
  const names = Object.entries(part).filter(([name]) => left.includes(name));
  builder.leaveOut(Object.fromEntries(names), path);
  return others(part, left);
}

/** Shows each part of a content. */
function eachPart(
  { parts }: Fields,
  path: string,
  builder: MessageBuilder,
  read: (part: Fields, whole: unknown, path: string) => void,
) {
  if (parts === undefined || parts === null) return;
  builder.each(parts, `${path}/parts`, (whole, at) => {
    const part = typeof whole === "string" ? { text: whole } : fieldsOf(whole);
    if (part === undefined)
      builder.error(
        at,
        `expected a part, which is an object, got ${kindOf(whole)}; it is left out`,
      );
    else read(withOneField(part, at, builder), whole, at);
  });
}

function readUser(content: Fields, path: string, builder: MessageBuilder) {
  const parts: NewPart[] = [];
  let hasResults = false;
  eachPart(content, path, builder, (part, whole, at) => {
    if (pick(part, "functionResponse") === undefined) {
      parts.push(partOf(part, whole, builder));
      return;
    }
    hasResults = true;
    readResponse(part, whole, at, builder);
  });
  if (parts.length > 0 || !hasResults) builder.user(parts);
}

function readAnswer(content: Fields, path: string, builder: MessageBuilder) {
  const parts: (NewPart | NewCall)[] = [];
  const open = new ProviderCalls();
  eachPart(content, path, builder, (part, whole, at) => {
    if (pick(part, "functionCall") !== undefined) {
      parts.push(callOf(part, at, builder));
      return;
    }
    if (pick(part, "functionResponse") !== undefined) {
      readResponse(part, whole, at, builder);
      return;
    }
    const own = Object.keys(PROVIDER_CALLS).find((name) => pick(part, name) !== undefined);
    if (own !== undefined) {
      const call = providerCall(part, whole, own, at, builder);
      parts.push(call);
      open.add(call, PROVIDER_CALLS[own] ?? "");
      return;
    }
    const result = RESULTS.find((name) => pick(part, name) !== undefined);
    const call = result === undefined ? undefined : open.take(part, result);
    if (call !== undefined && result !== undefined)
      call.outcome = providerOutcome(part, whole, result);
    else parts.push(partOf(part, whole, builder));
  });
  builder.answer(parts);
}

/** The provider's calls of a content, by the field of their results. */
class ProviderCalls {
  readonly #calls = new Map<string, NewCall[]>();
  readonly #byID = new Map<string, NewCall>();

  add(call: NewCall, field: string) {
    const before = this.#calls.get(field);
    if (before) before.push(call);
    else this.#calls.set(field, [call]);
    if (call.id !== "") this.#byID.set(`${field} ${call.id}`, call);
  }

  /** The call that a result belongs to: the one with its id, else the last one without a result. */
  take(part: Fields, field: string): NewCall | undefined {
    const id = stringOf(fieldsOf(pick(part, field))?.id);
    const named = id === undefined ? undefined : this.#byID.get(`${field} ${id}`);
    if (named !== undefined && named.outcome === undefined) return named;
    const calls = this.#calls.get(field);
    let last = calls?.pop();
    while (last !== undefined && last.outcome !== undefined) last = calls?.pop();
    return last;
  }
}

function providerCall(
  part: Fields,
  whole: unknown,
  field: string,
  path: string,
  builder: MessageBuilder,
): NewCall {
  const own = pick(part, field);
  const { id, args, toolType, name } = fieldsOf(own) ?? {};
  const isCode = field === "executableCode";
  return {
    ...{ type: "call", id: stringOf(id) ?? "", isNamed: true, path: `${path}/${field}` },
    tool: isCode ? field : (stringOf(toolType) ?? stringOf(name) ?? field),
    input: readInput(isCode ? own : args, `${path}/${field}`, builder),
    metadata: { [KEY]: { part: whole }, providerExecuted: true },
  };
}

function providerOutcome(part: Fields, whole: unknown, field: string): CallOutcome {
  const { outcome, output, response } = fieldsOf(pick(part, field)) ?? {};
  const isError = typeof outcome === "string" && outcome !== "OUTCOME_OK";
  const text = jsonText(output ?? response ?? "");
  return { text, isError, metadata: { [KEY]: { result: whole } } };
}

function readTools(tools: unknown, path: string, builder: MessageBuilder) {
  if (tools === undefined || tools === null) return;
  builder.each(Array.isArray(tools) ? tools : [tools], path, (value, at) => {
    const fields = fieldsOf(value) ?? {};
    const declarations = pick(fields, "functionDeclarations");
    builder.leaveOut(others(fields, bothNames(["functionDeclarations"])), at);
    if (declarations == null) return;
    builder.each(declarations, `${at}/functionDeclarations`, (declaration, place) => {
      const { name, description, parameters, ...rest } = fieldsOf(declaration) ?? {};
      const schema = pick(rest, "parametersJsonSchema") ?? parameters;
      const more = others(rest, bothNames(["parametersJsonSchema"]));
      readTool({ name, description, schema }, more, place, builder);
    });
  });
}

/** The texts of instructions: a string, a content, or parts. */
function readInstructions(value: unknown, path: string, builder: MessageBuilder) {
  const fields = fieldsOf(value);
  const isContent = fields !== undefined && fields.parts !== undefined;
  const parts = isContent ? fields.parts : isObject(value) ? [value] : value;
  addSystem([readTexts(parts, isContent ? `${path}/parts` : path, builder).join("\n\n")], builder);
}

/** Reads contents of Google's Gemini API. */
export const readGemini: MessagesReader = ({ list, path, fields }, builder) => {
  const config = fieldsOf(fields.config);
  for (const [one, at] of [
    [fields, ""],
    [config ?? {}, "/config"],
  ] as const) {
    readInstructions(pick(one, "systemInstruction"), `${at}/systemInstruction`, builder);
    readTools(one.tools, `${at}/tools`, builder);
  }
  const contents = typeof list === "string" || isObject(list) ? [list] : list;
  builder.each(contents, path, (value, at) => {
    if (typeof value === "string") {
      builder.user([{ type: "text", text: value }]);
      return;
    }
    const content = messageFields(value, at, builder);
    if (content === undefined) return;
    const { role = "user" } = content;
    if (role === "system") readInstructions(value, at, builder);
    else if (role === "model" || role === "assistant") readAnswer(content, at, builder);
    else if (role === "user" || role === "function" || role === "tool")
      readUser(content, at, builder);
    else return refuseRole(role, at, "user, model or function", builder);
    builder.leaveOut(others(content, ["role", "parts"]), at);
  });
};
