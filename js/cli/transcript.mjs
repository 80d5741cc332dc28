// `validate` and `inspect`: what is in a file, and what is wrong with it.
import { readFileSync } from "node:fs";
import { isApexPartsError, Transcript } from "../node.mjs";
import { Complaint, nameOf, plural, print, unreadable } from "./say.mjs";
import { FINISHED, loopLine } from "./verdict.mjs";

/** Opens a transcript for a command to look at. */
export function withTranscript(look) {
  return (file, values) => {
    const { ids, format } = values;
    if (ids !== undefined && ids !== "apex" && ids !== "opencode") {
      throw new Complaint(`--ids is apex or opencode, not ${ids}`, 2);
    }
    let bytes;
    try {
      bytes = readFileSync(file === "-" ? 0 : file);
    } catch (error) {
      throw unreadable(file, error);
    }
    let transcript;
    try {
      // `delta` is what the records are, `deltas` what the file is: here, either is understood.
      transcript = Transcript.open(bytes, { ids, format: format === "delta" ? "deltas" : format });
    } catch (error) {
      if (isApexPartsError(error)) throw new Complaint(`${nameOf(file)}: ${error.message}`, 1);
      throw error;
    }
    try {
      return look(transcript, values);
    } finally {
      transcript.free();
    }
  };
}

function count(problems) {
  const errors = problems.filter((p) => p.severity === "error").length;
  return { errors, warnings: problems.length - errors };
}

export const validate = withTranscript((transcript, { json }) => {
  const problems = transcript.problems();
  const { errors, warnings } = count(problems);
  if (json) {
    print(JSON.stringify({ valid: errors === 0, problems }, null, 2));
  } else {
    for (const { severity, rule, path, offset, message } of problems) {
      const byte = offset === undefined ? "" : ` (byte ${offset})`;
      print(`${severity} ${rule}${path && ` at ${path}`}${byte}: ${message}`);
    }
    const found = `${plural(errors, "error")}, ${plural(warnings, "warning")}`;
    print(`${found} in ${plural(transcript.messageCount, "message")}`);
  }
  return errors > 0 ? 1 : 0;
});

function time(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Lines of two columns or more, the first padded to the widest. */
function table(rows) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => String(row[i]).length)));
  return rows.map((row) => {
    const cells = row.map((cell, i) =>
      i === 0 ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i]),
    );
    return `  ${cells.join("  ")}`;
  });
}

export const inspect = withTranscript((transcript, { json }) => {
  const stats = transcript.stats();
  const problems = count(transcript.problems());
  const loops = transcript.loops(FINISHED);
  const { format, session, messageCount, partCount } = transcript;
  const durationMs = stats.start === undefined ? undefined : stats.end - stats.start;
  if (json) {
    const all = { format, session, messageCount, partCount, durationMs, stats, problems, loops };
    print(JSON.stringify(all, null, 2));
    return 0;
  }
  const { tokens } = stats;
  if (session?.title) print(String(session.title));
  print(`${format}: ${plural(messageCount, "message")}, ${plural(partCount, "part")}`);
  if (durationMs !== undefined) {
    print(`from ${new Date(stats.start).toISOString()}, ${time(durationMs)}`);
  }
  print(`${plural(stats.steps, "step")}, $${stats.cost.toFixed(4)}`);
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
      `${t.errors} failed`,
      time(t.totalMs),
    ]);
    print(["", "tools", ...table(rows)].join("\n"));
  }
  if (loops.length > 0) {
    const lines = loops.map((loop) => `  ${loopLine(loop)}\n    ${loop.message}`);
    print(["", "loops", ...lines].join("\n"));
  }
  const { errors, warnings } = problems;
  print(`\n${plural(errors, "error")}, ${plural(warnings, "warning")} (apex-parts validate)`);
  return 0;
});
