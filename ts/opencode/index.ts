// The way into OpenCode: what index.d.ts declares of js/opencode.d.ts.
import { OpenCodeWriter, Transcript } from "apex-parts:glue";
import { guarded, invalid } from "../tools/boundary.ts";
import { originOf } from "./origins.ts";

const TEXTS = ["directory", "title", "session"];

function settingsOf(options = {}) {
  if (options === null || typeof options !== "object") throw invalid("the options are an object");
  const { newIds } = options;
  for (const name of TEXTS) {
    const value = options[name];
    if (value !== undefined && typeof value !== "string") throw invalid(`${name} is a string`);
  }
  if (newIds !== undefined && typeof newIds !== "boolean") throw invalid("newIds is true or false");
  const { directory, title, session } = options;
  const given = (id) => JSON.stringify([directory, title, id, newIds === true]);
  return { session, given: given(session), of: given };
}

/** The writer of a history, and a function that gives its next message as JSON. */
function writerOf(history, options) {
  const { session, given, of } = options;
  if (Array.isArray(history)) {
    if (session !== undefined) throw invalid("session is for a transcript: messages are of one");
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
  if (writer === undefined) throw invalid(`there is no session ${session}`);
  return { writer, next: () => (isEmpty() ? undefined : writer.nextOf(history)) };
}

const droppedOf = (writer) => JSON.parse(writer.lost()).map(([field, count]) => ({ field, count }));

function objectsOf(history, options) {
  const { writer, next } = writerOf(history, settingsOf(options));
  try {
    const info = JSON.parse(writer.info());
    const messages = [];
    for (let text = next(); text !== undefined; text = next()) messages.push(JSON.parse(text));
    return { info, messages };
  } finally {
    writer.free();
  }
}

/** The text of a session, in pieces, with what was dropped. */
class OpenCodeText {
  #history;
  #options;
  #dropped = [];

  constructor(history, options) {
    this.#history = history;
    this.#options = settingsOf(options);
  }

  get dropped() {
    return this.#dropped;
  }

  *[Symbol.iterator]() {
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

export function toOpenCode(history, options) {
  return guarded(objectsOf)(history, options);
}

export function openCodeProblems(transcript) {
  return guarded(() => {
    if (!(transcript instanceof Transcript)) throw invalid("expected a Transcript");
    // A transcript that was freed says so itself when it is asked anything.
    return transcript.messageCount < 0 ? [] : OpenCodeWriter.problemsOf(transcript);
  })();
}

export function openCodeText(history, options) {
  return guarded(() => new OpenCodeText(history, options))();
}
