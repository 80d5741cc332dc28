#!/usr/bin/env node
// The command `apex-parts`: shows and inspects transcripts and streams, runs the built-in tools, and says which
// skills there are.
import "./cli/less-compiling.ts";
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { setLogger, version } from "apex-parts";
import type { CommandName } from "./cli/commands.ts";
import { COMMANDS } from "./cli/commands.ts";
import { help, helpOf, usage } from "./cli/help.ts";
import { FLAGS } from "./cli/options.ts";
import { argument, CliError, faultOf, print } from "./cli/output.ts";

const MORE = "apex-parts --help lists the commands and options";

/** What is said of a wrong command line of a command: at the end of an error more would hide what is wrong. */
const misused = (name: CommandName, wrong: string) =>
  new CliError(`${wrong}\n\n${usage(name)}\napex-parts ${name} --help explains more`, 2);

const isCommand = (name: string): name is CommandName => Object.hasOwn(COMMANDS, name);

/** The error for a command that does not exist; a file was probably meant for `view`. */
function unknown(name: string): CliError {
  const open = existsSync(name) ? `: apex-parts view ${argument(name)} opens it` : "";
  return new CliError(`no command ${name}${open}\n${MORE}`, 2);
}

/** The options that are not of a command. */
const OWN = { help: { type: "boolean", short: "h" }, version: { type: "boolean" } } as const;

/** A filter of a query that is turned round: it is no option, whatever it begins with. */
const TURNED_FILTER = /^-(?:tool|status|exit|role|type|agent|cost|tokens|dur)\s*[:<>=]/iu;

/** The arguments of `search` with a query that begins with a minus behind all options. */
function withQueryLast(args: string[]): string[] {
  const queries = args.filter((one) => TURNED_FILTER.test(one));
  if (args[0] !== "search" || queries.length === 0 || args.includes("--")) return args;
  return [...args.filter((one) => !queries.includes(one)), "--", ...queries];
}

/** Reads the arguments. */
function parse(given: string[]) {
  const args = withQueryLast(given);
  try {
    return parseArgs({ args, allowPositionals: true, options: { ...FLAGS, ...OWN } });
  } catch (error) {
    throw new CliError(faultOf(error).message, 2);
  }
}

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parse(args);
  if (values.version) {
    print(version());
    return 0;
  }
  const isHelp = values.help || positionals[0] === "help";
  // Without arguments the viewer is what there is to see.
  const [name = isHelp ? undefined : "view", file, ...rest] =
    positionals[0] === "help" ? positionals.slice(1) : positionals;
  if (name !== undefined && !isCommand(name)) throw unknown(name);
  if (isHelp || name === undefined) {
    process.stdout.write(name === undefined ? help() : helpOf(name));
    return 0;
  }
  const command = COMMANDS[name];
  if (command.takes === "any") {
    checkOptions(name, values);
    setLogger(undefined);
    return command.run(file, values, rest);
  }
  const { takes = ["FILE"] } = command;
  if (!file || 1 + rest.length !== takes.length) {
    throw misused(name, `${name} takes one ${takes.join(" and one ")}`);
  }
  checkOptions(name, values);
  setLogger(undefined);
  return command.run(file, values, rest);
}

/** Throws if an option is given that the command does not have. */
function checkOptions(name: CommandName, values: object): void {
  const names: string[] = COMMANDS[name].options.map((option) => option.name);
  const foreign = Object.keys(values).filter((option) => !names.includes(option));
  if (foreign.length > 0) throw misused(name, `${name} has no --${foreign.join(", --")}`);
}

/** Ends the process after an error of standard output. */
function stop(error: Error): void {
  // A reader that closes early (`| head`) is not an error: the exit code set so far remains.
  if (faultOf(error).code === "EPIPE") {
    setImmediate(() => process.exit());
    return;
  }
  process.stderr.write(`standard output: ${error.message}\n`);
  process.exit(2);
}

process.stdout.on("error", stop);
// If standard error fails too, the exit code still reports the result.
process.stderr.on("error", () => {});
try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (faultOf(error).code === "EPIPE") process.exit();
  // A pending write may fail before the listener of standard output is called.
  const { errored } = process.stdout;
  if (errored && error === errored) stop(errored);
  if (!(error instanceof CliError)) throw error;
  process.stderr.write(`${error.message.trimEnd()}\n`);
  process.exitCode = error.code;
}
