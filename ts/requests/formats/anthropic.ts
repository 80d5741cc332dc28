// The body for Anthropic's Messages API: https://docs.claude.com/en/api/messages.
import { isObject } from "../../tools/boundary.ts";
import type { AskedRequest } from "../asked.ts";
import type { CallEntry, ReasoningEntry, Step, Turn, UserTurn } from "../entries.ts";
import { type FileRules, fileBlock, type SentFile } from "../files.ts";
import type { Format } from "../format.ts";
import { warn } from "../placed.ts";
import { CONTINUED } from "../repair.ts";
import { inPlaces } from "../turns.ts";
import { isBlank } from "../unsent.ts";
import { inTurn, type Said } from "./in-turn.ts";

/** The API wants a number; models that can say more are asked for more. */
const MAX_TOKENS = 8192;

const UNANSWERED = "a call of the provider without a result is left out";

/** A block of a message. */
type Block = { type: string; [field: string]: unknown };
interface Spoken {
  role: "user" | "assistant";
  content: Block[];
}

const text = (said: string): Block => ({ type: "text", text: said });

function source({ mime, data, url }: SentFile) {
  return data === undefined ? { type: "url", url } : { type: "base64", media_type: mime, data };
}

const FILES: FileRules<Block> = {
  format: "anthropic",
  text,
  file(file) {
    const rest = isObject(file.state.block) ? file.state.block : {};
    if (file.kind === "image") return { type: "image", source: source(file), ...rest };
    if (file.kind !== "pdf") return undefined;
    const from =
      file.data === undefined
        ? source(file)
        : { type: "base64", media_type: "application/pdf", data: file.data };
    return { type: "document", source: from, ...(file.name && { title: file.name }), ...rest };
  },
};

function thinking({ text: said, state = {} }: ReasoningEntry): Block {
  const { redactedData, signature } = state;
  if (typeof redactedData === "string") return { type: "redacted_thinking", data: redactedData };
  // A thinking block that came without a signature goes to servers that demand the block.
  return { type: "thinking", thinking: said, signature: signature ?? "" };
}

function call({ id, name, input, state = {} }: CallEntry, asked: AskedRequest): Block {
  const { type = "tool_use", block } = state;
  const rest = typeof block === "object" ? block : {};
  return { type: String(type), id, name: asked.nameOf(name), input, ...rest };
}

/** The block of a result that the provider sent. */
function ownResult({ id, state = {} }: CallEntry): Block | undefined {
  const { result } = state;
  if (!isObject(result)) return undefined;
  // A cast: it is a block as it came.
  const { type, ...rest } = result as Block;
  return { type, tool_use_id: id, ...rest };
}

function result({ id, result: given, ...place }: CallEntry, asked: AskedRequest): Block[] {
  if (given === undefined) return [];
  const files = given.files.map((file) => fileBlock(file, FILES, place, asked.report));
  const said = given.text === "" ? [] : [text(given.text)];
  const content = files.length === 0 ? given.text : [...said, ...files];
  return [
    {
      ...{ type: "tool_result", tool_use_id: id, content },
      ...(given.isError && { is_error: true }),
    },
  ];
}

