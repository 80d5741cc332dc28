// `validate` and `inspect`: the problems and the contents of a file.
import type { Problem, Transcript } from "apex-parts";
import { openCode2Problems, openCodeProblems } from "apex-parts";
import { isFolder, withTranscript } from "./file.ts";
import type { Values } from "./options.ts";
import { CliError, nameOf, orDash, print, tellLost, unruled } from "./output.ts";
import { figuresOf, sessionLines } from "./session-figures.ts";
import { mainSession, scopeOf, wantedSession } from "./sessions.ts";
import { line, summaryLines } from "./summary.ts";
import { dollars, duration, plural } from "./units.ts";
import { FINISHED, loopLine } from "./verdict.ts";

/** The most sessions that are printed: a data set has one a record. */
const LISTED = 100;

function count(problems: readonly Problem[]): { errors: number; warnings: number } {
  const errors = problems.filter((p) => p.severity === "error").length;
  return { errors, warnings: problems.length - errors };
}

/** The readers for which a file can be checked: `--for`. */
const READERS: Record<string, (transcript: Transcript) => Problem[]> = {
  opencode: openCodeProblems,
  opencode2: openCode2Problems,
};

/** The problems of a file, or of one session, by the rules of the model or by those of a reader. */
function problemsOf(
  transcript: Transcript,
  reader: string | undefined,
  session: string | undefined,
): Problem[] {
  const read = reader === undefined ? undefined : READERS[reader];
  if (read) return read(transcript);
  const problems = transcript.problems();
  if (session === undefined) return problems;
  const sessions = transcript.layout().sessions;
  const isMain = transcript.sessions[0]?.id === session;
  const own = `/sessions/${session.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  return problems.filter(({ path }) => {
    // What was lost to damage is of no session.
    if (path === "") return true;
    if (path.startsWith("/sessions/")) return path === own || path.startsWith(`${own}/`);
    const message = /^(?:\/messages)?\/(\d+)/u.exec(path)?.[1];
    const place = message === undefined ? undefined : sessions[Number(message)];
    return place === undefined ? isMain : (transcript.sessions[place]?.id ?? session) === session;
  });
}

export function validate(file: string, values: Values): Promise<number> {
  const { for: reader } = values;
  if (reader !== undefined && !Object.hasOwn(READERS, reader)) {
    throw new CliError(`--for must be ${Object.keys(READERS).join(", ")}, not ${reader}`, 2);
  }
  if (reader !== undefined && values.session !== undefined) {
    throw new CliError(
      "--session is for the rules of the model: --for is about the main session",
      2,
    );
  }
  // As JSON a file without a message has problems as any other.
  const options = { unread: values.json === true };
  const look = (transcript: Transcript) => {
    wantedSession(transcript, nameOf(file), values.session);
    // What a reader is asked about is what is written for it: the main session.
    if (reader !== undefined) mainSession(transcript, nameOf(file));
    return check(transcript, values);
  };
  return withTranscript(file, values, look, options);
}

function check(transcript: Transcript, { json, for: reader, session }: Values): number {
  const problems = problemsOf(transcript, reader, session);
  const { errors, warnings } = count(problems);
  if (json) {
    const { looksLike } = transcript;
    print(JSON.stringify({ valid: errors === 0, looksLike, problems }, null, 2));
  } else {
    for (const problem of problems) {
      const { severity, rule, path, offset } = problem;
      const byte = offset === undefined ? "" : ` (byte ${offset})`;
      print(`${severity} ${rule}${path && ` at ${path}`}${byte}: ${unruled(problem)}`);
    }
    const sums = `${plural(errors, "error")}, ${plural(warnings, "warning")}`;
    print(`${sums} in ${plural(transcript.stats(scopeOf(session)).messages, "message")}`);
  }
  return errors > 0 || transcript.stats().messages === 0 ? 1 : 0;
}

/** The lines of a table; the first column is left-aligned, the others right-aligned. */
function table(rows: readonly (readonly (string | number)[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, i) =>
    Math.max(...rows.map((row) => String(row[i]).length)),
  );
  return rows.map((row) => {
    const cells = row.map((cell, i) =>
      i === 0 ? String(cell).padEnd(widths[i] ?? 0) : String(cell).padStart(widths[i] ?? 0),
    );
    return `  ${cells.join("  ")}`;
  });
}

/** What is in a file, or in the files of a folder. */
export const inspect = async (file: string, values: Values): Promise<number> =>
  isFolder(file)
    ? (await import("./folder.ts")).inspectFolder(file, values)
    : withTranscript(
        file,
        values,
        (transcript) => {
          wantedSession(transcript, nameOf(file), values.session);
          return show(transcript, nameOf(file), values);
        },
        { unread: values.json === true },
      );

function show(transcript: Transcript, name: string, { json, session: wanted }: Values): number {
  const scope = scopeOf(wanted);
  const summary = transcript.summary(scope);
  const stats = transcript.stats(scope);
  const problems = count(transcript.problems());
  const loops = transcript.loops({ ...FINISHED, ...scope });
  const { format, looksLike, session } = transcript;
  const messageCount = stats.messages;
  const partCount = Object.values(stats.parts).reduce((sum, parts) => sum + parts, 0);
  const sessions = figuresOf(transcript);
  const { start, end } = stats;
  const durationMs = start === undefined || end === undefined ? undefined : end - start;
  if (json) {
    const counts = { messageCount, partCount, durationMs };
    const facts = { summary, stats, problems, loops };
    const all = { format, looksLike, session, sessions, ...counts, ...facts };
    print(JSON.stringify(all, null, 2));
    return messageCount === 0 || transcript.isForeign ? 1 : 0;
  }
  const { tokens } = stats;
  if (session?.title) print(String(session.title));
  print(`${format}: ${plural(messageCount, "message")}, ${plural(partCount, "part")}`);
  if (start !== undefined && durationMs !== undefined) {
    print(`from ${new Date(start).toISOString()}, ${duration(durationMs)}`);
  }
  if (typeof session?.forkOf === "string") print(`fork of ${line(session.forkOf)}`);
  // Of messages for a model.
  if (typeof session?.system === "string") print(`instructions: ${line(session.system)}`);
  if (loops.length > 0) {
    const lines = loops.map((loop) => `  ${loopLine(loop)}\n    ${loop.message}`);
    print(["", "loops", ...lines].join("\n"));
  }
  print(["", "summary", ...summaryLines(summary), ""].join("\n"));
  print(`${plural(stats.steps, "step")}, ${orDash(summary.cost, dollars)}`);
  const { input, output, reasoning, cache } = tokens;
  print(
    `tokens: ${input} in, ${output} out, ${reasoning} reasoning, cache ${cache.read} read, ${cache.write} written`,
  );
  const parts = Object.entries(stats.parts).sort(([, a], [, b]) => b - a);
  if (parts.length > 0) print(["", "parts", ...table(parts)].join("\n"));
  const tools = Object.entries(stats.tools).sort(([, a], [, b]) => b.calls - a.calls);
  if (tools.length > 0) {
    const rows = tools.map(([name, t]) => [
      name,
      plural(t.calls, "call"),
      `${t.failedCalls ?? 0} failed`,
      duration(t.totalMs),
    ]);
    print(["", "tools", ...table(rows)].join("\n"));
  }
  if (sessions.length > 1) {
    const rows = sessions.slice(0, LISTED).flatMap(sessionLines);
    const more = sessions.length - LISTED;
    if (more > 0) rows.push(`  … and ${plural(more, "more session")} (--json: all)`);
    print(["", "sessions (--session ID: one of them)", ...rows].join("\n"));
  }
  const { errors, warnings } = problems;
  print(`\n${plural(errors, "error")}, ${plural(warnings, "warning")} (apex-parts validate)`);
  if (!transcript.isForeign) return 0;
  tellLost(transcript, name);
  return 1;
}
