// The commands: what each does, takes, its options and its exit codes. The help is assembled from this. A command is
// loaded when it runs: finding and reading the files of all of them takes longer than most runs.
import { secretKinds, TRANSCRIPT_FORMATS } from "apex-parts";
import type { FlagName, Values } from "./options.ts";

/** An option of a command. */
export interface Option {
  name: FlagName;
  /** What it does. */
  text: string;
  /** What it takes. */
  value?: string;
  /** The options with which it counts. */
  when?: string;
  /** What is listed after the text. */
  names?: () => readonly string[];
}

/** What all commands have. */
interface Described {
  /** What follows the command's name, and what that does. */
  usage: [takes: string, does: string][];
  options: Option[];
  /** When the exit code is 1. */
  fails: string[];
}

/** What a command comes to: its exit code. */
type Exit = number | Promise<number>;

/** A command that takes exactly the names in `takes`, by default one FILE. */
export interface CommandOfFile extends Described {
  takes?: string[];
  run(file: string, values: Values, rest: readonly string[]): Exit;
}

/** A command that takes any number of names, or none. */
export interface CommandOfNames extends Described {
  takes: "any";
  run(first: string | undefined, values: Values, rest: readonly string[]): Exit;
}

/** The names of the commands. */
export type CommandName =
  | "view"
  | "validate"
  | "inspect"
  | "loops"
  | "search"
  | "compare"
  | "convert"
  | "redact"
  | "compact"
  | "assemble"
  | "explain"
  | "tool"
  | "skills";

const option = (
  name: FlagName,
  text: string,
  more: Omit<Option, "name" | "text"> = {},
): Option => ({
  name,
  text,
  ...more,
});

const json = (when?: string) => option("json", "print JSON", { when });
const format = option("format", "the format of FILE (default: detected from the content)", {
  value: "NAME",
  names: () => TRANSCRIPT_FORMATS,
});
const ids = option("ids", "which ids are valid (default: those of the format)", {
  value: "apex|opencode",
});
/** `which` says which session it is where none is named. */
const session = (which: string) =>
  option("session", `this session, if there are several (default: ${which})`, { value: "ID" });
const out = option("out", "write to this file (default: standard output)", { value: "FILE" });
const forOpenCode = { when: "--to opencode[2]" };

const kinds = () => secretKinds().map(({ kind }) => kind);

const UNKNOWN = "the format is unknown";

