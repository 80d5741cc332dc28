// Requests to providers. The way out, as crates/wire is the way in: the history in turns (history.ts, repair.ts,
// turns.ts), and one file a format that writes them. read/ reads the messages of other programs.
import type { Problem } from "apex-parts:glue";
import { guarded, invalid } from "../tools/boundary.ts";
import { type AskedRequest, askedOf } from "./asked.ts";
import type { Format } from "./format.ts";
import { anthropic } from "./formats/anthropic.ts";
import { gemini } from "./formats/gemini.ts";
import { openAiChat } from "./formats/openai-chat.ts";
import { openAiResponses } from "./formats/openai-responses.ts";
import { historyOf, plainCopy } from "./history.ts";
import { repairedHistory, rulesFor } from "./repair.ts";
import { turnsOf } from "./turns.ts";
import type { RequestFormat, RequestOptions } from "./types.ts";
import { wellFormed } from "./well-formed.ts";

export * from "./read/index.ts";
export { repair } from "./repair.ts";
export type * from "./types.ts";

const FORMATS: { [format in RequestFormat]: Format } = {
  ...{ anthropic, "openai-chat": openAiChat, "openai-responses": openAiResponses, gemini },
};

function written(messages: RequestOptions["messages"], asked: AskedRequest) {
  const { format, provider, model, report } = asked;
  const history = historyOf(messages, report);
  const sent = asked.repair
    ? repairedHistory(history.messages, rulesFor(format, provider, model), report)
    : history.messages;
  const system = [...asked.system, ...history.system.map(wellFormed)];
  const { rules, body } = FORMATS[format];
  return body(turnsOf(sent, asked, rules), { ...asked, system });
}

function bodyOf(format: RequestFormat, options: RequestOptions) {
  if (!Object.hasOwn(FORMATS, format))
    throw invalid(`the format must be one of ${Object.keys(FORMATS).join(", ")}`);
  // Problems are told when all is written: until then it may begin again.
  let problems: Problem[] = [];
  const asked = askedOf(format, options, (one) => problems.push(one));
  let body: Record<string, unknown>;
  try {
    body = written(options.messages, asked);
  } catch {
    // A message throws when it is read: what can be read is sent. A name is told once.
    problems = problems.filter(({ rule }) => rule === "RQ-5");
    // A cast: whatever it is.
    body = written(plainCopy(options.messages) as RequestOptions["messages"], asked);
  }
  for (const one of problems) options.onProblem?.(one);
  return body;
}

/**
 * The body of a request that goes on with a history: `JSON.stringify` it. What a provider sent comes back to it equal and
 * in its order, with its signatures, encrypted reasoning and items; another provider gets what it accepts. The history is
 * repaired first (`repair`). Every loss is a problem: a file, reasoning or a call that this provider does not take (RQ-1
 * … RQ-3), a signature or a name that is replaced (RQ-4, RQ-5). The messages of a body are a prefix of those of the body
 * for the same history with more behind it, the last message aside, so that caches are kept. What else a provider takes
 * is yours to add. Pure: texts, inputs and schemas are in the body by reference. No history makes it
 * fail. Throws `PartValidationError` if an option is not what it has to be.
 * @param format - Whose request it is.
 * @param options - The model, the messages, the tools.
 * @returns A new object, for `JSON.stringify`.
 * @example
 * ```ts
 * toRequest("openai-chat", { model: "m", messages: [] }).model; // "m"
 * ```
 */
export function toRequest(format: RequestFormat, options: RequestOptions): Record<string, unknown> {
  return guarded(bodyOf)(format, options);
}
