// The body for Chat Completions, of OpenAI and the many servers that have the same API:
// https://platform.openai.com/docs/api-reference/chat.
import { isObject } from "../../tools/boundary.ts";
import type { AskedRequest } from "../asked.ts";
import type { CallEntry, ReasoningEntry, Step, Turn, UserTurn } from "../entries.ts";
import { AUDIO, dataURL, type FileRules, fileBlock } from "../files.ts";
import type { Format } from "../format.ts";
import { isMistral } from "../models.ts";
import { isBlank } from "../unsent.ts";
import { argumentText } from "./argument-text.ts";

/** A part of a content. */
type Block = { type: string; [field: string]: unknown };
type Spoken = { role: string; content: unknown; [field: string]: unknown };

/** What servers of this API have of their own. */
interface Dialect {
  isMistral: boolean;
  isDeepSeek: boolean;
  /** The field of reasoning that says no other. */
  field: string;
  /** Whether unknown fields of a message go back: OpenAI refuses them. */
  hasMessageFields: boolean;
  /** Fields of a message that are refused. */
  refused: string[];
  limit: "max_tokens" | "max_completion_tokens";
}

function dialectOf({ provider, model }: AskedRequest): Dialect {
  const ofMistral = isMistral(provider, model);
  const isOldLimit = ofMistral || ["deepseek", "groq", "xai"].includes(provider);
  const isReasoning = provider === "groq" || provider === "openrouter";
  return {
    isMistral: ofMistral,
    isDeepSeek: provider === "deepseek",
    field: isReasoning ? "reasoning" : "reasoning_content",
    hasMessageFields: provider !== "openai" && provider !== "azure",
    refused: provider === "groq" ? ["reasoning_content"] : [],
    limit: isOldLimit ? "max_tokens" : "max_completion_tokens",
  };
}

const text = (said: string): Block => ({ type: "text", text: said });

const FILES: FileRules<Block> = {
  format: "openai-chat",
  text,
  file(file) {
    const { kind, url, name, mime, data, state } = file;
    const detail = state.detail === undefined ? {} : { detail: state.detail };
    if (kind === "image")
      return { type: "image_url", image_url: { url: url ?? dataURL(file), ...detail } };
    if (kind === "pdf" && data !== undefined)
      return { type: "file", file: { filename: name ?? "file.pdf", file_data: dataURL(file) } };
    if (kind === "audio")
      return { type: "input_audio", input_audio: { data, format: AUDIO[mime] } };
    return undefined;
  },
};

/** A string if all are texts, else the parts. */
function contentOf(blocks: Block[]): string | Block[] {
  return blocks.every(({ type }) => type === "text")
    ? blocks.map((block) => block.text).join("\n")
    : blocks;
}

function ofUser({ entries }: UserTurn, asked: AskedRequest): Spoken[] {
  const blocks = entries.flatMap((entry): Block | Block[] => {
    if (entry.kind === "text") return text(entry.text);
    if (entry.kind === "file") return fileBlock(entry.file, FILES, entry, asked.report);
    // A cast: it is a part as it came.
    return (entry.state.part as Block | undefined) ?? [];
  });
  return blocks.length > 0 ? [{ role: "user", content: contentOf(blocks) }] : [];
}

function call({ id, name, input, state = {} }: CallEntry, asked: AskedRequest): object {
  const { arguments: written, message, function: ofFunction, type, custom, ...rest } = state;
  const given = asked.nameOf(name);
  if (type === "custom") {
    const ofCustom = isObject(custom) ? custom : {};
    const said = isObject(input) && typeof input.input === "string" ? input.input : "";
    return { id, type, custom: { name: given, input: said, ...ofCustom }, ...rest };
  }
  return {
    ...{ id, type: "function" },
    function: {
      ...{ name: given, arguments: argumentText(written, input) },
      ...(isObject(ofFunction) ? ofFunction : {}),
    },
    ...rest,
  };
}

/** The fields of messages in which servers sent what has no place here. */
function messageFields(step: Step, { hasMessageFields, refused }: Dialect): object {
  if (!hasMessageFields) return {};
  const fields: { [field: string]: unknown } = {};
  for (const entry of step.entries) {
    const own = entry.kind === "lost" ? undefined : entry.state?.message;
    if (isObject(own)) Object.assign(fields, own);
  }
  for (const field of ["role", "content", "tool_calls", ...refused]) delete fields[field];
  return fields;
}

/** The fields of reasoning. */
function reasoningFields(reasoned: ReasoningEntry[], { field, refused }: Dialect): object {
  const fields: { [field: string]: string } = {};
  const details: unknown[] = [];
  for (const { text: said, state, details: own } of reasoned) {
    if (own) details.push(...own);
    const given = state?.field;
    const isNamed = typeof given === "string" && !refused.includes(given);
    // OpenRouter's reasoning may be in its details alone.
    if (said === "" && (own || !isNamed)) continue;
    const name = isNamed ? given : field;
    fields[name] = (fields[name] ?? "") + said;
  }
  return { ...fields, ...(details.length > 0 && { reasoning_details: details }) };
}

