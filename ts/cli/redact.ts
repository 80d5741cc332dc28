// `redact`: a transcript with what should not be shared masked, message by message; or the list of what that is.
import type { Transcript } from "apex-parts";
import { copyOf, hasOwnForm } from "./copy.ts";
import { isFolder, withTranscript } from "./file.ts";
import type { Values } from "./options.ts";
import { isSame, writeWhole } from "./out-file.ts";
import { CliError, nameOf, print, tellLost } from "./output.ts";
import { redactFolder } from "./redact-folder.ts";
import { redactorOf, tellUnused } from "./redactor.ts";
import { filesRead, printSecrets, secretsIn } from "./secret-list.ts";
import { wantedSession } from "./sessions.ts";

export function redact(file: string, values: Values): Promise<number> {
  const { session, out, json } = values;
  if (json && !values.list) throw new CliError("--json needs --list", 2);
  if (values.list && out !== undefined) throw new CliError("--list does not write to --out", 2);
  if (isFolder(file)) return redactFolder(file, values);
  if (out !== undefined && out !== "-" && isSame(file, out)) {
    throw new CliError(`${out}: it cannot be both read and written`, 2);
  }
  const redactor = redactorOf(values);
  const kept: Buffer[] = [];
  const look = async (transcript: Transcript) => {
    wantedSession(transcript, nameOf(file), session);
    // What came through a pipe cannot be read again.
    const bytes = kept.length > 0 ? [Buffer.concat(kept)] : filesRead(file === "-" ? [] : [file]);
    if (values.list) {
      const found = secretsIn(transcript, session, redactor, bytes);
      if (json) print(JSON.stringify(found.findings, null, 2));
      else printSecrets(found);
    } else {
      const [own] = hasOwnForm(transcript) ? bytes : [];
      await writeWhole(out, copyOf(transcript, nameOf(file), redactor, own, session));
    }
    tellUnused(redactor, values);
    tellLost(transcript, nameOf(file));
    return 0;
  };
  return withTranscript(file, values, look, { kept }).finally(() => redactor.free());
}
