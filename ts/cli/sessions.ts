// Which sessions of a file a command acts on: all of them, or the one of --session.
import type { SessionKind, SessionScope, Transcript, WithParts } from "apex-parts";
import { CliError } from "./output.ts";

/** A session of a file. */
export type Session = Transcript["sessions"][number];

/** A session with messages; without a name if the file has at most one. */
export type NamedSession = Partial<Session> & { isWhole?: true };

/** Throws if the file has no session of this id. */
export function wantedSession(
  transcript: Transcript,
  name: string,
  session: string | undefined,
): void {
  const { sessions } = transcript;
  if (session === undefined || sessions.some(({ id }) => id === session)) return;
  const ids = sessions.map(({ id }) => id).join(", ");
  throw new CliError(`${name}: no session ${session}; the sessions are ${ids || "none"}`, 1);
}

/** The scope of a question about a transcript: the session that is wanted, or the whole file. */
export const scopeOf = (session: string | undefined): SessionScope =>
  session === undefined ? {} : { session };

/** Are the messages in the file as they are, those of all sessions in one list? */
function isOneList(transcript: Transcript): boolean {
  return transcript.messageCount > 0 && transcript.byteRange(0, 1) !== undefined;
}

/** The sessions into which the messages of a file are divided: one without a name if it has at most one. */
export function sessionsOf(transcript: Transcript, wanted: string | undefined): NamedSession[] {
  const { sessions } = transcript;
  if (wanted !== undefined) return sessions.filter(({ id }) => id === wanted);
  // All of an export is of its session, whatever its messages say.
  const isWhole = transcript.format === "opencode-export" || sessions.length === 0;
  return isWhole ? [{ ...sessions[0], isWhole: true }] : sessions;
}

/** The indices of the messages of each session in a list of all. */
function placesIn(transcript: Transcript, sessions: readonly NamedSession[]): number[][] {
  const places: number[][] = sessions.map(() => []);
  // A message that names none of them is of the main one.
  transcript.layout().sessions.forEach((session, i) => {
    (places[session] ?? places[0])?.push(i);
  });
  return places;
}

/** A message with its index and its session. */
interface MessageAt {
  message: WithParts;
  i: number;
  session: NamedSession;
}

/** The messages of the given session or, session after session, of all: each with its index and its session. */
export function* messagesOf(
  transcript: Transcript,
  wanted: string | undefined,
): Generator<MessageAt> {
  const at = (i: number, session: NamedSession): MessageAt => {
    const message = transcript.message(i);
    if (message === undefined) throw new Error(`message ${i} is not in the file`);
    return { message, i, session };
  };
  const sessions = sessionsOf(transcript, wanted);
  if (wanted !== undefined) {
    for (const session of sessions) {
      for (const [i, message] of transcript.messagesOf(wanted).entries())
        yield { message, i, session };
    }
    return;
  }
  const places =
    sessions.length > 1 && isOneList(transcript) ? placesIn(transcript, sessions) : undefined;
  for (const [number, session] of sessions.entries()) {
    if (places !== undefined) {
      for (const i of places[number] ?? []) yield at(i, session);
    } else if (number === 0) {
      for (let i = 0; i < transcript.messageCount; i++) yield at(i, session);
    } else {
      for (const [i, message] of transcript.messagesOf(session.id ?? "").entries()) {
        yield { message, i, session };
      }
    }
  }
}

/** What a session is to another one: `sub-agent of ID`; undefined for the main one. */
export function relation({ kind, parentID }: NamedSession): string | undefined {
  if (parentID === undefined) return undefined;
  const words: Partial<Record<SessionKind, string>> = {
    branch: "branch of",
    replay: "copy of",
    task: "sub-agent of",
  };
  const word = kind && words[kind];
  return word && `${word} ${parentID}`;
}

/** The session that a command writes, and how many others are in the file. */
export type WrittenSession = Partial<Session> & { others: number };

/**
 * The session that a command writes, the main one unless an id is wanted: its id and title. Which others are not in it
 * is said on standard error.
 */
export function mainSession(transcript: Transcript, name: string, wanted?: string): WrittenSession {
  const { sessions } = transcript;
  wantedSession(transcript, name, wanted);
  if (wanted !== undefined) {
    return { ...sessions.find(({ id }) => id === wanted), others: sessions.length - 1 };
  }
  const [main, ...rest] = sessions;
  if (rest.length > 0) {
    const are = rest.length === 1 ? "session is" : "sessions are";
    const ids = rest.map(({ id }) => id).join(", ");
    process.stderr.write(`${name}: ${rest.length} other ${are} not in it: ${ids} (--session ID)\n`);
  }
  return { ...main, others: rest.length };
}
