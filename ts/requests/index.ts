// Requests to providers: what index.d.ts declares of js/requests.d.ts. The way out, as crates/wire/src/providers is the way in:
// one function a format, and its line in the table.
import { guarded, invalid } from "../tools/boundary.ts";
import { anthropic } from "./anthropic.ts";
import { openAiChat } from "./openai-chat.ts";

const FORMATS = { anthropic, "openai-chat": openAiChat };

function bodyOf(format, options) {
  if (!Object.hasOwn(FORMATS, format))
    throw invalid(`the format is one of ${Object.keys(FORMATS).join(", ")}`);
  const { model, messages, tools = [], ...more } = options ?? {};
  if (typeof model !== "string") throw invalid("model is a string");
  for (const [name, list] of Object.entries({ messages, tools }))
    if (!Array.isArray(list)) throw invalid(`${name} is an array`);
  return FORMATS[format]({ model, messages, tools, ...more });
}

export function toRequest(format, options) {
  return guarded(bodyOf)(format, options);
}
