import type { Diff, FileView, JsonNode, LongText, Span } from "../../ui/values";

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
