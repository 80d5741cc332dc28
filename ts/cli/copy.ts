// Copies of a transcript: an export stays an export, everything else becomes messages with their parts.
import type { Redactor, Transcript, WithParts } from "apex-parts";
import { inBlocks } from "./out-file.ts";
import { messagesOf, scopeOf } from "./sessions.ts";

/** What a copy carries of its file beside the messages: see `copyNote`. */
export type CopyNote = ReturnType<Transcript["copyNote"]>;

/** The message with the note of a copy, which stands before all else in it. */
export function withNote(message: WithParts, note: CopyNote): WithParts {
  if (note === undefined) return message;
  const info = { apexTranscript: note, ...message.info };
  return { ...message, info };
}

/** Whether the copy of a transcript, or of one session, is an export. */
export const isExportCopy = (transcript: Transcript, session: string | undefined): boolean =>
  transcript.format === "opencode-export" && session === undefined;

/** The note of a copy of the transcript, or of one session. */
export const noteOf = (transcript: Transcript, session: string | undefined): CopyNote =>
  transcript.copyNote(scopeOf(session));

/** The text of a copy. `mask` returns a value with what should not be shared masked. */
export function* copyText(
  transcript: Transcript,
  session: string | undefined,
  mask: <T>(value: T) => T,
  note: CopyNote = noteOf(transcript, session),
): Generator<string> {
  const isExport = isExportCopy(transcript, session);
  if (isExport) {
    // An export says all but that it was cut off.
    const own = note?.cut === true ? { apexTranscript: note } : {};
    yield `{\n"info": ${JSON.stringify(mask({ ...own, ...transcript.session }))},\n"messages": [`;
  } else {
    yield "[";
  }
  let between = "\n";
  for (const { message } of messagesOf(transcript, session)) {
    const isFirst = between === "\n";
    const masked = mask(message);
    // Behind the message, so that what is in both has its number from there.
    const isNoted = isFirst && !isExport && note !== undefined;
    const noted = isNoted ? withNote(masked, mask(note)) : masked;
    yield between + JSON.stringify(noted);
    between = ",\n";
  }
  yield isExport ? "\n]\n}\n" : "\n]\n";
}

/** Larger files are not looked through as a whole. */
export const LARGEST: number = 256 << 20;

/** The formats whose files a copy can be, byte for byte. */
const COPIED: readonly string[] = ["opencode-export", "with-parts"];

/**
 * The bytes of a file that is its own copy: it has no problem, and its text is what would be written, or says the same.
 * `undefined` if it has to be printed anew.
 */
function sameFile(
  transcript: Transcript,
  redactor: Redactor,
  bytes: Uint8Array | undefined,
): Uint8Array | undefined {
  if (bytes === undefined || bytes.length > LARGEST) return undefined;
  if (!hasOwnForm(transcript) || transcript.problems().length > 0) return undefined;
  return redactor.isClean(bytes) ? bytes : undefined;
}

/** Whether a copy of the transcript is of the form that its file has. */
export const hasOwnForm = (transcript: Transcript): boolean =>
  COPIED.includes(transcript.format ?? "");

/** The copy of a file: its own bytes, or a text in pieces. */
export function* copyOf(
  transcript: Transcript,
  name: string,
  redactor: Redactor,
  bytes: Uint8Array | undefined,
  session?: string,
): Generator<string | Uint8Array> {
  const same = session === undefined ? sameFile(transcript, redactor, bytes) : undefined;
  if (same !== undefined) {
    yield same;
    return;
  }
  yield* inBlocks(copyText(transcript, session, (value) => redactor.redact(value)));
  if (hasOwnForm(transcript)) {
    process.stderr.write(`${name}: the copy is printed anew, not byte for byte\n`);
  }
}
