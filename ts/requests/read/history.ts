// Reads a history. One reader a format, and its line in the table.
import { invalid, kindOf } from "../../tools/boundary.ts";
import { readAiSdk } from "./ai-sdk.ts";
import { readAiSdkModel } from "./ai-sdk-model.ts";
import { readAnthropic } from "./anthropic.ts";
import { histories } from "./body.ts";
import { MessageBuilder } from "./builder.ts";
import { detectFormat } from "./detect.ts";
import { readGemini } from "./gemini.ts";
import { readOpenAiChat } from "./openai-chat.ts";
import { readOpenAiResponses } from "./openai-responses.ts";
import type { MessagesBody, MessagesReader } from "./reader.ts";
import { readShareGpt } from "./sharegpt.ts";
import type { FromMessagesOptions, MessagesFormat, ReadMessages } from "./types.ts";

const READERS: { [format in MessagesFormat]: MessagesReader } = {
  anthropic: readAnthropic,
  "openai-chat": readOpenAiChat,
  "openai-responses": readOpenAiResponses,
  gemini: readGemini,
  "ai-sdk": readAiSdk,
  "ai-sdk-model": readAiSdkModel,
  sharegpt: readShareGpt,
};

function optionsOf(
  format: MessagesFormat,
  options: FromMessagesOptions | undefined,
): Required<FromMessagesOptions> {
  if (options !== undefined && kindOf(options) !== "an object")
    throw invalid("the options must be an object");
  const { sessionID = format, now = 0, model = { providerID: "", modelID: "" } } = options ?? {};
  if (typeof sessionID !== "string" || sessionID === "")
    throw invalid("sessionID must be a string that is not empty");
  if (typeof now !== "number" || !Number.isFinite(now) || now < 0)
    throw invalid("now must be the time in milliseconds since the Unix epoch");
  const { providerID, modelID } = model ?? {};
  if (typeof providerID !== "string" || typeof modelID !== "string")
    throw invalid("model must be {providerID, modelID}, both strings");
  return { sessionID, now, model: { providerID, modelID } };
}

/**
 * Reads a history.
 * @param wanted - The format, or `"auto"`.
 * @param given - The history.
 * @param options - As for `fromMessages`.
 * @returns As `fromMessages`.
 */
export function readHistory(
  wanted: MessagesFormat | "auto",
  given: unknown,
  options?: FromMessagesOptions,
): ReadMessages {
  if (wanted !== "auto" && !Object.hasOwn(READERS, wanted))
    throw invalid(`the format must be one of auto, ${Object.keys(READERS).join(", ")}`);
  let bodies: MessagesBody[] = [];
  let isReadable = true;
  try {
    bodies = histories(given);
  } catch {
    // A body that throws is read as nothing, which is a problem.
    isReadable = false;
  }
  const [first] = bodies;
  const format = wanted !== "auto" ? wanted : first ? detectFormat(first) : "openai-chat";
  const builder = new MessageBuilder(format, optionsOf(format, options));
  if (!isReadable) builder.error("", "it throws when it is read; it is left out");
  else if (first?.list === undefined)
    builder.error("", `expected messages, an array or a body with one, got ${kindOf(given)}`);
  else for (const body of bodies) builder.attempt(body.path, () => READERS[format](body, builder));
  const { messages, system, tools, problems } = builder;
  return {
    messages,
    ...(system.length > 0 && { system: system.join("\n\n") }),
    ...(tools.length > 0 && { tools }),
    ...{ format, problems },
  };
}
