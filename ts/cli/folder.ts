// The runs in a folder: of `inspect DIR`.
import { statSync } from "node:fs";
import { relative } from "node:path";
import { withTranscript } from "./file.ts";
import { filesOf } from "./folder-files.ts";
import { CliError, known, print } from "./output.ts";
import { figuresOf, sessionLines } from "./session-figures.ts";
import { agentTypeOf } from "./sub-agent-files.ts";
import { MOST_FILES, sessionFileOf } from "./transcript-files.ts";
import { dollars, duration, plural } from "./units.ts";
import { FINISHED } from "./verdict.ts";

/** Is it a folder? */
export function isFolder(file) {
  if (file === "-") return false;
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** What the list says of a run. */
function runOf(transcript, file) {
  const { format, session } = transcript;
  const summary = transcript.summary();
  const { asked, ended, models, agents, failed, cost, time: spent } = summary;
  const { start, messages, tokens } = transcript.stats();
  const loops = transcript.loops(FINISHED).length;
  return {
    file,
    format,
    title: session?.title ?? asked?.text,
    // Formats without times have messages of the beginning of time.
    start: start === 0 ? undefined : start,
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
 * The runs of a folder, the latest first; and the files that are no transcripts, with the reason. `more`: there are
 * others that were not opened.
 */
async function runsOf(folder, values) {
  const runs = [];
  const others = [];
  const { files, more } = filesOf(folder);
  for (const { path } of files) {
    const file = relative(folder, path);
    try {
      const look = (transcript) => {
        const problem = transcript.problems()[0];
        if (transcript.messageCount > 0) return runOf(transcript, file);
        throw new CliError(problem?.message ?? "there is no message in it", 1);
      };
      const run = await withTranscript(path, values, look, { inFolder: true });
      runs.push({ ...run, path });
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
function addTo(run, child) {
  const { tokens } = run;
  run.messages += child.messages;
  run.failed += child.failed;
  run.loops += child.loops;
  if (child.cost !== undefined) run.cost = (run.cost ?? 0) + child.cost;
  for (const name of ["input", "output", "reasoning"]) tokens[name] += child.tokens[name];
  for (const name of ["read", "write"]) tokens.cache[name] += child.tokens.cache[name];
  for (const name of ["models", "agents"]) {
    run[name] = [...new Set([...run[name], ...child[name]])];
  }
  const agent = agentTypeOf(child.path);
  const told = { file: child.file, ...(agent === undefined ? {} : { agent }) };
  run.sessions.push(...child.sessions.map((session) => ({ ...session, kind: "task", ...told })));
}

/** The runs, the latest first, with those of sub-agents in the runs that they belong to. */
function nested(all) {
  const byPath = new Map(all.map((run) => [run.path.replaceAll("\\", "/"), run]));
  const runs = [];
  for (const run of all) {
    const parent = byPath.get(sessionFileOf(run.path.replaceAll("\\", "/")));
    if (parent === undefined) runs.push(run);
    else addTo(parent, run);
  }
  for (const run of runs) delete run.path;
  return runs.sort((a, b) => (b.start ?? 0) - (a.start ?? 0));
}

function lines(run) {
  const { file, format, title, start, ended, models, failed, loops, cost, busyMs, sessions } = run;
  const date = known(start, (ms) => new Date(ms).toISOString().slice(0, 16).replace("T", " "));
  const trouble = `${failed} failed, ${plural(loops, "loop")}`;
  const spent = `${known(cost, dollars)}, ${known(busyMs, duration)} busy`;
  const heading = known(title, (text) => text.replace(/\s+/gu, " ").trim().slice(0, 80));
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
export async function inspectFolder(folder, values) {
  const { runs, others, more } = await runsOf(folder, values);
  if (values.json) {
    print(JSON.stringify({ runs, others, more }, null, 2));
  } else {
    for (const run of runs) print(lines(run).join("\n"));
    const rest = others.length > 0 ? `; ${plural(others.length, "other file")} not read` : "";
    print(`${runs.length > 0 ? "\n" : ""}${plural(runs.length, "run")}${rest}`);
    if (more) print(`there are more: of a folder ${plural(MOST_FILES, "file")} are opened`);
  }
  return runs.length > 0 ? 0 : 1;
}
