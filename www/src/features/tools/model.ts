import type { Diff, FileView, JsonNode, LongText, Span, TextField } from "../../ui/values";

/** The states of a tool call. */
export type Status = "pending" | "running" | "completed" | "error";

export interface Todo {
  text: string;
  status: string;
  priority?: string;
}

export type ToolBody =
  | { kind: "shell"; command: LongText; description?: string; exit?: number }
  | { kind: "read"; path: string; firstLine: number; language?: string }
  | { kind: "write"; path: string; content: LongText; language?: string }
  | { kind: "edit"; path: string; diff: Diff }
  | { kind: "todos"; items: Todo[] }
  | { kind: "json"; input: JsonNode };

export interface ToolView {
  type: "tool";
  tool: string;
  status: Status;
  title: string;
  body: ToolBody;
  output?: LongText;
  /** Set where the output is itself JSON. */
  outputJson?: JsonNode;
  error?: LongText;
  /** Arguments as they streamed in, of a call still pending. */
  streamed?: LongText;
  /** The session of the task that it started. */
  session?: string;
  time: Span;
  compacted?: number;
  attachments: FileView[];
}

/** Which card a tool's calls get. */
export type ToolKind = ToolBody["kind"];

/** The body of a call of one kind. */
export type BodyOf<K extends ToolKind> = Extract<ToolBody, { kind: K }>;

interface ToolNames {
  /** Names of tools, in lower case: those of OpenCode, Claude Code and their kin. */
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
    searchField: { inputs: /^(?:edits\/\d+\/)?(?:old|new)_?str|^patch|^diff$/i, block: "diff" },
  },
  todos: { names: ["todowrite", "todoread", "update_plan"] },
  json: { names: [] },
};
