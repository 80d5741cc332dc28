import type { TranscriptLayout } from "apex-parts";

/**
 * What the page draws. The worker makes these from untrusted parts (features/transcript/worker/row_maker.ts): every field
 * has the type that it says, long strings are cut to a head, and JSON is cut in width and depth.
 */
export type Status = "pending" | "running" | "completed" | "error";

/** The codes of `layout().types` and `layout().statuses`. */
export const PART_TYPES = [
  "text",
  "reasoning",
  "tool",
  "step-start",
  "step-finish",
  "file",
  "subtask",
  "agent",
  "compaction",
  "retry",
  "snapshot",
  "patch",
] as const;
export const STATUS_ERROR = 4;
export const ROLE_USER = 1;
export const FLAG_ERROR = 1;
export const FLAG_SUMMARY = 2;

/** What the module knows of every message and part without making objects. */
export type Layout = TranscriptLayout;

/** Which string of a part a long text is the head of: the page asks for the rest by this name. */
export type TextField = "text" | "command" | "content" | "output" | "error" | "input" | "raw";

export interface LongText {
  field: TextField;
  /** The head of the text. */
  head: string;
  /** UTF-16 units of the whole text. */
  length: number;
  /** Lines of the whole text. */
  lines: number;
}

/** JSON cut to what a tree can show; totals say what was left out. */
export type JsonNode =
  | string
  | number
  | boolean
  | null
  | { kind: "text"; head: string; length: number }
  | { kind: "array"; items: JsonNode[]; total: number }
  | { kind: "object"; entries: [string, JsonNode][]; total: number }
  | { kind: "deep" };

export interface Tokens {
  input: number;
  output: number;
  reasoning: number;
  cacheRead: number;
  cacheWrite: number;
}

export interface Failure {
  name: string;
  message: string;
  status?: number;
  retryable?: boolean;
  body?: string;
}

export interface FileView {
  mime: string;
  name: string;
  /** A `data:` image, the only kind that is ever shown as one. */
  image?: string;
  /** Where the file is, as text. */
  address: string;
  /** An address on the web that the reader may go to. */
  remote?: string;
}

export interface Span {
  start?: number;
  end?: number;
}

export interface DiffLine {
  kind: "add" | "del" | "same" | "hunk" | "file";
  old?: number;
  new?: number;
  text: string;
  /** Where it has other words than the line it stands against: from, up to. */
  marks?: [number, number][];
}

export interface Diff {
  lines: DiffLine[];
  /** Lines of the whole diff; more than `lines.length` where it was cut. */
  total: number;
  added: number;
  removed: number;
}

/** Something that two parts side by side say differently; without a diff it is too long for one. */
export interface Change {
  name: string;
  diff?: Diff;
}

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

export type PartView =
  | {
      type: "text" | "reasoning";
      text: LongText;
      first: string;
      html: string;
      synthetic: boolean;
      ignored: boolean;
      time: Span;
    }
  | ToolView
  | { type: "step-start"; step: number }
  | { type: "step-finish"; step: number; reason: string; cost: number; tokens: Tokens }
  | { type: "file"; file: FileView; source?: string }
  | {
      type: "subtask";
      agent: string;
      description: string;
      text: LongText;
      first: string;
      html: string;
      command?: string;
    }
  | { type: "agent"; name: string }
  | { type: "compaction"; auto: boolean }
  | { type: "retry"; attempt: number; error: Failure; created?: number }
  | { type: "snapshot"; snapshot: string }
  | { type: "patch"; hash: string; files: string[]; total: number }
  | { type: "custom"; name: string; value: JsonNode };

export interface PartRow {
  kind: "part";
  message: number;
  part: number;
  id: string;
  view: PartView;
}

export interface MessageRow {
  kind: "message";
  message: number;
  id: string;
  role: "user" | "assistant" | "other";
  roleName: string;
  agent?: string;
  model?: string;
  created?: number;
  completed?: number;
  cost?: number;
  tokens?: Tokens;
  finish?: string;
  summary: boolean;
  error?: Failure;
}

export type Row = MessageRow | PartRow;

export interface OutlineEntry {
  /** The first words of the message, or the tools that it called. */
  title: string;
  tools: boolean;
}

/** A search. */
export type SearchAnswer =
  | { id: number; overtaken: true }
  | ({ id: number; overtaken?: undefined; capped: boolean } & HitList);

/** What a list of hits is drawn from. */
export interface HitList {
  /** The rows of the hits, in order, a row as often as it has hits. */
  rows: Uint32Array;
  /** The rows that have a hit, each once. */
  distinct: Uint32Array;
  /** The lines of the list: a hit's index, or `-1 - message` above the first hit of a message. */
  lines: Int32Array;
  /** The messages that have hits, in order, and how many each has. */
  messages: Uint32Array;
  counts: Uint32Array;
}

/** A hit in the list of results. */
export interface HitView {
  row: number;
  /** The tool, the part's type, or the message's role. */
  kind: string;
  /** The JSON Pointer of the string in its part; empty where filters alone chose the row. */
  field: string;
  before: string;
  words: string;
  behind: string;
}

/** What is marked in a row. */
export interface HitMarks {
  row: number;
  /** The words as they stand in it, each once. */
  words: string[];
  /** Where they stand, hit by hit, from the row's hit with this number on. */
  from: number;
  places: { field: string; start: number; end: number }[];
}

/** What the inspector shows beside the drawn part. */
export interface Detail {
  raw: LongText;
  input?: JsonNode;
  output?: LongText;
  outputJson?: JsonNode;
  error?: LongText;
}

export interface ProblemView {
  severity: "error" | "warning";
  rule: string;
  path: string;
  message: string;
  offset?: number;
  /** The row that it is about, or -1 for the file as a whole. */
  row: number;
}

/** A place where the agent ran in circles. */
export interface LoopView {
  kind: string;
  action: "interrupt" | "warning";
  repeats: number;
  /** What is wrong and what to do about it. */
  message: string;
  /** The rows of its parts, in order; none where it is about no part, or where they are not found. */
  rows: number[];
}

/** A session of a task, in a file that has more than one. */
export interface SessionView {
  id: string;
  title: string;
  /** The session whose task it is. */
  parent?: string;
}

export interface Overview {
  /** The session of a task that is shown in the file's place. */
  session?: string;
  /** Set while only the beginning of the file was read. */
  reading?: boolean;
  name: string;
  bytes: number;
  format: string;
  title: string;
  model: string;
  status: { word: string; tone: "good" | "bad" | "busy" | "quiet" };
  start?: number;
  end?: number;
  cost: number;
  tokens: Tokens;
  steps: number;
  errors: number;
  warnings: number;
  /** The first of them; `errors + warnings` counts all. */
  problems: ProblemView[];
  /** One sentence about what was lost, where the file is damaged. */
  damage?: string;
  layout: Layout;
  /** The first rows: they show at once. */
  top?: Row[];
}

/** What a transcript that is still being read, or replayed, has become. */
export interface Growth {
  /** Without problems where they were not looked for again. */
  facts: Omit<Overview, "problems"> & { problems?: ProblemView[] };
  /** The first message that changed. */
  from: number;
  /** Every row may be another one. */
  all?: boolean;
  /** The rows that changed near the end, which most likely is what is in view. */
  rows?: [row: number, value: Row][];
}
