// The way into OpenCode.
import { OpenCodeWriter, type Problem, Transcript, type WithParts } from "apex-parts:glue";
import { guarded, invalid } from "../tools/boundary.ts";
import { originOf } from "./origins.ts";
import type {
  OpenCode2Record,
  OpenCode2Session,
  OpenCodeOptions,
  OpenCodeSession,
  OpenCodeText,
} from "./types.ts";

export type * from "./types.ts";

const TEXTS = ["directory", "title", "session"] as const;

/** Messages with their parts, or a transcript. */
type History = Transcript | WithParts[];
type Settings = ReturnType<typeof settingsOf>;

function settingsOf(options: OpenCodeOptions = {}, isSecond = false) {
  if (options === null || typeof options !== "object")
    throw invalid("the options must be an object");
  const { newIds } = options;
  for (const name of TEXTS) {
    const value = options[name];
    if (value !== undefined && typeof value !== "string") throw invalid(`${name} must be a string`);
  }
  if (newIds !== undefined && typeof newIds !== "boolean")
    throw invalid("newIds must be true or false");
  const { directory, title, session } = options;
  const optionsFor = (id?: string) =>
    JSON.stringify([directory, title, id, newIds === true, isSecond]);
  return { session, given: optionsFor(session), of: optionsFor };
}

/** The writer of a history, and a function that gives its next message as JSON. */
function writerOf(history: History, options: Settings) {
  const { session, given, of } = options;
  if (Array.isArray(history)) {
    if (session !== undefined)
      throw invalid("session is only for a transcript: messages are of one session");
    const { transcript, session: from } = originOf(history) ?? {};
    const writer =
      (transcript && OpenCodeWriter.ofMessagesFrom(history, transcript, of(from))) ??
      OpenCodeWriter.ofMessages(history, given);
    return { writer, next: () => writer.next() };
  }
  if (!(history instanceof Transcript))
    throw invalid("expected messages with parts, or a Transcript");
  // A transcript that was freed says so itself when it is asked anything; given to another object it could not.
  const isEmpty = () => history.messageCount === 0;
  isEmpty();
  const writer = OpenCodeWriter.ofTranscript(history, given);
  if (writer === undefined) throw invalid(`no session has the id ${session}`);
  return { writer, next: () => (isEmpty() ? undefined : writer.nextOf(history)) };
}

function droppedOf(writer: OpenCodeWriter) {
  const lost: [field: string, count: number][] = JSON.parse(writer.lost());
  return lost.map(([field, count]) => ({ field, count }));
}

function objectsOf<Entry>(history: History, settings: Settings) {
  const { writer, next } = writerOf(history, settings);
  try {
    const info = JSON.parse(writer.info());
    const messages: Entry[] = [];
    for (let text = next(); text !== undefined; text = next()) messages.push(JSON.parse(text));
    return { info, messages };
  } finally {
    writer.free();
  }
}

/** The text of a session, in pieces, with what was dropped. */
class SessionText implements OpenCodeText {
  #history: History;
  #options: Settings;
  #dropped: OpenCodeText["dropped"] = [];

  constructor(history: History, settings: Settings) {
    this.#history = history;
    this.#options = settings;
  }

  get dropped(): OpenCodeText["dropped"] {
    return this.#dropped;
  }

  *[Symbol.iterator](): Generator<string, void, undefined> {
    const { writer, next } = writerOf(this.#history, this.#options);
    try {
      yield `{\n"info": ${writer.info()},\n"messages": [`;
      let text = next();
      for (let isFirst = true; text !== undefined; isFirst = false) {
        yield `${isFirst ? "\n" : ",\n"}${text}`;
        text = next();
      }
      yield "\n]\n}\n";
      this.#dropped = droppedOf(writer);
    } finally {
      writer.free();
    }
  }
}

// Functions, not constants that a call makes: a bundler can leave them out, with the part of the module behind them.

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
): OpenCodeSession {
  return guarded(() => objectsOf<WithParts>(history, settingsOf(options)))();
}

/**
 * The same for OpenCode 2: the session and its records, as its `import` takes them. Messages that were made of records
 * give those again, with what has been changed since; others give what OpenCode's own migration makes, and carry parts
 * that it drops. Throws as `toOpenCode`.
 * @param history - The messages with their parts, or the transcript.
 * @param options - The folder, the title, which session, new ids.
 * @returns The session, for `JSON.stringify`.
 * @example
 * ```ts
 * toOpenCode2([], { directory: "/work" }).info.location.directory; // "/work"
 * ```
 */
export function toOpenCode2(
  history: Transcript | WithParts[],
  options?: OpenCodeOptions,
): OpenCode2Session {
  return guarded(() => objectsOf<OpenCode2Record>(history, settingsOf(options, true)))();
}

function problemsOf(transcript: Transcript, isSecond: boolean): Problem[] {
  if (!(transcript instanceof Transcript)) throw invalid("expected a Transcript");
  // A transcript that was freed says so itself when it is asked anything.
  return transcript.messageCount < 0 ? [] : OpenCodeWriter.problemsOf(transcript, isSecond);
}

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
export function openCodeProblems(transcript: Transcript): Problem[] {
  return guarded(problemsOf)(transcript, false);
}

/**
 * The same for the import of OpenCode 2: an error for each reason for which it would stop, a warning for each field that
 * it drops. Throws as `openCodeProblems`.
 * @param transcript - The transcript, read to its end.
 * @returns The problems; an empty array if there are none.
 * @example
 * ```ts
 * const transcript = Transcript.open(new TextEncoder().encode("[]"), { format: "with-parts" });
 * openCode2Problems(transcript)[0]?.severity; // "error"
 * transcript.free();
 * ```
 */
export function openCode2Problems(transcript: Transcript): Problem[] {
  return guarded(problemsOf)(transcript, true);
}

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
): OpenCodeText {
  return guarded(() => new SessionText(history, settingsOf(options)))();
}

/**
 * The same as `toOpenCode2`, as the text of a file, for sessions of any length. Throws as `toOpenCode`, also while it
 * is iterated.
 * @param history - The messages with their parts, or the transcript.
 * @param options - The folder, the title, which session, new ids.
 * @returns The text in pieces, written anew in each iteration.
 * @example
 * ```ts
 * [...openCode2Text([], { directory: "/work" })].join("").startsWith("{"); // true
 * ```
 */
export function openCode2Text(
  history: Transcript | WithParts[],
  options?: OpenCodeOptions,
): OpenCodeText {
  return guarded(() => new SessionText(history, settingsOf(options, true)))();
}
