// The answer that a record has beside the request: a whole answer of an API, a message, or a text. The module finds it
// (crates/transcript/src/formats/message_arrays/answer.rs).
import type { AssistantMessage, StepFinishPart, WithParts } from "apex-parts:glue";
import type { MessageBuilder } from "./builder.ts";
import { detectFormat } from "./detect.ts";
import type { MessagesBody, MessagesReader } from "./reader.ts";
import type { MessagesFormat } from "./types.ts";

/** An answer, and what is said of it. */
export interface RecordedAnswer {
  /** The format of its messages; `"auto"` if they tell it. */
  format: MessagesFormat | "auto";
  /** Empty if there is only an error. */
  messages: unknown[];
  /** Where it stands in the record. */
  path: string;
  model?: string;
  tokens?: AssistantMessage["tokens"];
  cost?: number;
  /** Why it ended, if not as it should. */
  finish?: string;
  /** When the request was sent and the answer complete, in milliseconds since the Unix epoch. */
  start?: number;
  end?: number;
  /** What the provider said instead of an answer. */
  error?: string;
}

/** The formats in whose messages an answer without a sign of its own can stand. */
const ALIKE: MessagesFormat[] = ["anthropic", "openai-chat", "ai-sdk-model"];

/** The format of the messages of an answer to a request of this format. */
function formatOf(answer: RecordedAnswer, body: MessagesBody, request: MessagesFormat) {
  if (answer.format !== "auto") return answer.format;
  const shown = detectFormat(body);
  return shown === "openai-chat" && ALIKE.includes(request) ? request : shown;
}

/** Adds what the record says of the answer to its message. */
function complete({ info, parts }: WithParts, answer: RecordedAnswer) {
  const message = info as AssistantMessage; // A cast: the caller has looked at the role.
  const { tokens, cost, finish, start, end, error } = answer;
  if (start !== undefined) message.time = { created: start, completed: end ?? start };
  // A cast: an answer ends with this part.
  const step = parts.find(({ type }) => type === "step-finish") as StepFinishPart | undefined;
  if (tokens !== undefined) message.tokens = tokens;
  if (cost !== undefined) message.cost = cost;
  if (finish !== undefined) message.finish = finish;
  if (step !== undefined)
    Object.assign(step, {
      tokens: message.tokens,
      cost: message.cost,
      reason: finish ?? step.reason,
    });
  if (error !== undefined) message.error = { name: "UnknownError", data: { message: error } };
}

/**
 * Reads an answer behind the history that the builder has.
 * @param answer - The answer.
 * @param request - The format of the history.
 * @param readers - The readers of all formats.
 * @param builder - Gets the messages.
 */
export function readAnswer(
  answer: RecordedAnswer,
  request: MessagesFormat,
  readers: { [format in MessagesFormat]: MessagesReader },
  builder: MessageBuilder,
): void {
  const before = builder.messages.length;
  const body: MessagesBody = { list: answer.messages, path: answer.path, fields: {} };
  if (answer.messages.length > 0)
    builder.attempt(body.path, () => readers[formatOf(answer, body, request)](body, builder));
  const own = builder.messages.slice(before).filter(({ info }) => info.role === "assistant");
  const last = own.at(-1) ?? (answer.error === undefined ? undefined : builder.refused());
  if (last !== undefined) complete(last, answer);
}
