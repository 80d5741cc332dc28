// The runs in a folder, each opened as one transcript: of `inspect`, `search` and `redact`.
import { relative, sep } from "node:path";
import type { Transcript } from "apex-parts";
import type { NamedFile } from "./file.ts";
import { withTranscript } from "./file.ts";
import { filesOf } from "./folder-files.ts";
import type { Values } from "./options.ts";
import { CliError } from "./output.ts";
import { runsOfFiles } from "./run-files.ts";
import { canBeTranscript } from "./transcript-files.ts";

/** A file in which no message was read, and why. */
export interface OtherFile {
  file: string;
  reason: string;
}

/** The files of a run, first the one of the session itself. */
export interface FolderRun extends NamedFile {
  files: readonly NamedFile[];
}

/** What else is in a folder. */
interface FolderRest {
  others: OtherFile[];
  /** There are other files that were not opened. */
  more: boolean;
}

/** What is done with a run. It may take its time; if it comes to `false`, no other run is opened. */
type Look = (transcript: Transcript, run: FolderRun) => unknown;

/** What was thrown while a run was looked at. */
class LookError extends Error {}

/** Opens a run and passes it to `look`. The reason says why there is no message in it, if there is none. */
async function openRun(
  run: FolderRun,
  values: Values,
  look: Look,
): Promise<{ reason?: string; isLast: boolean }> {
  let isLast = false;
  const lookAt = async (transcript: Transcript) => {
    if (transcript.messageCount === 0) {
      const problem = transcript.problems()[0];
      throw new CliError(problem?.message ?? "it contains no message", 1);
    }
    try {
      isLast = (await look(transcript, run)) === false;
    } catch (cause) {
      throw new LookError("", { cause });
    }
  };
  try {
    await withTranscript(run.path, values, lookAt, { inFolder: true, files: run.files });
    return { isLast };
  } catch (error) {
    if (error instanceof LookError) throw error.cause;
    if (!(error instanceof CliError)) throw error;
    const named = `${run.path}: `;
    const { message } = error;
    const reason = message.startsWith(named) ? message.slice(named.length) : message;
    return { reason, isLast };
  }
}

/** Opens the runs of a folder one after the other, in the order of the names of their files, and passes each to `look`. */
export async function eachRun(folder: string, values: Values, look: Look): Promise<FolderRest> {
  const others: OtherFile[] = [];
  const { files, more } = filesOf(folder);
  const nameOf = (path: string) => relative(folder, path).split(sep).join("/");
  const paths = files.map(({ path }) => path);
  paths.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const waiting = runsOfFiles(folder, paths);
  for (const one of waiting) {
    const [main, ...rest] = one;
    if (main === undefined) continue;
    const { reason, isLast } = await openRun({ ...main, files: one }, values, look);
    if (isLast) break;
    if (reason === undefined) continue;
    others.push({ file: relative(folder, main.path), reason });
    // Those of sub-agents may be read without the file of the session.
    waiting.push(...rest.filter(({ name }) => canBeTranscript(name)).map((file) => [file]));
  }
  return { others, more };
}
