#!/usr/bin/env node
// The command `apex-parts`: inspects transcripts and streams in a terminal, runs the built-in tools,
// and says which skills there are.
import { parseArgs } from "node:util";
import { compact } from "./cli/compact.mjs";
import { convert } from "./cli/convert.mjs";
import { explain } from "./cli/explain.mjs";
import { loops } from "./cli/loops.mjs";
import { CliError, print } from "./cli/output.mjs";
import { KINDS, redact } from "./cli/redact.mjs";
import { search } from "./cli/search.mjs";
import { skills } from "./cli/skills.mjs";
import { assemble } from "./cli/stream.mjs";
import { tool } from "./cli/tool.mjs";
import { inspect, validate } from "./cli/transcript.mjs";
import { setLogger, TRANSCRIPT_FORMATS, version } from "./node.mjs";

/** Names, indented and wrapped to a width. */
function wrapped(names, indent, width) {
  const lines = [];
  let line = "";
  for (const [i, name] of names.entries()) {
    const word = i + 1 < names.length ? `${name},` : name;
    if (line !== "" && indent + line.length + 1 + word.length > width) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map((text) => " ".repeat(indent) + text).join("\n");
}

const HELP = `apex-parts ${version()}: inspects agent transcripts and streams

  apex-parts validate FILE       every rule that the file breaks, and where
  apex-parts inspect FILE        what the run did: asked, ended, failed, mended, files, commits, time;
                                 parts, tools, cost, tokens, loops. Of a folder: the list of its runs
  apex-parts loops FILE          where an agent ran in circles, and what to do about it
  apex-parts search FILE QUERY   matches in texts, reasoning, inputs, outputs, errors, titles
  apex-parts convert FILE --to with-parts|ui-messages|messages|opencode|markdown|html
                                 the file as something else, message by message; opencode is one
                                 session, for opencode import
  apex-parts redact FILE         the file with what should not be shared masked: keys, tokens,
                                 passwords, cookies, mail addresses, names in home folders; as an
                                 export if it is one, else as with-parts. --list: only what it found
  apex-parts compact FILE --context N
                                 what a compaction would keep, summarise and drop, what that
                                 saves, and when it pays; --request prints the request for the
                                 summary, --summary FILE writes the compacted session
  apex-parts assemble FILE       the message that a stream assembles to
  apex-parts explain [CODE]      the rule, error or kind of loop of a code, as BR-09 or fenced: what it
                                 says, an example that breaks it, the cure. Without a code: all
  apex-parts tool NAME JSON      runs a built-in tool (read, edit, grep, bash, …) with these arguments;
                                 JSON may be - for standard input
  apex-parts skills [DIR…]       the skills below these folders, every problem and its place, and
                                 what is no skill and why (default: the folders of agents, from
                                 here up to the repository's and in the home directory)
  apex-parts skills show NAME [DIR…]
                                 what a model gets that calls this skill; a script is not run

FILE is a session of OpenCode (an export, its events, the output of run --format json), Claude
Code, Codex, Gemini CLI and others (see --format), messages with their parts or of a run (a JSON
array, or one a line), or a recorded stream of deltas or of a provider (SSE or NDJSON); assemble
takes deltas and providers only. It may be larger than the memory. - reads standard input, which
is kept in memory.

  --json                  validate, inspect, loops, search, compact, tool, skills, explain,
                          redact --list: print JSON
  --ids apex|opencode     validate, inspect: which ids are valid (default: those of the format)
  --for opencode          validate: every reason for which opencode import would stop, and what it
                          would drop, instead of the rules of the model
  --threshold N           loops: how many repeats are a loop (default 3; 0 turns repeats off);
                          compact: the tokens at which the context overflows
  --max-iterations N      loops: how many calls a run may make (default: any number, for a long
                          session that has ended is no loop; the library's own default is 50)
  --regex                 search: QUERY is a regular expression
  --case-sensitive        search: match case
  --limit N               search: show at most N matches (default 1000)
  --to NAME               convert: the target; ui-messages are the AI SDK's, messages those of a run
  --session ID            convert, redact: this session, if there are several (default: all, but with
                          --to opencode the main one); compact: this session (default: the main one)
  --new-ids               convert --to opencode: every id is new, for a copy beside the original
  --title TEXT            convert --to opencode: the title of the session (default: its own, or the
                          first words of the first prompt)
  --directory DIR         convert --to opencode: the folder of the session, and of messages that name
                          none; opencode import sets the session's to where it runs
  -o, --out FILE          convert, redact, compact: write to this file (default: standard output)
  --context N             compact: the tokens that the model's context holds, as 200000
  --input N, --output N   compact: the most input and the most output of the model, if it has limits
                          for them
  --plan                  compact: show the plan, also with --summary
  --request               compact: print the request for the summary, for a model
  --summary FILE          compact: the text of the summary; write the compacted session. - for
                          standard input
  --prune                 compact: clear old outputs first; with -o, without --summary: only that
  --overflow              compact: the provider has refused the last request; it is asked again
                          after the summary, without media
  --keep N                compact: tokens of what stays verbatim (default: a quarter of what is
                          usable, 2000 to 15000)
  --list                  redact: print what was found, kind by kind with its places, and no transcript;
                          of each secret only its first 4 characters and its length
  --keep KIND,…           redact: do not mask these kinds:
${wrapped(KINDS(), 26, 100)}
  --tail-turns N          compact: at most so many recent turns stay; 0: none
  --reserved N            compact: tokens kept free of --input (default 20000, or the output)
  --protect N, --minimum N
                          compact --prune: tokens of newest outputs that are never cleared (default
                          40000); clear only what saves more than so many (default 20000)
  --estimator NAME        compact: how tokens are counted that no provider reported: chars (the
                          default, as OpenCode) or classes (closer to tokenizers)
  --format NAME           the format of FILE (default: detected from the content):
${wrapped(TRANSCRIPT_FORMATS, 26, 100)}
  --parts                 assemble: print the message with its parts, as validate and inspect take it
  --deltas                assemble: print the deltas of every response in the file, one a line
  --follow                assemble: print each change as the bytes arrive, one a line
  --dir DIR               tool: the folder to work in (default: this one)
  --allow RULES           tool: what need not be asked, as edit, bash:git *, or a JSON object of
                          permissions; what reads in the folder never is. Without a terminal,
                          what would be asked is denied. May be given several times
  --strict                skills: judge as the specification's own validator does
  --help, --version

Exit code: 0 success; 1 the file breaks rules (validate), has a loop that should have been
interrupted (loops; a loop that deserves only a warning gives 0), has no match (search), has an
unknown format, or is a stream that could be assembled only in part, or has nothing to summarise
(compact), or the tool ended in an error, or a skill has an error or is not there (skills);
2 the command line is wrong, or a file could not be read or written.

If standard error is a terminal, reading a file of more than 50 MB shows its progress.
Matches are coloured on a terminal; NO_COLOR turns that off, FORCE_COLOR on.
`;

const MORE = "apex-parts --help says which commands and options there are";

/** What the help says of a command: at the end of an error more would hide what is wrong. */
const usage = (name) =>
  HELP.split(/\n(?! {33})/)
    .filter((line) => line.startsWith(`  apex-parts ${name} `))
    .join("\n");

/** Each command: its function, its arguments (FILE unless told), and its options. */
const COMMANDS = {
  validate: { run: validate, options: ["json", "ids", "format", "for"] },
  inspect: { run: inspect, options: ["json", "ids", "format"] },
  loops: { run: loops, options: ["json", "format", "threshold", "max-iterations"] },
  search: {
    run: search,
    takes: ["FILE", "QUERY"],
    options: ["json", "format", "regex", "case-sensitive", "limit"],
  },
  convert: {
    run: convert,
    options: ["format", "to", "session", "new-ids", "title", "directory", "out"],
  },
  redact: { run: redact, options: ["json", "format", "session", "out", "list", "keep"] },
  compact: {
    run: compact,
    options: [
      ...["json", "format", "session", "out", "context", "input", "output", "plan", "request"],
      ...["summary", "prune", "overflow", "keep", "tail-turns", "reserved", "threshold"],
      ...["protect", "minimum", "estimator"],
    ],
  },
  assemble: { run: assemble, options: ["json", "format", "parts", "deltas", "follow"] },
  tool: { run: tool, takes: ["NAME", "JSON"], options: ["json", "dir", "allow"] },
  // Any number of codes, or none.
  explain: { run: explain, takes: undefined, options: ["json"] },
  // Any number of folders, or none.
  skills: { run: skills, takes: undefined, options: ["json", "strict"] },
};

async function run(args) {
  let parsed;
  try {
    parsed = parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: "boolean" },
        ids: { type: "string" },
        for: { type: "string" },
        "new-ids": { type: "boolean" },
        title: { type: "string" },
        directory: { type: "string" },
        format: { type: "string" },
        parts: { type: "boolean" },
        deltas: { type: "boolean" },
        follow: { type: "boolean" },
        threshold: { type: "string" },
        "max-iterations": { type: "string" },
        regex: { type: "boolean" },
        "case-sensitive": { type: "boolean" },
        limit: { type: "string" },
        list: { type: "boolean" },
        to: { type: "string" },
        session: { type: "string" },
        out: { type: "string", short: "o" },
        context: { type: "string" },
        input: { type: "string" },
        output: { type: "string" },
        plan: { type: "boolean" },
        request: { type: "boolean" },
        summary: { type: "string" },
        prune: { type: "boolean" },
        overflow: { type: "boolean" },
        keep: { type: "string" },
        "tail-turns": { type: "string" },
        reserved: { type: "string" },
        protect: { type: "string" },
        minimum: { type: "string" },
        estimator: { type: "string" },
        dir: { type: "string" },
        allow: { type: "string", multiple: true },
        strict: { type: "boolean" },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new CliError(error.message, 2);
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
  if (!command) throw new CliError(name ? `no command ${name}\n${MORE}` : HELP, 2);
  const takes = "takes" in command ? command.takes : ["FILE"];
  if (takes && (!file || 1 + rest.length !== takes.length)) {
    throw new CliError(
      `${name} takes one ${takes.join(" and one ")}\n\n${usage(name)}\n${MORE}`,
      2,
    );
  }
  const foreign = Object.keys(values).filter((option) => !command.options.includes(option));
  if (foreign.length > 0) {
    throw new CliError(`${name} has no --${foreign.join(", --")}\n\n${usage(name)}\n${MORE}`, 2);
  }
  return command.run(file, values, rest);
}

/** Ends the process after an error of standard output. */
function stop(error) {
  // A reader that closes early (`| head`) is not an error: the exit code set so far remains.
  if (error.code === "EPIPE") {
    setImmediate(() => process.exit());
    return;
  }
  process.stderr.write(`standard output: ${error.message}\n`);
  process.exit(2);
}

process.stdout.on("error", stop);
// If standard error fails too, the exit code still reports the result.
process.stderr.on("error", () => {});
setLogger(undefined);
try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (error.code === "EPIPE") process.exit();
  // A pending write may fail before the listener of standard output is called.
  if (error === process.stdout.errored) stop(error);
  if (!(error instanceof CliError)) throw error;
  process.stderr.write(`${error.message.trimEnd()}\n`);
  process.exitCode = error.code;
}
