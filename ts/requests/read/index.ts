// Messages of other programs, read as messages with parts: the way in, as ../index.ts is the way out.
import { guarded } from "../../tools/boundary.ts";
import { readHistory } from "./history.ts";
import type { FromMessagesOptions, MessagesFormat, ReadMessages } from "./types.ts";

export type * from "./types.ts";

/**
 * Reads the messages of other programs as messages with parts: the array, or the whole body of a request with it. An
 * answer of the model is one message, from step-start to step-finish; results are joined with their calls, and a call
 * without one is `running`. What a provider wants back is kept in `metadata`, where `toRequest` reads it. Texts of
 * `system` and `developer` come apart, and so do the tools of the body. Ids and times are made of the options alone:
 * reading twice gives the same. Never throws for what is in the body: what is not kept is in `problems`. Throws
 * `PartValidationError` if the format or an option is not what it has to be.
 * @param format - Whose messages they are; `"auto"` tells it by their fields.
 * @param body - The messages, or the body of a request.
 * @param options - The session, the time and the model of the messages.
 * @returns The messages, the instructions, the tools, the format, and what is wrong with the body.
 * @example
 * ```ts
 * fromMessages("auto", [{ role: "user", content: "Hi" }]).messages[0].parts[0].type; // "text"
 * ```
 */
export function fromMessages(
  format: MessagesFormat | "auto",
  body: unknown,
  options?: FromMessagesOptions,
): ReadMessages {
  return guarded(readHistory)(format, body, options);
}
