// What apex-bridge has a looser type for, with its type: a program that replaces its two message files by this entry
// compiles as before. The main entry says more: which errors there are, and what a diff is. The build adds the other
// names of js/apex-bridge.json, with the types of the main entry.
import type * as Full from "./index.js";

/** A message of a model, whose error is in the form of apex-bridge. A session of OpenCode has its errors as `{name, data}`. */
export interface AssistantMessage extends Omit<Full.AssistantMessage, "error"> {
  error?: Full.APIError;
}
/** A message of a user. */
export interface UserMessage extends Omit<Full.UserMessage, "summary"> {
  summary?: { title?: string; body?: string; diffs?: unknown[] };
}
/** A message; `role` says which. */
export type MessageInfo = UserMessage | AssistantMessage;
/** A request that failed and was sent again. */
export interface RetryPart extends Omit<Full.RetryPart, "error"> {
  error: Full.APIError;
}
/** A part of a message; `type` says which. */
export type Part = Exclude<Full.Part, Full.RetryPart> | RetryPart;
/** A message with its parts, in order. */
export interface WithParts {
  info: MessageInfo;
  parts: Part[];
}
/** What `createTextPart` takes. */
export interface CreateTextPartOptions extends Omit<Full.CreateTextPartOptions, "time"> {
  time?: { start: number; end?: number };
}
/** What `createRetryPart` takes. */
export interface CreateRetryPartOptions extends Omit<Full.CreateRetryPartOptions, "error"> {
  error: Full.APIError;
}
/** What `createUserMessage` takes. */
export interface CreateUserMessageOptions extends Omit<Full.CreateUserMessageOptions, "summary"> {
  summary?: { title?: string; body?: string; diffs?: unknown[] };
}

/** A required option that may be missing. */
type Perhaps<T> = undefined extends T ? T : T | null | undefined;
// A method, as in src/wasm/types/mod.rs: its parameters are bivariant, so that apex-bridge's functions are assignable.
type CreateFrom<Options, Made> = {
  create(options: Options): Made;
  create(
    options: { [Option in keyof Options]: Perhaps<Options[Option]> } | null | undefined,
  ): Made | undefined;
}["create"];

/**
 * Creates a text part. If a required option is missing, that is logged and the result is `undefined`.
 * @param options - The values of its fields.
 * @returns A new object.
 */
export const createTextPart: CreateFrom<CreateTextPartOptions, Full.TextPart>;
/**
 * Creates a retry part, dated `created` (milliseconds since the Unix epoch; default: now). If a required option is
 * missing, that is logged and the result is `undefined`.
 * @param options - The values of its fields.
 * @returns A new object.
 */
export const createRetryPart: CreateFrom<CreateRetryPartOptions, RetryPart>;
/**
 * Creates a user message, dated now. If a required option is missing, that is logged and the result is `undefined`.
 * @param options - The values of its fields.
 * @returns A new object.
 */
export const createUserMessage: CreateFrom<CreateUserMessageOptions, UserMessage>;
/**
 * Creates an assistant message, dated now, with zero cost and tokens. If a required option is missing, that is logged
 * and the result is `undefined`.
 * @param options - The values of its fields.
 * @returns A new object.
 */
export const createAssistantMessage: CreateFrom<
  Full.CreateAssistantMessageOptions,
  AssistantMessage
>;

/**
 * Converts messages with parts, or one message, to UI messages of the AI SDK.
 * @param input - The messages with their parts, in order; or one message.
 * @returns The UI messages.
 * @throws {PartValidationError} if it is neither an array of messages with parts nor one of them.
 */
export const toModelMessage: {
  call(input: WithParts | Full.WithParts | (WithParts | Full.WithParts)[]): Full.UIMessage[];
}["call"];