/** The blocks of a step. */
function blocksOf(step: Step, asked: AskedRequest): Block[] {
  const hasResults = step.entries.some((entry) => entry.kind === "call" && !entry.isProviders);
  const results: { block: Block; index: unknown; after: number }[] = [];
  const blocks = step.entries.map((entry, at): { block: Block | undefined; index: unknown } => {
    switch (entry.kind) {
      case "text": {
        const { citations } = entry.state ?? {};
        const cited = Array.isArray(citations) && citations.length > 0 ? { citations } : {};
        const block = isBlank(entry.text) ? undefined : { ...text(entry.text), ...cited };
        return { block, index: undefined };
      }
      case "reasoning":
        return { block: thinking(entry), index: undefined };
      case "call": {
        if (!entry.isProviders) return { block: call(entry, asked), index: undefined };
        const { index, resultIndex } = entry.state ?? {};
        const own = ownResult(entry);
        if (own) results.push({ block: own, index: resultIndex, after: at });
        else if (asked.repair && !(step.isLast && !hasResults)) {
          warn(asked.report, "RP-1", UNANSWERED, entry.index, entry.at);
          return { block: undefined, index };
        }
        return { block: call(entry, asked), index };
      }
      case "custom":
        // A cast: it is a block as it came.
        return { block: entry.state.block as Block | undefined, index: undefined };
      default:
        return { block: undefined, index: undefined };
    }
  });
  const placed = inPlaces(blocks, results);
  if (!asked.repair) return placed;
  // RP-5: no message of the model ends in thinking.
  while (/thinking$/.test(placed.at(-1)?.type ?? "")) {
    placed.pop();
    warn(asked.report, "RP-5", "thinking that nothing follows is left out", step.index);
  }
  return placed;
}

function ofUser({ entries }: UserTurn, asked: AskedRequest): Block[] {
  return entries.flatMap((entry) => {
    if (entry.kind === "text") return text(entry.text);
    if (entry.kind === "file") return fileBlock(entry.file, FILES, entry, asked.report);
    // A cast: it is a block as it came.
    return (entry.state.block as Block | undefined) ?? [];
  });
}

function* said(turn: Turn, asked: AskedRequest): Iterable<Said<Block>> {
  if (turn.role === "user") {
    yield { isUser: true, pieces: ofUser(turn, asked) };
    return;
  }
  yield { isUser: false, pieces: blocksOf(turn, asked) };
  const calls = turn.entries.filter((entry) => entry.kind === "call");
  const own = calls.filter(({ isProviders }) => !isProviders);
  yield { isUser: true, pieces: own.flatMap((one) => result(one, asked)) };
}

function messagesOf(turns: Turn[], asked: AskedRequest): Spoken[] {
  const messages = inTurn<Block>(turns, asked, {
    continued: text(CONTINUED),
    said: (turn) => said(turn, asked),
  }).map(
    ({ isUser, pieces }): Spoken => ({ role: isUser ? "user" : "assistant", content: pieces }),
  );
  // Again, after `repair` did so: what was left out since may have stood behind the text.
  const last = messages.at(-1);
  const end = last?.content.at(-1);
  if (asked.repair && last?.role === "assistant" && end?.type === "text") {
    const said = String(end.text);
    if (said !== said.trimEnd())
      last.content[last.content.length - 1] = { ...end, text: said.trimEnd() };
  }
  return messages;
}

const CACHED = { cache_control: { type: "ephemeral" } };

/** Marks the last of a list. */
function mark(list: object[]) {
  const last = list.at(-1);
  if (last) list[list.length - 1] = { ...last, ...CACHED };
}

export const anthropic: Format = {
  rules: {
    reads({ state }, { provider }) {
      if (state === undefined) return false;
      if (typeof state.signature === "string" || typeof state.redactedData === "string")
        return true;
      return state.unsigned === true && provider !== "" && provider !== "anthropic";
    },
    readsCall: ({ type, result: own }, isLast) =>
      typeof type === "string" && (isLast || isObject(own)),
  },
  body(turns, asked) {
    const { model, maxTokens = MAX_TOKENS, stream, tools } = asked;
    const messages = messagesOf(turns, asked);
    const system = asked.system.filter((said) => !isBlank(said)).map(text);
    const declared = tools.map(({ name, description, schema }) => ({
      ...{ name, ...(description !== undefined && { description }), input_schema: schema },
    }));
    if (asked.cache) {
      mark(system);
      mark(declared);
      for (const { content } of messages.filter(({ role }) => role === "user").slice(-2))
        mark(content);
    }
    return {
      ...{ model, max_tokens: maxTokens, stream },
      ...(system.length > 0 && { system }),
      messages,
      ...(declared.length > 0 && { tools: declared }),
    };
  },
};
