import type { Track } from "../model/tracks";
import type {
  Detail,
  LongText,
  LoopView,
  OutlineEntry,
  Overview,
  Row,
  TextField,
} from "../model/types";

/** Where a transcript's bytes come from. */
export type Source =
  | { kind: "file"; file: File }
  | { kind: "text"; text: string; name: string }
  | { kind: "url"; url: string; name: string };

/** What the page can ask of the worker. Every call gets one answer or one error. */
export interface Calls {
  open(source: Source): Overview;
  /** Rows `start` up to, not including, `end`. */
  rows(start: number, end: number): Row[];
  outline(start: number, end: number): OutlineEntry[];
  /** The loops in the open transcript. It takes a while where there are many messages. */
  loops(): LoopView[];
  /** The sessions of tasks, which have no rows. */
  tracks(): Track[];
  detail(row: number): Detail;
  /** A piece of a long text. */
  text(row: number, field: TextField, start: number, end: number): string;
  /** The text of a part as HTML, for up to `limit` units of it. */
  markdown(row: number, limit: number): { html: string; text: LongText };
}

export type CallName = keyof Calls;

export interface Request {
  id: number;
  call: CallName;
  args: unknown[];
}

export type Reply =
  | { id: number; value: unknown }
  | { id: number; error: { name: string; message: string } }
  | { progress: { read: number; total: number } };