/** Each command by its name. */
export const COMMANDS: Record<CommandName, CommandOfFile | CommandOfNames> = {
  view: {
    run: async (...given) => (await import("./view.ts")).view(...given),
    takes: "any",
    usage: [
      [
        "[FILE|FOLDER]…",
        "opens the viewer in a browser: a file, or the list of several files and of those in folders; without " +
          "arguments, its start page. Only this machine can reach it. Ctrl-C stops it. apex-parts without " +
          "arguments does the same",
      ],
      [
        "FILE --out PAGE",
        "writes one page with the viewer and this file in it, which needs no server",
      ],
    ],
    options: [
      option("port", "serve on this port, or 0 for any (default: 4173, or the next free one)", {
        value: "N",
      }),
      option("no-open", "only print the address; do not open a browser"),
      option("follow", "show FILE while it is being written; it may be created later"),
      option("out", "write one page with the viewer and FILE in it; nothing in it is masked", {
        value: "FILE",
      }),
    ],
    fails: [],
  },
  validate: {
    run: async (file: string, values: Values) =>
      (await import("./transcript.ts")).validate(file, values),
    usage: [["FILE", "every rule that the file breaks, and where"]],
    options: [
      json(),
      ids,
      option(
        "for",
        "every reason why opencode import would stop, and what it would drop, instead of the rules " +
          "of the model",
        { value: "opencode[2]" },
      ),
      session("all"),
      format,
    ],
    fails: ["the file breaks rules", UNKNOWN],
  },
  inspect: {
    run: async (file: string, values: Values) =>
      (await import("./transcript.ts")).inspect(file, values),
    usage: [
      [
        "FILE",
        "what the run did: what was asked, how it ended, failed calls, files, commits, time, parts, tools, cost, " +
          "tokens and loops. For a folder: the list of its runs",
      ],
    ],
    options: [json(), ids, session("the whole file"), format],
    fails: [UNKNOWN, "most records are of another program", "the folder has no run"],
  },
  loops: {
    run: async (file: string, values: Values) => (await import("./loops.ts")).loops(file, values),
    usage: [["FILE", "where an agent repeated itself, and what to do about it"]],
    options: [
      json(),
      option("threshold", "how many repeats make a loop (default 3; 0 turns repeats off)", {
        value: "N",
      }),
      option(
        "max-iterations",
        "how many calls a run may make (default: any number, because a long session is not a loop; the " +
          "library's default is 50)",
        { value: "N" },
      ),
      session("all"),
      format,
    ],
    fails: [
      "the file has a loop that should have been interrupted, and not one that deserves only a warning",
      UNKNOWN,
    ],
  },
  search: {
    run: async (first: string, values: Values, rest: readonly string[]) =>
      (await import("./search.ts")).search(first, values, rest),
    takes: ["FILE", "QUERY"],
    usage: [
      [
        "FILE QUERY",
        'matches in text, reasoning, inputs, outputs, errors, titles. Words are one phrase, "…" is a text of its own, ' +
          "/…/ a regular expression; filters narrow it: tool:bash status:failed exit:101 role:user type:reasoning " +
          "agent:build cost>0.05 tokens>10k dur>10s, and with - before it, everything else. Filters alone list parts",
      ],
      ["FOLDER QUERY", "the same in all runs of the folder, each match with its file"],
    ],
    options: [
      json(),
      option("literal", "QUERY is one text, whatever it looks like"),
      option("regex", "QUERY is one regular expression, without filters"),
      option("case-sensitive", "match case"),
      option("limit", "show at most N matches (default 1000)", { value: "N" }),
      session("all"),
      format,
    ],
    fails: ["there is no match", UNKNOWN],
  },
  compare: {
    run: async (first: string, values: Values, rest: readonly string[]) =>
      (await import("./compare.ts")).compare(first, values, rest),
    takes: ["FILE", "FILE"],
    usage: [
      [
        "FILE|FOLDER FILE|FOLDER",
        "two runs side by side: whether they were asked the same, what each came to, and where they begin to differ; " +
          "times and ids are no difference. A folder holds the files of one run",
      ],
    ],
    options: [json(), format],
    fails: [UNKNOWN],
  },
  convert: {
    run: async (file: string, values: Values) =>
      (await import("./convert.ts")).convert(file, values),
    usage: [
      [
        "FILE --to with-parts|ui-messages|messages|opencode|opencode2|markdown|html",
        "the file in another format, message by message; opencode is one session, for opencode import, opencode2 the " +
          "same for OpenCode 2",
      ],
    ],
    options: [
      option("to", "the target; ui-messages are the AI SDK's, messages those of a run", {
        value: "NAME",
      }),
      session("all, but with --to opencode|opencode2 the main one"),
      option("new-ids", "every id is new, for a copy beside the original", forOpenCode),
      option(
        "title",
        "the title of the session (default: its own, or the first words of the first prompt)",
        { value: "TEXT", ...forOpenCode },
      ),
      option(
        "directory",
        "the folder of the session, and of messages that name none; opencode import sets the session's to " +
          "where it runs",
        { value: "DIR", ...forOpenCode },
      ),
      out,
      format,
    ],
    fails: [UNKNOWN],
  },
  redact: {
    run: async (file: string, values: Values) => (await import("./redact.ts")).redact(file, values),
    usage: [
      [
        "FILE",
        "the file with secrets and personal data masked: keys, tokens, passwords, cookies, email addresses, " +
          "names in home folders; an export stays an export, anything else becomes with-parts. --list: only what it found",
      ],
      [
        "FOLDER -o FOLDER2",
        "a copy of each run of FOLDER in FOLDER2, with equal masks for equal secrets; --list: what each has",
      ],
    ],
    options: [
      json("--list"),
      session("all"),
      out,
      option("keep", "do not mask these kinds", { value: "KIND,…", names: kinds }),
      option(
        "mask",
        "mask this text as well, wherever it is, or what the expression matches. May be repeated",
        { value: "TEXT|/re/i" },
      ),
      option(
        "list",
        "print only what was found, kind by kind with its places; of each secret, only its " +
          "first 4 characters and its length",
      ),
      format,
    ],
    fails: [UNKNOWN],
  },
  compact: {
    run: async (file: string, values: Values) =>
      (await import("./compact.ts")).compact(file, values),
    usage: [
      [
        "FILE --context N",
        "what a compaction would keep, summarise and drop, what it saves, and when it pays off; --request prints " +
          "the request for the summary, --summary FILE writes the compacted session, --truncate needs no summary",
      ],
    ],
    options: [
      json(),
      option("threshold", "the tokens at which the context overflows", { value: "N" }),
      session("the main one"),
      out,
      option("context", "the size of the model's context in tokens, such as 200000", {
        value: "N",
      }),
      option("input", "the model's limit for input, if it has one", { value: "N" }),
      option("output", "the model's limit for output, if it has one", { value: "N" }),
      option("plan", "show the plan, also with --summary"),
      option("request", "print the request for the summary, for a model"),
      option(
        "summary",
        "the text of the summary; write the compacted session. - for standard input",
        { value: "FILE" },
      ),
      option(
        "truncate",
        "without a summary: drop the earliest turns until the rest fits in --keep; with -o, write the session",
      ),
      option(
        "prune",
        "clear old outputs first; with -o, without --summary and --truncate: only that",
      ),
      option(
        "overflow",
        "the provider refused the last request; it is asked again after the summary, without media",
      ),
      option(
        "keep",
        "tokens of what stays verbatim (default: a quarter of what is usable, 2000 to 15000; with --truncate: " +
          "half of --threshold, or of what is usable)",
        { value: "N" },
      ),
      option("tail-turns", "at most this many recent turns stay; 0: none", { value: "N" }),
      option("reserved", "tokens kept free of --input (default 20000, or the output)", {
        value: "N",
      }),
      option("protect", "tokens of newest outputs that are never cleared (default 40000)", {
        value: "N",
        when: "--prune",
      }),
      option("minimum", "clear only what saves more than this many tokens (default 20000)", {
        value: "N",
        when: "--prune",
      }),
      option(
        "estimator",
        "how to count tokens that no provider reported: chars (the default, as OpenCode) or classes (closer " +
          "to tokenizers)",
        { value: "NAME" },
      ),
      format,
    ],
    fails: ["there is nothing to summarise or to drop", UNKNOWN],
  },
  assemble: {
    run: async (file: string, values: Values) =>
      (await import("./stream.ts")).assemble(file, values),
    usage: [["FILE", "the message that a stream assembles to"]],
    options: [
      json(),
      format,
      option("parts", "print the message with its parts, as validate and inspect accept it"),
      option("deltas", "print the deltas of every response in the file, one a line"),
      option("follow", "print each change as the bytes arrive, one a line"),
      option("think-tags", "read what stands between <think> and </think> in text as thinking"),
    ],
    fails: ["the stream could be assembled only partly", UNKNOWN],
  },
  explain: {
    run: async (...given) => (await import("./explain.ts")).explain(...given),
    takes: "any",
    usage: [
      [
        "[CODE]",
        "the rule, error or kind of loop with this code, such as BR-09 or fenced: what it says, an example that breaks " +
          "it, the cure. Without a code: all",
      ],
    ],
    options: [json()],
    fails: [],
  },
  tool: {
    run: async (first: string, values: Values, rest: readonly string[]) =>
      (await import("./tool.ts")).tool(first, values, rest),
    takes: ["NAME", "JSON"],
    usage: [
      [
        "NAME JSON",
        "runs a built-in tool (read, edit, grep, bash, …) with these arguments; JSON may be - for standard input",
      ],
    ],
    options: [
      json(),
      option("dir", "the folder to work in (default: this one)", { value: "DIR" }),
      option(
        "allow",
        "what is allowed without asking: edit, bash:git *, or a JSON object of permissions; reading in the folder " +
          "always is. Without a terminal, anything else is denied. May be repeated",
        { value: "RULES" },
      ),
    ],
    fails: ["the tool ended in an error"],
  },
  skills: {
    run: async (...given) => (await import("./skills.ts")).skills(...given),
    takes: "any",
    usage: [
      [
        "[DIR…]",
        "the skills below these folders, every problem and its place, and what is not a skill and why (default: " +
          "the folders of agents, from here up to the repository's and in the home directory)",
      ],
      ["show NAME [DIR…]", "what a model receives when it calls this skill; a script is not run"],
    ],
    options: [json(), option("strict", "judge as the specification's own validator does")],
    fails: ["a skill has an error or does not exist"],
  },
};
