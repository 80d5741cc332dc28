// Whose state a part has.
import { type Fields, isObject } from "../tools/boundary.ts";
import { stringOrEmpty } from "./fields.ts";
import { isSameModel } from "./models.ts";
import type { RequestFormat } from "./types.ts";

/** The keys of each format in `metadata`; the first is the one that is written. */
const KEYS: { [format in RequestFormat]: string[] } = {
  anthropic: ["anthropic"],
  "openai-chat": ["openaiCompatible"],
  "openai-responses": ["openai", "azure"],
  gemini: ["google", "vertex", "googleVertex"],
};

/** Every key of state. */
const STATE_KEYS: string[] = [...Object.values(KEYS).flat(), "openrouter"];

export const FORMATS: readonly string[] = Object.keys(KEYS);

/** Formats of streams that carry state: a transcript of a stream has its format where a message has its provider. */
const STREAM_FORMATS: ReadonlySet<string> = new Set([
  ...FORMATS.filter((format) => format !== "anthropic"),
  "ai-sdk",
  "delta",
]);

const metadataOf = (part: unknown): Fields | undefined => {
  const metadata = isObject(part) ? part.metadata : undefined;
  return isObject(metadata) ? metadata : undefined;
};

/** The state that a part has for a format, whoever answered; undefined if it has none. */
export function stateFor(format: RequestFormat, part: unknown): Fields | undefined {
  const metadata = metadataOf(part);
  if (metadata === undefined) return undefined;
  for (const key of KEYS[format]) {
    const state = metadata[key];
    if (isObject(state)) return state;
  }
  return undefined;
}

/** OpenRouter's `reasoning_details` of a part. */
export function reasoningDetails(part: unknown): unknown[] | undefined {
  const state = metadataOf(part)?.openrouter;
  const details = isObject(state) ? state.reasoning_details : undefined;
  return Array.isArray(details) && details.length > 0 ? details : undefined;
}

/** Whether the provider ran the call; in a session for OpenCode, `apex` says so. */
export function isProviders(part: unknown): boolean {
  const metadata = metadataOf(part);
  const own = metadata?.apex;
  return [metadata, own].some((one) => isObject(one) && one.providerExecuted === true);
}

/** Whether a part of the message keeps state of any provider: then it may be blank and yet be needed. */
export function hasState(part: unknown): boolean {
  const metadata = metadataOf(part);
  if (metadata === undefined) return false;
  return STATE_KEYS.some((key) => isObject(metadata[key]));
}

/** Who answered a message, against who is asked now. */
export interface Answerer {
  /** Whether its state may go back: the same provider, or one of both is not known. */
  isOwn: boolean;
  /** Whether both are known and the same. */
  isKnown: boolean;
  /** Whether it is another model. */
  isOtherModel: boolean;
  /** Whether nobody knows the provider that answered. */
  isUnknown: boolean;
}

export function answererOf(info: Fields, provider: string, model: string): Answerer {
  const named = stringOrEmpty(info.providerID);
  const answered = STREAM_FORMATS.has(named) ? "" : named;
  const isOwn = answered === "" || provider === "" || answered === provider;
  return {
    isOwn,
    isKnown: answered !== "" && answered === provider,
    isOtherModel: !isSameModel(stringOrEmpty(info.modelID), model),
    isUnknown: answered === "",
  };
}
