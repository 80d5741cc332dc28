// `validate` and `inspect`: the problems and the contents of a file.
import { openCodeProblems } from "../node.mjs";
import { withTranscript } from "./file.mjs";
import { inspectFolder, isFolder } from "./folder.mjs";
import { CliError, known, print, unruled } from "./output.mjs";
import { summaryLines } from "./summary.mjs";
import { dollars, duration, plural } from "./units.mjs";
import { FINISHED, loopLine } from "./verdict.mjs";

function count(problems) {
  const errors = problems.filter((p) => p.severity === "error").length;
  return { errors, warnings: problems.length - errors };
}

/** The readers for which a file can be checked: `--for`. */
const READERS = { opencode: openCodeProblems };

/** The problems of a file by the rules of the model, or by those of a reader. */
function problemsOf(transcript, reader) {
  return reader === undefined ? transcript.problems() : READERS[reader](transcript);
}

export function validate(file, values) {
  const { for: reader } = values;
  if (reader !== undefined && !Object.hasOwn(READERS, reader)) {
    throw new CliError(`--for is ${Object.keys(READERS).join(", ")}; not ${reader}`, 2);
  }
  // What is recognised but not read has a problem as any other; a reader would be shown what is not there.
  const options = { unread: reader === undefined };
  return withTranscript(file, values, (transcript) => check(transcript, values), options);
}

function check(transcript, { json, for: reader }) {
  const problems = problemsOf(transcript, reader);
  const { errors, warnings } = count(problems);
  if (json) {
    print(JSON.stringify({ valid: errors === 0, problems }, null, 2));
  } else {
    for (const problem of problems) {
      const { severity, rule, path, offset } = problem;
      const byte = offset === undefined ? "" : ` (byte ${offset})`;
      print(`${severity} ${rule}${path && ` at ${path}`}${byte}: ${unruled(problem)}`);
    }
    const found = `${plural(errors, "error")}, ${plural(warnings, "warning")}`;
    print(`${found} in ${plural(transcript.messageCount, "message")}`);
  }
  return errors > 0 ? 1 : 0;
}

/** The lines of a table; the first column is left-aligned, the others right-aligned. */
function table(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => String(row[i]).length)));
  return rows.map((row) => {
    const cells = row.map((cell, i) =>
      i === 0 ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i]),
    );
    return `  ${cells.join("  ")}`;
  });
}

/** What is in a file, or in the files of a folder. */
export const inspect = (file, values) =>
  isFolder(file)
    ? inspectFolder(file, values)
    : withTranscript(file, values, (transcript) => show(transcript, values));

function show(transcript, { json }) {
  const summary = transcript.summary();
  const stats = transcript.stats();
  const problems = count(transcript.problems());
  const loops = transcript.loops(FINISHED);
  const { format, session, messageCount, partCount, sessions = [] } = transcript;
  // Formats without times have messages of the beginning of time.
  const durationMs = stats.start > 0 ? stats.end - stats.start : undefined;
  if (json) {
    const counts = { messageCount, partCount, durationMs };
    const known = { summary, stats, problems, loops };
    const all = { format, session, sessions, ...counts, ...known };
    print(JSON.stringify(all, null, 2));
    return 0;
  }
  const { tokens } = stats;
  if (session?.title) print(String(session.title));
  print(`${format}: ${plural(messageCount, "message")}, ${plural(partCount, "part")}`);
  if (durationMs !== undefined) {
    print(`from ${new Date(stats.start).toISOString()}, ${duration(durationMs)}`);
  }
  print(["", "summary", ...summaryLines(summary), ""].join("\n"));
  print(`${plural(stats.steps, "step")}, ${known(summary.cost, dollars)}`);
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
      `${t.failed} failed${t.errors > 0 ? `, ${plural(t.errors, "error")}` : ""}`,
      duration(t.totalMs),
    ]);
    print(["", "tools", ...table(rows)].join("\n"));
  }
  if (loops.length > 0) {
    const lines = loops.map((loop) => `  ${loopLine(loop)}\n    ${loop.message}`);
    print(["", "loops", ...lines].join("\n"));
  }
  if (sessions.length > 1) {
    const rows = sessions.map(({ id, parentID, title = "" }) => {
      return `  ${id}${parentID ? ` (of ${parentID})` : ""} ${title}`.trimEnd();
    });
    print(["", "sessions (apex-parts convert --session ID)", ...rows].join("\n"));
  }
  const { errors, warnings } = problems;
  print(`\n${plural(errors, "error")}, ${plural(warnings, "warning")} (apex-parts validate)`);
  return 0;
}