/** The message of a step; undefined if it says nothing. */
function spoken(step: Step, asked: AskedRequest, dialect: Dialect): Spoken | undefined {
  const { entries } = step;
  const texts = entries.flatMap((entry) => (entry.kind === "text" ? entry : []));
  const reasoned = entries.flatMap((entry) => (entry.kind === "reasoning" ? entry : []));
  const calls = entries.flatMap((entry) => (entry.kind === "call" ? call(entry, asked) : []));
  const said = texts.filter(({ state }) => state?.refusal !== true).map((one) => one.text);
  const refusal = texts.filter(({ state }) => state?.refusal === true).map((one) => one.text);
  const whole = said.join("");
  const none = dialect.isMistral || dialect.isDeepSeek ? "" : null;
  const message: Spoken = {
    role: "assistant",
    content: whole === "" && (calls.length > 0 || refusal.length > 0) ? none : whole,
  };
  const thoughts = reasoned.filter((one) => one.text !== "");
  if (dialect.isMistral) {
    const thinking = thoughts.map((one) => ({ type: "thinking", thinking: [text(one.text)] }));
    if (thinking.length > 0)
      message.content = [...thinking, ...(whole === "" ? [] : [text(whole)])];
  } else Object.assign(message, reasoningFields(reasoned, dialect));
  if (refusal.length > 0) message.refusal = refusal.join("");
  if (dialect.isDeepSeek) message.reasoning_content ??= "";
  Object.assign(message, messageFields(step, dialect));
  if (calls.length > 0) message.tool_calls = calls;
  const isSaid =
    calls.length + refusal.length + thoughts.length > 0 ||
    !isBlank(whole) ||
    message.reasoning_details !== undefined;
  return isSaid ? message : undefined;
}

/** The messages with the results of a step. */
function results(step: Step, asked: AskedRequest, dialect: Dialect): Spoken[] {
  const said: Spoken[] = [];
  const attached: Spoken[] = [];
  for (const entry of step.entries) {
    if (entry.kind !== "call" || entry.result === undefined) continue;
    const { text: output, files } = entry.result;
    const name = asked.nameOf(entry.name);
    const content = output === "" && files.length > 0 ? "(see attachment)" : output;
    said.push({
      role: "tool",
      tool_call_id: entry.id,
      ...(dialect.isMistral && { name }),
      content,
    });
    if (files.length === 0) continue;
    const blocks = files.map((file) => fileBlock(file, FILES, entry, asked.report));
    const head = text(`Tool ${entry.name} returned an attachment:`);
    attached.push({ role: "user", content: contentOf([head, ...blocks]) });
  }
  return [...said, ...attached];
}

function messagesOf(turns: Turn[], asked: AskedRequest, dialect: Dialect): Spoken[] {
  const messages: Spoken[] = [];
  const say = (message: Spoken) => {
    // Mistral refuses a user's message behind a tool's.
    if (dialect.isMistral && message.role === "user" && messages.at(-1)?.role === "tool")
      messages.push({ role: "assistant", content: "Understood." });
    messages.push(message);
  };
  for (const turn of turns) {
    if (turn.role === "user") {
      ofUser(turn, asked).forEach(say);
      continue;
    }
    const message = spoken(turn, asked, dialect);
    if (message) say(message);
    for (const result of results(turn, asked, dialect)) say(result);
  }
  return messages;
}

export const openAiChat: Format = {
  rules: {
    reads({ state, details, answerer }, asked) {
      const dialect = dialectOf(asked);
      if (details !== undefined) return true;
      if (state !== undefined)
        return dialect.isMistral || typeof state.field === "string" || state.thinking === true;
      // What has no state is in the field that its server reads, if it has one.
      if (dialect.isMistral || dialect.isDeepSeek) return answerer.isKnown || answerer.isUnknown;
      return answerer.isKnown && dialect.hasMessageFields;
    },
    readsCall: () => false,
  },
  body(turns, asked) {
    const { model, stream, maxTokens, tools } = asked;
    const dialect = dialectOf(asked);
    const system = asked.system.map((content) => ({ role: "system", content }));
    return {
      ...{ model, stream, ...(stream && { stream_options: { include_usage: true } }) },
      ...(maxTokens !== undefined && { [dialect.limit]: maxTokens }),
      messages: [...system, ...messagesOf(turns, asked, dialect)],
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, schema: parameters, strict }) => ({
          type: "function",
          function: {
            ...{ name, ...(description !== undefined && { description }), parameters },
            ...(strict !== undefined && { strict }),
          },
        })),
      }),
    };
  },
};
