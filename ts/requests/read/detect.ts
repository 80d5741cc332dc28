// Which format messages have, told by fields that only it has.
import { type Fields, isObject } from "../../tools/boundary.ts";
import { MAX_ELEMENTS } from "../fields.ts";
import type { MessagesBody } from "./reader.ts";
import type { MessagesFormat } from "./types.ts";

/** Types of items of OpenAI's Responses API. */
const ITEMS = ["message", "function_call", "function_call_output", "reasoning", "item_reference"];
/** Types of its contents. */
const INPUTS = ["input_text", "input_image", "input_file", "output_text"];
/** Types of blocks of Anthropic's API. */
const BLOCKS = ["tool_use", "tool_result", "redacted_thinking", "document", "server_tool_use"];

/** The fields that were seen: the formats to which they belong. */
type SeenFormats = { [format in MessagesFormat]?: boolean };

/** Shows each object of an array; what throws when it is read is passed over. */
function eachObject(list: unknown, look: (value: Fields) => void) {
  if (!Array.isArray(list) || !(list.length <= MAX_ELEMENTS)) return;
  for (let index = 0; index < list.length; index++) {
    try {
      const value: unknown = list[index];
      if (isObject(value)) look(value);
    } catch {
      // The reader names it.
    }
  }
}

function seeBlock(block: Fields, seen: SeenFormats) {
  const { type } = block;
  if (typeof type !== "string") return;
  if (INPUTS.includes(type)) seen["openai-responses"] = true;
  const isOfSdk = "toolCallId" in block || "mediaType" in block || "providerOptions" in block;
  if (isOfSdk || (type === "image" && "image" in block)) seen["ai-sdk-model"] = true;
  // Mistral's `thinking` is a list, in messages of Chat Completions.
  const isThinking = type === "thinking" && typeof block.thinking === "string";
  const isImage = type === "image" && isObject(block.source);
  if (isThinking || isImage || BLOCKS.includes(type)) seen.anthropic = true;
}

function seeMessage(message: Fields, seen: SeenFormats) {
  const { type, role, parts, content } = message;
  if (typeof type === "string") {
    const isCall = role === undefined && /_(call|output)$/.test(type);
    if (isCall || ITEMS.includes(type)) {
      // An answer of Anthropic's API is a `message`, too.
      const isAnthropic = type === "message" && "stop_reason" in message;
      seen[isAnthropic ? "anthropic" : "openai-responses"] = true;
    }
  }
  if (Array.isArray(parts)) {
    let isTyped = false;
    eachObject(parts, (part) => {
      isTyped ||= "type" in part;
    });
    seen[isTyped || parts.length === 0 ? "ai-sdk" : "gemini"] = true;
  }
  eachObject(content, (block) => seeBlock(block, seen));
  if ("from" in message && "value" in message) seen.sharegpt = true;
}

/** The order in which formats are told: what only one has comes first. */
const ORDER: MessagesFormat[] = [
  ...(["gemini", "openai-responses", "ai-sdk-model", "ai-sdk", "anthropic", "sharegpt"] as const),
];

/** The format of a history; Chat Completions if nothing in it shows another. */
export function detectFormat({ list, fields }: MessagesBody): MessagesFormat {
  if ("contents" in fields) return "gemini";
  if ("input" in fields) return "openai-responses";
  const seen: SeenFormats = {};
  eachObject(list, (message) => seeMessage(message, seen));
  if ("system" in fields && !seen.sharegpt && !seen["ai-sdk-model"]) seen.anthropic = true;
  return ORDER.find((format) => seen[format]) ?? "openai-chat";
}
