// `redact --list`: what should not be shared in a file, in its messages and in what no message is made of.
import { readFileSync } from "node:fs";
import type { Redactor, SecretFinding, SecretPlace, Transcript } from "apex-parts";
import { isApexPartsError } from "apex-parts";
import { oneLine } from "./colour.ts";
import { copyText, LARGEST, noteOf } from "./copy.ts";
import { print } from "./output.ts";

/** The secrets of a file. */
export interface SecretList {
  findings: SecretFinding[];
  /** Whether all of the file was looked through, not its messages alone. */
  isWhole: boolean;
}

/** The bytes of these files; `undefined` of one that is too large. */
export function* filesRead(paths: readonly string[]): Generator<Uint8Array | undefined> {
  for (const path of paths) {
    const bytes = readFileSync(path);
    yield bytes.length > LARGEST ? undefined : bytes;
  }
}

/** Whether all of a file could be looked through. */
function findIn(redactor: Redactor, bytes: Uint8Array | undefined, note: unknown): boolean {
  if (bytes === undefined) return false;
  try {
    // What a note holds is JSON.
    return redactor.findInFile(bytes, note as Record<string, unknown> | undefined);
  } catch (error) {
    if (isApexPartsError(error)) return false;
    throw error;
  }
}

/** Looks for secrets in a transcript, or in one session, and in the files that it was read from. */
export function secretsIn(
  transcript: Transcript,
  session: string | undefined,
  redactor: Redactor,
  files: Iterable<Uint8Array | undefined>,
): SecretList {
  const note = noteOf(transcript, session);
  // As in the copy, but for the note: of it only what is not in the messages is listed.
  const masked = <T>(value: T): T => (value === note ? value : redactor.redact(value));
  for (const _ of copyText(transcript, session, masked, note));
  let isWhole = true;
  for (const bytes of files) isWhole = findIn(redactor, bytes, note) && isWhole;
  return { findings: redactor.findings, isWhole };
}

/** Where a secret is, in one line. */
function lineOf({ message, part, pointer, line, inCopy, shown }: SecretPlace): string {
  const ids = [message, part].filter((id) => id !== undefined).map(oneLine);
  const at = line === undefined ? [] : [`line ${line}`];
  const place = pointer === "" && line !== undefined ? [] : [oneLine(pointer)];
  const beside = inCopy === false ? ["not in the copy"] : [];
  // In what is no message ids are not those of messages.
  const where = inCopy === false ? at : ids;
  return `  ${[...where, ...place, oneLine(shown), ...beside].join("  ")}`;
}

/** Prints what was found, kind by kind. */
export function printSecrets({ findings, isWhole }: SecretList): void {
  if (findings.length === 0 && isWhole) print("no secrets or personal data found");
  if (findings.length === 0 && !isWhole) print("no secrets or personal data found in the messages");
  for (const { kind, what, count, distinct, masked, places } of findings) {
    const differ = distinct < count ? `, ${distinct} different` : "";
    print(`${kind}: ${count}${differ} (${what})${masked ? "" : ", kept"}`);
    for (const place of places) print(lineOf(place));
    if (count > places.length) print(`  … and ${count - places.length} more`);
  }
  if (!isWhole) {
    print("in the messages; the rest of the file is not read: do not share the file itself");
  }
}
