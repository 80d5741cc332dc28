// The help: of all commands, and of one, both assembled from what the commands declare.
import { version } from "apex-parts";
import type { CommandName, CommandOfFile, CommandOfNames, Option } from "./commands.ts";
import { COMMANDS } from "./commands.ts";
import type { FlagName } from "./options.ts";
import { FLAGS, shortOf } from "./options.ts";

const WIDTH = 100;
/** Where the second column of the usage begins, and that of the options. */
const USAGE = 33;
const OPTIONS = 26;

const FILE =
  "FILE is a session of OpenCode (an export, its events, the output of run --format json), Claude Code, Codex, " +
  "Gemini CLI and others (see --format), messages with their parts, of a run or for a model (a JSON array, or one a line; the body of a request, records " +
  "of a data set), or a recorded stream of deltas or of a provider (SSE or NDJSON); assemble takes deltas and providers only. It may be " +
  "larger than the memory. - reads standard input, which is kept in memory; view takes files only.";

const USAGE_ERROR = "the command line is invalid, or a file could not be read or written";

const ENDING =
  "If standard error is a terminal, reading a file of more than 50 MB shows its progress. Matches are coloured on a " +
  "terminal; NO_COLOR turns that off, FORCE_COLOR on.";

/** A text in lines of the width; every line but the first is indented. */
function wrapped(text: string, indent: number): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && indent + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join(`\n${" ".repeat(indent)}`);
}

/** A line of two columns; a long first one stands above the second. */
function row(head: string, text: string, column: number): string {
  const first = `  ${head}`;
  const gap = first.length + 1 < column ? " ".repeat(column - first.length) : undefined;
  return `${first}${gap ?? `\n${" ".repeat(column)}`}${wrapped(text, column)}`;
}

/** The usage lines of a command. */
export const usage = (name: CommandName): string =>
  COMMANDS[name].usage
    .map(([takes, does]) => row(`apex-parts ${name} ${takes}`, does, USAGE))
    .join("\n");

/** An option as it is written. */
function headOf({ name, value }: Option): string {
  const short = shortOf(name);
  return `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;
}

/** What an option does, with the names that it takes. */
function textOf({ text, names }: Option): string {
  if (names === undefined) return text;
  return `${text}: ${names().join(", ")}`;
}

/** The names of all options, in the order of the help. */
function flagNames(): FlagName[] {
  // All keys are names: the type of the names is made of them.
  return Object.keys(FLAGS) as FlagName[];
}

/** The options of these commands: one entry for each way of writing one. */
function optionsOf(names: readonly CommandName[]): string[] {
  const rows: string[] = [];
  for (const flag of flagNames()) {
    /** The commands of each text, by the way it is written. */
    const heads = new Map<string, Map<string, string[]>>();
    for (const name of names) {
      for (const option of COMMANDS[name].options.filter((one) => one.name === flag)) {
        const texts = heads.get(headOf(option)) ?? new Map<string, string[]>();
        heads.set(headOf(option), texts);
        const text = textOf(option);
        const who = [name, option.when].filter(Boolean).join(" ");
        texts.set(text, [...(texts.get(text) ?? []), who]);
      }
    }
    for (const [head, texts] of heads) {
      const uses = [...texts].map(([text, who]) => {
        // What holds for FILE wherever there is one needs no names; nor does the only command.
        const isOne = names.length === 1 && who[0] === names[0];
        return isOne || flag === "format" ? text : `${who.join(", ")}: ${text}`;
      });
      rows.push(row(head, uses.join("; "), OPTIONS));
    }
  }
  return rows;
}

const codes = (one: string) => wrapped(`Exit code: 0 success; ${one}2 ${USAGE_ERROR}.`, 0);

/** Whether the command takes what the help calls FILE. */
const isOfFile = ({ usage: [first] }: CommandOfFile | CommandOfNames) =>
  first?.[0].startsWith("FILE") === true;

/** The help of one command. */
export function helpOf(name: CommandName): string {
  const command = COMMANDS[name];
  const { fails } = command;
  return [
    usage(name),
    ...(isOfFile(command) ? [wrapped(FILE, 0)] : []),
    optionsOf([name]).join("\n"),
    `${codes(fails.length > 0 ? `1 ${fails.join(", or ")}; ` : "")}\n`,
  ].join("\n\n");
}

/** The help of all commands. */
export function help(): string {
  // All keys are names: the type of COMMANDS lists them.
  const names = Object.keys(COMMANDS) as CommandName[];
  const own = ["--help                  this help, or that of a command", "--version"];
  /** The commands of each reason for exit code 1. */
  const reasons = new Map<string, CommandName[]>();
  for (const name of names) {
    for (const reason of COMMANDS[name].fails) {
      reasons.set(reason, [...(reasons.get(reason) ?? []), name]);
    }
  }
  const one = [...reasons].map(([reason, who]) => `${reason} (${who.join(", ")})`);
  return `apex-parts ${version()}: inspects agent transcripts and streams, and shows them

${names.map(usage).join("\n")}

${wrapped(FILE, 0)}

${[...optionsOf(names), ...own.map((line) => `  ${line}`)].join("\n")}

${codes(`1 ${one.join(", or ")}; `)}

${wrapped(ENDING, 0)}
`;
}
