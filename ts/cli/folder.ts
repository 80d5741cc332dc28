// The runs in a folder: of `inspect DIR`.
import { statSync } from "node:fs";
import { relative } from "node:path";
import type { RunEnding, TokenStats, Transcript, TranscriptFormat } from "apex-parts";
import { withTranscript } from "./file.ts";
import { filesOf } from "./folder-files.ts";
import type { Values } from "./options.ts";
import { CliError, orDash, print } from "./output.ts";
import type { SessionFigures } from "./session-figures.ts";
import { figuresOf, sessionLines } from "./session-figures.ts";
import { agentTypeOf } from "./sub-agent-files.ts";
import { MOST_FILES, sessionFileOf } from "./transcript-files.ts";
import { dollars, duration, plural } from "./units.ts";
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
  title: unknown;
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

/** A run with the path of its file, by which sub-agents are found. */
interface FoundRun {
  run: Run;
  path: string;
}

/** What the list says of the run in a file. */
function runOf(transcript: Transcript, file: string): Run {
  const { format, session } = transcript;
  const summary = transcript.summary();
  const { asked, ended, models, agents, failed, cost, time: spent } = summary;
  const { start, messages, tokens } = transcript.stats();
  const loops = transcript.loops(FINISHED).length;
  return {
    file,
    format,
    title: session?.title ?? asked?.text,
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

/**
 * The runs of a folder, the latest first; and the files that are not transcripts, with the reason. `more`: there are
 * others that were not opened.
 */
async function runsOf(
  folder: string,
  values: Values,
): Promise<{ runs: Run[]; others: { file: string; reason: string }[]; more: boolean }> {
  const runs: FoundRun[] = [];
  const others: { file: string; reason: string }[] = [];
  const { files, more } = filesOf(folder);
  for (const { path } of files) {
    const file = relative(folder, path);
    try {
      const look = (transcript: Transcript) => {
        const problem = transcript.problems()[0];
        if (transcript.messageCount > 0) return runOf(transcript, file);
        throw new CliError(problem?.message ?? "it contains no message", 1);
      };
      const run = await withTranscript(path, values, look, { inFolder: true });
      runs.push({ run, path });
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      const named = `${path}: `;
      const { message } = error;
      others.push({
        file,
        reason: message.startsWith(named) ? message.slice(named.length) : message,
      });
    }
  }
  return { runs: nested(runs), others, more };
}

/** Adds the figures of a sub-agent's file to those of the run that it belongs to. */
function addTo(run: Run, { run: child, path }: FoundRun): void {
  const { tokens } = run;
  run.messages += child.messages;
  run.failed += child.failed;
  run.loops += child.loops;
  if (child.cost !== undefined) run.cost = (run.cost ?? 0) + child.cost;
  for (const name of ["input", "output", "reasoning"] as const) tokens[name] += child.tokens[name];
  for (const name of ["read", "write"] as const) tokens.cache[name] += child.tokens.cache[name];
  for (const name of ["models", "agents"] as const) {
    run[name] = [...new Set([...run[name], ...child[name]])];
  }
  const agent = agentTypeOf(path);
  const source = { file: child.file, ...(agent === undefined ? {} : { agent }) };
  run.sessions.push(
    ...child.sessions.map((session): SessionFigures => ({ ...session, kind: "task", ...source })),
  );
}

/** The runs, the latest first, with those of sub-agents in the runs that they belong to. */
function nested(all: readonly FoundRun[]): Run[] {
  const plain = (path: string) => path.replaceAll("\\", "/");
  const byPath = new Map(all.map(({ run, path }) => [plain(path), run]));
  const runs: Run[] = [];
  for (const one of all) {
    const parent = byPath.get(sessionFileOf(plain(one.path)) ?? "");
    if (parent === undefined) runs.push(one.run);
    else addTo(parent, one);
  }
  return runs.sort((a, b) => (b.start ?? 0) - (a.start ?? 0));
}

function lines(run: Run): string[] {
  const { file, format, title, start, ended, models, failed, loops, cost, busyMs, sessions } = run;
  const date = orDash(start, (ms) => new Date(ms).toISOString().slice(0, 16).replace("T", " "));
  const trouble = `${failed} failed, ${plural(loops, "loop")}`;
  const spent = `${orDash(cost, dollars)}, ${orDash(busyMs, duration)} busy`;
  const heading = orDash(title, (text) => String(text).replace(/\s+/gu, " ").trim().slice(0, 80));
  return [
    `${date}  ${heading}`,
    `    ${format} ${models.join(", ") || "—"}; ${ended ?? "—"}; ${trouble}; ${spent}`,
    `    ${file}`,
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
