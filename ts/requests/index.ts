// Requests to providers. The way out, as crates/wire is the way in: one function a format, and its line in the
// table. read/ reads the messages of other programs.
import { guarded, invalid } from "../tools/boundary.ts";
import { anthropic } from "./anthropic.ts";
import type { AskedRequest } from "./asked.ts";
import { openAiChat } from "./openai-chat.ts";
import type { RequestFormat, RequestOptions } from "./types.ts";

export * from "./read/index.ts";
export type * from "./types.ts";

const FORMATS: { [format in RequestFormat]: (asked: AskedRequest) => Record<string, unknown> } = {
  anthropic,
  "openai-chat": openAiChat,
};

function bodyOf(format: RequestFormat, options: RequestOptions) {
  if (!Object.hasOwn(FORMATS, format))
    throw invalid(`the format must be one of ${Object.keys(FORMATS).join(", ")}`);
  const { model, messages, tools = [], ...more } = options ?? {};
  if (typeof model !== "string") throw invalid("model must be a string");
  for (const [name, list] of Object.entries({ messages, tools }))
    if (!Array.isArray(list)) throw invalid(`${name} must be an array`);
  return FORMATS[format]({ model, messages, tools, ...more });
}

/**
 * The body of a request for a stream that `DeltaAssembler` reads in the same format: `JSON.stringify` it. Text, images,
 * calls and their results are in it; thinking is left out, because a signature that a provider asks for is not in these
 * messages, and so are references to files. What else a provider takes is yours to add. Throws `PartValidationError` if
 * an option is not what it has to be.
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
