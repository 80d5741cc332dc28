import type { Diff, FileView, JsonNode, LongText, Span, TextField } from "../../ui/values";

/**
 * How a tool call stands: its state; that it is completed and has failed, as its tool says; or that it was requested,
 * in a stream that cannot tell what came of it.
 */
export type Status = "pending" | "running" | "completed" | "failed" | "error" | "requested";

/** The line of an output that tells an error first. */
export interface FirstError {
  /** Its number, from 1. */
  line: number;
  /** Where it begins, in UTF-16 units. */
  at: number;
  text: string;
}

/** How a call stands, with its exit code where it has one; no status where nobody knows. */
export interface CallEnd {
  status?: Status;
  exit?: number;
  /** Where the output of a call that failed tells why. */
  firstError?: FirstError;
}

export interface Todo {
  text: string;
  status: string;
  priority?: string;
}

/** The place in a file where an edit found its old text. */
export interface EditMatch {
  /** 1 is exact; from 2 on something was ignored to find it. */
  level: number;
  /** The first and the last line that was matched. */
  lines?: [number, number];
  /** How many places were replaced. */
  count: number;
}

/** How a shell ended, besides its exit code. */
export interface ShellEnd {
  exit?: number;
  signal?: string;
  timedOut?: boolean;
  aborted?: boolean;
  /** It left something running that kept its output open. */
  detached?: boolean;
}

/** What of a file or a directory a read shows, and how the file is written. */
export interface ReadPage {
  /** The first and the last line (or entry) that is shown, and how many there are. */
  range?: { of: "line" | "entry"; from: number; to: number; total?: number };
  eol?: string;
  encoding?: string;
  bom?: boolean;
}

/** What a search in files found. */
export interface SearchCounts {
  matches?: number;
  files?: number;
  /** Files that a glob lists, of `total`. */
  listed?: number;
  total?: number;
  /** There is more than is shown. */
  more?: boolean;
  engine?: string;
}

/** What came from the web. */
export interface WebAnswer {
  status?: number;
  mime?: string;
  bytes?: number;
  /** Where redirects led, if they led elsewhere. */
  redirected?: string;
  results?: number;
}

export type ToolBody =
  | { kind: "shell"; command: LongText; description?: string; end: ShellEnd }
  | { kind: "read"; path: string; firstLine: number; page: ReadPage; language?: string }
  | { kind: "write"; path: string; content: LongText; exists?: boolean; language?: string }
  | { kind: "edit"; path: string; diff: Diff; match?: EditMatch }
  | { kind: "todos"; items: Todo[] }
  | { kind: "search"; input: JsonNode; found: SearchCounts }
  | { kind: "web"; input: JsonNode; answer: WebAnswer }
  | { kind: "json"; input: JsonNode };

/** The kinds of errors that a registry of tools tells apart; its `expected` is an error like any other. */
export const ERROR_KINDS = [
  ...(["arguments", "permission", "aborted", "timeout"] as const),
  ...(["loop", "unknown", "fault", "protocol"] as const),
];

/** What the metadata of a call says, whichever tool it is of. */
export interface CallNotes {
  errorKind?: (typeof ERROR_KINDS)[number];
  /** The request that it waits for, or that it was waiting for when it was ended. */
  permission?: { permission: string; patterns: string[]; total: number };
  /** What was repaired in its arguments: the first of `total` repairs. */
  repaired?: { done: string[]; total: number };
  /** The words of a loop detector that warned of the call. */
  loop?: string;
  /** Its output was cut. */
  truncated?: boolean;
  omitted?: { lines: number; bytes: number };
  /** Where the whole output is. */
  outputPath?: string;
}

export interface ToolView {
  type: "tool";
  tool: string;
  status: Status;
  exit?: number;
  title: string;
  /** What it is about, in one line; none where its input names nothing. */
  object?: string;
  body: ToolBody;
  notes: CallNotes;
  output?: LongText;
  /** Where the output of a call that failed tells why. */
  firstError?: FirstError;
  /** Set where the output is itself JSON. */
  outputJson?: JsonNode;
  error?: LongText;
  /** Arguments as they streamed in, of a call still pending. */
  streamed?: LongText;
  /** The session of the task that it started, as its metadata names it; and what others name it by. */
  session?: string;
  call?: string;
  time: Span;
  /** The output was cleared: the model gets the placeholder from this time on. */
  cleared?: { time: number; placeholder: string };
  attachments: FileView[];
}

/** Which card a tool's calls get. */
export type ToolKind = ToolBody["kind"];

/** The body of a call of one kind. */
export type BodyOf<K extends ToolKind> = Extract<ToolBody, { kind: K }>;

interface ToolNames {
  /** Names of tools, in lower case: those of our own tools, OpenCode, Claude Code and their kin. */
  names: readonly string[];
  /** The block in which the card draws an input, by the input's JSON Pointer without its first `/`. */
  searchField?: { inputs: RegExp; block: TextField | "diff" };
}

/**
 * The tool cards, as far as both the page and the worker know them. How a call is read for its card
 * is in worker/, and how the card is drawn in view/, so that neither bundle has the other's code;
 * both are typed by `ToolKind`, so that the compiler names what is missing. `json` is what all others get.
 */
export const TOOLS: Record<ToolKind, ToolNames> = {
  shell: {
    names: [
      ...["bash", "shell", "local_shell", "terminal"],
      ...["exec", "execute_command", "run_command"],
    ],
    searchField: { inputs: /^(?:command|cmd|script)$/, block: "command" },
  },
  read: { names: ["read", "view", "read_file"] },
  write: {
    names: ["write", "write_file", "create_file"],
    searchField: { inputs: /^(?:content|file_text|text)$/, block: "content" },
  },
  edit: {
    names: ["edit", "multiedit", "str_replace", "apply_patch", "patch"],
    searchField: {
      inputs: /^(?:edits\/\d+\/)?(?:old|new)_?(?:str|text)|^patch|^diff$/i,
      block: "diff",
    },
  },
  todos: { names: ["todowrite", "todo-write", "todoread", "todo-read", "update_plan"] },
  search: { names: ["grep", "glob"] },
  web: {
    names: [
      ...["webfetch", "web-fetch", "web_fetch", "websearch", "web-search", "web_search"],
      ...["codesearch", "code-search"],
    ],
  },
  json: { names: [] },
};
