#!/usr/bin/env node
// The command `apex-parts`: looks into transcripts from a terminal.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { isApexPartsError, setLogger, Transcript, version } from "./node.mjs";

const HELP = `apex-parts ${version()}: looks into agent transcripts

  apex-parts validate FILE   every rule that the file breaks, and where
  apex-parts inspect FILE    what is in it: messages, parts, tools, cost, tokens, time

FILE is an OpenCode export or messages with their parts (a JSON array, or one a line);
- reads standard input.

  --json                  print JSON
  --ids apex|opencode     which ids are good ones (default: those of the format)
  --format NAME           opencode-export or with-parts (default: told from the content)
  --help, --version

Exit code: 0 all is well, 1 the file breaks rules (validate) or is no transcript,
2 the command was not understood or the file could not be read.
`;

/** What the user has to mend; its message is all that is printed. */
class Complaint extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

function open(file, options) {
  let bytes;
  try {
    bytes = readFileSync(file === "-" ? 0 : file);
  } catch (error) {
    const why = error.code === "ENOENT" ? "there is no such file" : error.message;
    throw new Complaint(`${file}: ${why}`, 2);
  }
  try {
    return Transcript.open(bytes, options);
  } catch (error) {
    if (isApexPartsError(error)) throw new Complaint(`${file}: ${error.message}`, 1);
    throw error;
  }
}

const plural = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;

function count(problems) {
  const errors = problems.filter((p) => p.severity === "error").length;
  return { errors, warnings: problems.length - errors };
}

function validate(transcript, { json }) {
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
}

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

function inspect(transcript, { json }) {
  const stats = transcript.stats();
  const problems = count(transcript.problems());
  const { format, session, messageCount, partCount } = transcript;
  const durationMs = stats.start === undefined ? undefined : stats.end - stats.start;
  if (json) {
    const all = { format, session, messageCount, partCount, durationMs, stats, problems };
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
  const { errors, warnings } = problems;
  print(`\n${plural(errors, "error")}, ${plural(warnings, "warning")} (apex-parts validate)`);
  return 0;
}

const COMMANDS = { validate, inspect };

function print(text) {
  process.stdout.write(`${text}\n`);
}

function run(args) {
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: "boolean" },
        ids: { type: "string" },
        format: { type: "string" },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new Complaint(error.message, 2);
  }
  const { values, positionals } = parsed;
  if (values.version) {
    print(version());
    return 0;
  }
  const [name, file, ...rest] = positionals;
  if (values.help || name === "help") {
    process.stdout.write(HELP);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name ?? "") ? COMMANDS[name] : undefined;
  if (!command) throw new Complaint(name ? `no command ${name}\n\n${HELP}` : HELP, 2);
  if (!file || rest.length > 0) throw new Complaint(`${name} takes one FILE\n\n${HELP}`, 2);
  const { ids, format } = values;
  if (ids !== undefined && ids !== "apex" && ids !== "opencode") {
    throw new Complaint(`--ids is apex or opencode, not ${ids}`, 2);
  }
  const transcript = open(file, { ids, format });
  try {
    return command(transcript, values);
  } finally {
    transcript.free();
  }
}

// A reader that has seen enough (`| head`) is no error.
process.stdout.on("error", (error) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});
setLogger(undefined);
try {
  process.exitCode = run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Complaint)) throw error;
  process.stderr.write(`${error.message.trimEnd()}\n`);
  process.exitCode = error.code;
}
