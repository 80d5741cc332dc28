// The runs in a folder: of `inspect DIR`.
import { sep } from "node:path";
import type { RunEnding, TokenStats, Transcript, TranscriptFormat } from "apex-parts";
import type { OtherFile } from "./folder-runs.ts";
import { eachRun } from "./folder-runs.ts";
import type { Values } from "./options.ts";
import { orDash, print } from "./output.ts";
import type { SessionFigures } from "./session-figures.ts";
import { figuresOf, sessionLines } from "./session-figures.ts";
import { line } from "./summary.ts";
import { MOST_FILES } from "./transcript-files.ts";
import { dollars, duration, modelWords, plural } from "./units.ts";
import { FINISHED } from "./verdict.ts";

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
  others: OtherFile[];
  /** There are other files that were not opened. */
  more: boolean;
}

async function runsOf(folder: string, values: Values): Promise<FolderRuns> {
  const runs: Run[] = [];
  const { others, more } = await eachRun(folder, values, (transcript, { name }) => {
    runs.push(runOf(transcript, name.split("/").join(sep)));
  });
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
