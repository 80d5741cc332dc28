// `redact`: a transcript with what should not be shared masked, message by message; or the list of what that is.
import type { SecretFinding, SecretPlace, Transcript } from "apex-parts";
import { isApexPartsError, Redactor, secretKinds } from "apex-parts";
import { oneLine } from "./colour.ts";
import { tellLost } from "./convert.ts";
import { withTranscript } from "./file.ts";
import type { Values } from "./options.ts";
import { inBlocks, isSame, writeWhole } from "./out-file.ts";
import { CliError, nameOf, print } from "./output.ts";
import { messagesOf, wantedSession } from "./sessions.ts";

/** The most places of a kind that are listed. */
const PLACES = 1000;

/** A session of masking with the kinds of `--keep`. */
function redactorOf(keep: string | undefined): Redactor {
  const kinds = keep?.split(",").map((kind) => kind.trim()) ?? [];
  try {
    return new Redactor({ keep: kinds.filter((kind) => kind !== ""), places: PLACES });
  } catch (error) {
    if (isApexPartsError(error)) throw new CliError(`--keep: ${error.message}`, 2);
    throw error;
  }
}

/** The text of the file: an export as an export, everything else as messages with their parts. */
function* masked(
  transcript: Transcript,
  redactor: Redactor,
  session: string | undefined,
): Generator<string> {
  const isExport = transcript.format === "opencode-export" && session === undefined;
  const info = isExport ? JSON.stringify(redactor.redact(transcript.session ?? {})) : "";
  yield isExport ? `{\n"info": ${info},\n"messages": [` : "[";
  let between = "\n";
  for (const { message } of messagesOf(transcript, session)) {
    yield between + JSON.stringify(redactor.redact(message));
    between = ",\n";
  }
  yield isExport ? "\n]\n}\n" : "\n]\n";
}

/** Where a secret is, in one line. */
function lineOf({ message, part, pointer, shown }: SecretPlace): string {
  const ids = [message, part].filter((id) => id !== undefined).map(oneLine);
  return `  ${[...ids, oneLine(pointer), oneLine(shown)].join("  ")}`;
}

function list(findings: readonly SecretFinding[], json: boolean | undefined): void {
  if (json) {
    print(JSON.stringify(findings, null, 2));
    return;
  }
  if (findings.length === 0) print("no secrets or personal data found");
  for (const { kind, what, count, distinct, masked, places } of findings) {
    const differ = distinct < count ? `, ${distinct} different` : "";
    print(`${kind}: ${count}${differ} (${what})${masked ? "" : ", kept"}`);
    for (const place of places) print(lineOf(place));
    if (count > places.length) print(`  … and ${count - places.length} more`);
  }
}

export function redact(file: string, values: Values): Promise<number> {
  const { session, out, json } = values;
  if (json && !values.list) throw new CliError("--json needs --list", 2);
  if (values.list && out !== undefined) throw new CliError("--list does not write to --out", 2);
  if (out !== undefined && out !== "-" && isSame(file, out)) {
    throw new CliError(`${out}: it cannot be both read and written`, 2);
  }
  const redactor = redactorOf(values.keep);
  return withTranscript(file, values, async (transcript) => {
    wantedSession(transcript, nameOf(file), session);
    const pieces = masked(transcript, redactor, session);
    if (values.list) {
      for (const _ of pieces);
      list(redactor.findings, json);
    } else {
      await writeWhole(out, inBlocks(pieces));
    }
    tellLost(transcript, nameOf(file));
    return 0;
  }).finally(() => redactor.free());
}

/** The names of all kinds, for the help. */
export const KINDS = (): string[] => secretKinds().map(({ kind }) => kind);
