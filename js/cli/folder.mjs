// The runs in a folder: of `inspect DIR`.
import { opendirSync, realpathSync, statSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { withTranscript } from "./file.mjs";
import { CliError, plural, print, time } from "./output.mjs";
import { FINISHED } from "./verdict.mjs";

/** The names of files that can be transcripts end so. */
const ENDINGS = new Set([
  ...[".json", ".jsonl", ".ndjson", ".sse", ".traj", ".eval", ".log", ".txt"],
]);
/** Folders that are not looked into. */
const SKIPPED = new Set(["node_modules", ".git"]);
/** The most files that are opened, and the deepest folder. */
const MOST_FILES = 10_000;
const DEEPEST = 32;

/** Is it a folder? */
export function isFolder(file) {
  if (file === "-") return false;
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function entriesOf(folder) {
  const entries = [];
  try {
    const open = opendirSync(folder);
    try {
      for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
        entries.push(entry.name);
        if (entries.length > 10 * MOST_FILES) break;
      }
    } finally {
      open.closeSync();
    }
  } catch {
    // A folder that may not be read has nothing for this user.
  }
  return entries.sort();
}

/**
 * The files of a folder that can be transcripts, in the order of their paths. Links are followed, each folder is
 * looked into once.
 */
export function filesOf(folder) {
  const files = [];
  const seen = new Set();
  const rest = [{ path: folder, depth: 0 }];
  for (let next = rest.pop(); next !== undefined && files.length < MOST_FILES; next = rest.pop()) {
    const { path, depth } = next;
    let stat;
    let real;
    try {
      stat = statSync(path);
      real = realpathSync(path);
    } catch {
      continue;
    }
    if (seen.has(real)) continue;
    seen.add(real);
    if (stat.isFile() && ENDINGS.has(extname(path).toLowerCase())) files.push(path);
    if (!stat.isDirectory() || depth > DEEPEST) continue;
    const inside = entriesOf(path).filter((name) => !SKIPPED.has(name));
    rest.push(...inside.reverse().map((name) => ({ path: join(path, name), depth: depth + 1 })));
  }
  return files;
}

/** What the list says of a run. */
function runOf(transcript, file) {
  const { format, session, messageCount } = transcript;
  const summary = transcript.summary();
  const { asked, ended, models, agents, failed, cost } = summary;
  const loops = transcript.loops(FINISHED).length;
  return {
    file,
    format,
    title: session?.title ?? asked?.text,
    start: transcript.stats().start,
    ended: ended?.how,
    models,
    agents,
    messages: messageCount,
    failed,
    loops,
    cost,
    busyMs: summary.time?.busy,
  };
}

/** The runs of a folder, the latest first; and the files that are no transcripts, with the reason. */
async function runsOf(folder, values) {
  const runs = [];
  const others = [];
  for (const path of filesOf(folder)) {
    const file = relative(folder, path);
    try {
      const run = await withTranscript(path, values, (transcript) => {
        const problem = transcript.problems()[0];
        if (transcript.messageCount > 0) return runOf(transcript, file);
        throw new CliError(problem?.message ?? "there is no message in it", 1);
      });
      runs.push(run);
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
  runs.sort((a, b) => (b.start ?? 0) - (a.start ?? 0));
  return { runs, others };
}

const known = (value, of) => (value === undefined ? "—" : of(value));

function lines({ file, format, title, start, ended, models, failed, loops, cost, busyMs }) {
  const date = known(start, (ms) => new Date(ms).toISOString().slice(0, 16).replace("T", " "));
  const trouble = `${failed} failed, ${plural(loops, "loop")}`;
  const spent = `${known(cost, (dollars) => `$${dollars.toFixed(4)}`)}, ${known(busyMs, time)} busy`;
  const heading = known(title, (text) => text.replace(/\s+/gu, " ").trim().slice(0, 80));
  return [
    `${date}  ${heading}`,
    `    ${format} ${models.join(", ") || "—"}; ${ended ?? "—"}; ${trouble}; ${spent}`,
    `    ${file}`,
  ];
}

/** Prints the list of runs in a folder. */
export async function inspectFolder(folder, values) {
  const { runs, others } = await runsOf(folder, values);
  if (values.json) {
    print(JSON.stringify({ runs, others }, null, 2));
  } else {
    for (const run of runs) print(lines(run).join("\n"));
    const rest = others.length > 0 ? `; ${plural(others.length, "other file")} not read` : "";
    print(`${runs.length > 0 ? "\n" : ""}${plural(runs.length, "run")}${rest}`);
  }
  return runs.length > 0 ? 0 : 1;
}
