/**
 * What the page draws. The worker makes these values from untrusted parts: every field has the type
 * that it says, long strings are cut to a head, and JSON is cut in width and depth.
 */

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
  /** What is shown of it while it is folded, where that is its end. */
  end?: { text: string; lines: number };
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

export interface DiffLine {
  kind: "add" | "del" | "same" | "hunk" | "file";
  old?: number;
  new?: number;
  text: string;
  /** The ranges (from, up to) in which it differs from the line that it replaces or is replaced by. */
  marks?: [number, number][];
}

export interface Diff {
  lines: DiffLine[];
  /** Lines of the whole diff; more than `lines.length` where it was cut. */
  total: number;
  added: number;
  removed: number;
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

export interface Failure {
  name: string;
  message: string;
  status?: number;
  retryable?: boolean;
  body?: string;
}

export interface Span {
  start?: number;
  end?: number;
}

export interface Tokens {
  input: number;
  output: number;
  reasoning: number;
  cacheRead: number;
  cacheWrite: number;
}
