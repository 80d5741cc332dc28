#!/usr/bin/env node
// The command `apex-parts`: shows and inspects transcripts and streams, runs the built-in tools, and says which
// skills there are.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { setLogger, version } from "apex-parts";
import { COMMANDS, FLAGS } from "./cli/commands.ts";
import { help, helpOf, usage } from "./cli/help.ts";
import { CliError, print } from "./cli/output.ts";

const MORE = "apex-parts --help says which commands and options there are";

/** What is said of a wrong command line of a command: at the end of an error more would hide what is wrong. */
const misused = (name, wrong) =>
  new CliError(`${wrong}\n\n${usage(name)}\napex-parts ${name} --help says more`, 2);

const isCommand = (name) => Object.hasOwn(COMMANDS, name);

/** The error for a command that does not exist; a file was probably meant for `view`. */
function unknown(name) {
  const open = existsSync(name) ? `: apex-parts view ${name} opens it` : "";
  return new CliError(`no command ${name}${open}\n${MORE}`, 2);
}

async function run(args) {
  let parsed;
  try {
    const own = { help: { type: "boolean", short: "h" }, version: { type: "boolean" } };
    parsed = parseArgs({ args, allowPositionals: true, options: { ...FLAGS, ...own } });
  } catch (error) {
    throw new CliError(error.message, 2);
  }
  const { values, positionals } = parsed;
  if (values.version) {
    print(version());
    return 0;
  }
  const isHelp = values.help || positionals[0] === "help";
  // Without arguments the viewer is what there is to see.
  const [name = isHelp ? undefined : "view", file, ...rest] =
    positionals[0] === "help" ? positionals.slice(1) : positionals;
  if (name !== undefined && !isCommand(name)) throw unknown(name);
  if (isHelp) {
    process.stdout.write(name === undefined ? help() : helpOf(name));
    return 0;
  }
  const command = COMMANDS[name];
  const takes = "takes" in command ? command.takes : ["FILE"];
  if (takes && (!file || 1 + rest.length !== takes.length)) {
    throw misused(name, `${name} takes one ${takes.join(" and one ")}`);
  }
  const known = command.options.map((option) => option.name);
  const foreign = Object.keys(values).filter((option) => !known.includes(option));
  if (foreign.length > 0) throw misused(name, `${name} has no --${foreign.join(", --")}`);
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
