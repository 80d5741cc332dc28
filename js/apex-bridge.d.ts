// What apex-bridge has a looser type for, with its type: a program that replaces its two message files by this entry
// compiles as before. The main entry says more: which errors there are, and what a diff is.

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
