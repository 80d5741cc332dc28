/** How `toOpenCode` converts. */
export interface OpenCodeOptions {
  /** The folder of the session, and of messages that name none. `opencode import` sets the one that it runs in. */
  directory?: string;
  /** The title; by default that of the session, or the first words of the first prompt. */
  title?: string;
  /** The id of the session, if a transcript has several; by default the main one. */
  session?: string;
  /** True: every id is new, so that the session is imported beside itself. */
  newIds?: boolean;
}
/** A session as `opencode import` takes it and `opencode export` gives it. */
export interface OpenCodeSession {
  info: {
    id: string;
    slug: string;
    title: string;
    version: string;
    time: { created: number; updated: number };
    [field: string]: unknown;
  };
  messages: WithParts[];
}
/** The text of a session in pieces, in bounded memory: each iteration writes all of it. */
export interface OpenCodeText extends Iterable<string> {
  /** What OpenCode has no place for, and how often it was left out; known at the end of an iteration. */
  readonly dropped: { field: string; count: number }[];
}
/**
 * Converts one session, of a transcript the main one unless `session` names another, to what `opencode import`
 * takes. The result is always taken: what OpenCode's records have no
 * place for is left out, a part of another type becomes a text that no model sees. The same input gives the same
 * result, unless `newIds` is given. Throws `PartValidationError` if the argument is no transcript and no array of
 * messages with parts, `TranscriptError` if a message cannot be read.
 * @param history - The messages with their parts, or the transcript.
 * @param options - The folder, the title, which session, new ids.
 * @returns The session, for `JSON.stringify`.
 * @example
 * ```ts
 * toOpenCode([], { directory: "/work", title: "Empty" }).messages; // []
 * ```
 */
export function toOpenCode(
  history: Transcript | WithParts[],
  options?: OpenCodeOptions,
): OpenCodeSession;
/**
 * Why `opencode import` would stop at the file of a transcript, or what it would drop in silence: an error for each
 * reason, a warning for what is dropped or put in another order. Throws `PartValidationError` if the argument is no
 * transcript, `TranscriptError` if a message cannot be read.
 * @param transcript - The transcript, read to its end.
 * @returns The problems; an empty array if there are none.
 * @example
 * ```ts
 * const transcript = Transcript.open(new TextEncoder().encode("[]"), { format: "with-parts" });
 * openCodeProblems(transcript).every(({ message }) => message !== ""); // true
 * transcript.free();
 * ```
 */
export function openCodeProblems(transcript: Transcript): Problem[];
/**
 * The same as `toOpenCode`, for one session too, as the text of a file, for sessions of any length. Throws as `toOpenCode`, also while it is iterated.
 * @param history - The messages with their parts, or the transcript.
 * @param options - The folder, the title, which session, new ids.
 * @returns The text in pieces, written anew in each iteration.
 * @example
 * ```ts
 * [...openCodeText([], { directory: "/work" })].join("").startsWith("{"); // true
 * ```
 */
export function openCodeText(
  history: Transcript | WithParts[],
  options?: OpenCodeOptions,
): OpenCodeText;
