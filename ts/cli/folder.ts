// The runs in a folder: of `inspect DIR`.
import { statSync } from "node:fs";
import { relative, sep } from "node:path";
import type { RunEnding, TokenStats, Transcript, TranscriptFormat } from "apex-parts";
import type { NamedFile } from "./file.ts";
import { withTranscript } from "./file.ts";
import { filesOf } from "./folder-files.ts";
import type { Values } from "./options.ts";
import { CliError, orDash, print } from "./output.ts";
import { runsOfFiles } from "./run-files.ts";
import type { SessionFigures } from "./session-figures.ts";
import { figuresOf, sessionLines } from "./session-figures.ts";
import { line } from "./summary.ts";
import { canBeTranscript, MOST_FILES } from "./transcript-files.ts";
import { dollars, duration, modelWords, plural } from "./units.ts";
import { FINISHED } from "./verdict.ts";

/** Whether this is the path of a folder. */
export function isFolder(file: string): boolean {
  if (file === "-") return false;
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** A run in the list. */
interface Run {
  file: string;
  format: TranscriptFormat | undefined;
  title: string | undefined;
  /** The id of the session that it was forked from. */
  forkOf: unknown;
  start: number | undefined;
  ended: RunEnding["how"] | undefined;
  models: string[];
  agents: string[];
  messages: number;
  failed: number;
  loops: number;
  tokens: TokenStats;
  cost: number | undefined;
  sessions: SessionFigures[];
  busyMs: number | undefined;
}

/** What the list says of the run in a file. */
function runOf(transcript: Transcript, file: string): Run {
  const { format, session } = transcript;
  const summary = transcript.summary();
  const { title, ended, models, agents, failed, cost, time: spent } = summary;
  const { start, messages, tokens } = transcript.stats();
  const loops = transcript.loops(FINISHED).length;
  return {
    file,
    format,
    title,
    forkOf: session?.forkOf,
    start,
    ended: ended?.how,
    models,
    agents,
    messages,
    failed,
    loops,
    tokens,
    cost,
    sessions: figuresOf(transcript),
    busyMs: spent?.total === 0 ? undefined : spent?.busy,
  };
}

/** The runs of a folder, and the files that are not transcripts, with the reason. */
interface FolderRuns {
  /** The latest first. */
  runs: Run[];
  others: { file: string; reason: string }[];
  /** There are other files that were not opened. */
  more: boolean;
}

/** The run of these files, or why there is none. */
async function runOfFiles(files: readonly NamedFile[], values: Values): Promise<Run | string> {
  const [main] = files;
  if (main === undefined) return "it contains no message";
  const file = main.name.split("/").join(sep);
  const look = (transcript: Transcript) => {
    const problem = transcript.problems()[0];
    if (transcript.messageCount > 0) return runOf(transcript, file);
    throw new CliError(problem?.message ?? "it contains no message", 1);
  };
  try {
    return await withTranscript(main.path, values, look, { inFolder: true, files });
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    const named = `${main.path}: `;
    const { message } = error;
    return message.startsWith(named) ? message.slice(named.length) : message;
  }
}

async function runsOf(folder: string, values: Values): Promise<FolderRuns> {
  const runs: Run[] = [];
  const others: FolderRuns["others"] = [];
  const { files, more } = filesOf(folder);
  const waiting = runsOfFiles(
    folder,
    files.map(({ path }) => path),
  );
  for (const one of waiting) {
    const run = await runOfFiles(one, values);
    if (typeof run !== "string") {
      runs.push(run);
      continue;
    }
    const [main, ...rest] = one;
    others.push({ file: relative(folder, main?.path ?? folder), reason: run });
    // Those of sub-agents may be read without the file of the session.
    waiting.push(...rest.filter(({ name }) => canBeTranscript(name)).map((file) => [file]));
  }
  return { runs: runs.sort((a, b) => (b.start ?? 0) - (a.start ?? 0)), others, more };
}

function lines(run: Run): string[] {
  const { file, format, title, start, ended, models, failed, loops, cost, busyMs, sessions } = run;
  const forked = typeof run.forkOf === "string" ? [`    fork of ${line(run.forkOf)}`] : [];
  const date = orDash(start, (ms) => new Date(ms).toISOString().slice(0, 16).replace("T", " "));
  const trouble = `${failed} failed, ${plural(loops, "loop")}`;
  const spent = `${orDash(cost, dollars)}, ${orDash(busyMs, duration)} busy`;
  const heading = orDash(title, (text) => text.replace(/\s+/gu, " ").trim().slice(0, 80));
  return [
    `${date}  ${heading}`,
    `    ${format} ${modelWords(models) || "—"}; ${ended ?? "—"}; ${trouble}; ${spent}`,
    `    ${file}`,
    ...forked,
    ...sessions
      .slice(1)
      .flatMap(sessionLines)
      .map((text) => `    ${text}`),
  ];
}

/** Prints the list of runs in a folder. */
export async function inspectFolder(folder: string, values: Values): Promise<number> {
  const { runs, others, more } = await runsOf(folder, values);
  if (values.json) {
    print(JSON.stringify({ runs, others, more }, null, 2));
  } else {
    for (const run of runs) print(lines(run).join("\n"));
    const rest = others.length > 0 ? `; ${plural(others.length, "other file")} not read` : "";
    print(`${runs.length > 0 ? "\n" : ""}${plural(runs.length, "run")}${rest}`);
    if (more) print(`there are more: only ${plural(MOST_FILES, "file")} of a folder are opened`);
  }
  return runs.length > 0 ? 0 : 1;
}
