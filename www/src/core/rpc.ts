/** The messages between the page and the worker. */

import type { BreakdownLine, Division, RangeSums } from "../features/breakdown/model";
import type { Digests } from "../features/compare/model/digests";
import type { ComparableFields, FieldChange } from "../features/compare/model/fields";
import type { AlignedRuns } from "../features/compare/model/fork";
import type {
  ExportFormat,
  ExportOptions,
  ExportPiece,
  SecretsFound,
} from "../features/export/model";
import type { Detail } from "../features/inspector/model";
import type { EventDetail, Moment, Recording } from "../features/replay/model";
import type { RunFacts, RunHits } from "../features/runs/model/runs";
import type { HitMarks, HitView, SearchAnswer } from "../features/search/model/hits";
import type { Track } from "../features/timeline/model/tracks";
import type { LongText, TextField } from "../ui/values";
import type { LiveBegun, LiveNews } from "./model/live";
import type { LoopView } from "./model/loops";
import type { OutlineEntry } from "./model/outline";
import type { Growth, Overview } from "./model/overview";
import type { Query } from "./model/query";
import type { Row } from "./model/rows";
import type { SessionView } from "./model/sessions";
import type { SummaryView } from "./model/summary";

/** Where a transcript's bytes come from. */
export type Source =
  | { kind: "file"; file: File }
  | { kind: "text"; text: string; name: string }
  /** Of the page's own origin, unless the page that embeds the viewer says `anywhere`. */
  | { kind: "url"; url: string; name: string; anywhere?: boolean };

/** What the page can ask of the worker. Every call gets one answer or one error. */
export interface WorkerCalls {
  open(source: Source): Overview;
  /** Frees what is open, and ends what is being read: nothing is shown any more. */
  close(): void;
  /** What a list of runs says of a file, which is read whole for that and left again. */
  runFacts(source: Source): RunFacts;
  /** What a query finds in a file, likewise. */
  runHits(source: Source, query: Query): RunHits;
  /** The names of the formats that can be read. */
  formats(): string[];
  /** A transcript whose bytes are given piece by piece with `livePush`, until `liveEnd`. */
  liveBegin(name: string): LiveBegun;
  livePush(bytes: Uint8Array): void;
  liveEnd(): void;
  /** The same for what an address of this origin sends, as long as it sends. */
  liveFollow(url: string, name: string): LiveBegun;
  /** Asks the address again for what comes after what came; false if it can only be read from the beginning. */
  liveReconnect(): boolean;
  /** Replays the open transcript event by event, from the bytes that it was read from. */
  replayBegin(): Recording;
  /** The state after a number of events; undefined where another was asked for meanwhile. */
  replayTo(events: number): Moment | undefined;
  /** The first event after `from`, up to `to`, that makes a problem. */
  replayProblem(from: number, to: number): number | undefined;
  /** What some events say, each in a line; they are numbered from 1. */
  replayWords(start: number, end: number): string[];
  replayEvent(event: number): EventDetail | undefined;
  /** A piece of what an event says. */
  replayText(event: number, start: number, end: number): string;
  /** Ends the replay and shows the whole transcript again. */
  replayEnd(): Growth | undefined;
  /** Rows `start` up to, not including, `end`. */
  rows(start: number, end: number): Row[];
  outline(start: number, end: number): OutlineEntry[];
  /** The loops in the open transcript. It takes a while where there are many messages. */
  loops(): LoopView[];
  /** What the run of the open transcript did. It takes a while where there are many messages. */
  summary(): SummaryView;
  /** Where time and money went; it sums the transcript up first, if that has not been done. */
  breakdown(by: Division): BreakdownLine[];
  /** The sums of a stretch of time, in milliseconds since the Unix epoch. */
  rangeSums(start: number, end: number): RangeSums;
  /** The sessions of tasks that the open file has. */
  sessions(): SessionView[];
  /** Shows the session of a task in the file's place; with an empty id the file's own, which is known. */
  showSession(id: string): Overview | undefined;
  /** The sessions of tasks, which have no rows. */
  tracks(): Track[];
  detail(row: number): Detail;
  /** A piece of a long text. */
  text(row: number, field: TextField, start: number, end: number): string;
  /** The text of a part as HTML, for up to `limit` units of it. */
  markdown(row: number, limit: number): { html: string; text: LongText };
  /** A number for the content of each message and part. It takes a while where there are many. */
  digests(): Digests;
  /** The open transcript beside another. */
  align(first: Digests): AlignedRuns;
  /** What a row says, for `changes` of the worker that has the other transcript. */
  comparableFields(row: number): ComparableFields;
  changes(row: number, before: ComparableFields): FieldChange[];
  /** The next piece of the transcript as a document. */
  export(format: ExportFormat, name: string, from: number, options: ExportOptions): ExportPiece;
  /** The next step of a search for secrets in the messages from `first` to before `end`. */
  secrets(name: string, first: number, from: number, end: number): SecretsFound;
  /** Runs a search, which replaces the one before it. */
  search(query: Query): SearchAnswer;
  /** Some hits of the search with this id, for a list of them. */
  hits(id: number, start: number, end: number): HitView[];
  /** What the search with this id found in these rows; of many hits in one, those around `hit`. */
  marks(id: number, rows: number[], hit: number): HitMarks[];
  /** The row of the part or message with this id, or -1. */
  rowOfId(id: string): number;
}

export type CallName = keyof WorkerCalls;

/** More of a transcript that is shown while it is read, or why there is no more. */
export type ReadingNews = { growth: Growth; last: boolean } | { error: string; last: true };

/** The first message to the worker: its module, where it cannot fetch that by itself. */
export interface Start {
  start: true;
  wasm?: ArrayBuffer;
  /** Large files are likely. */
  warm?: boolean;
}

export interface Request {
  id: number;
  call: CallName;
  args: unknown[];
}

export type Reply =
  | { id: number; value: unknown }
  | { id: number; error: { name: string; message: string } }
  /** How the transcript that `open` answered with grows, until it is complete. */
  | { opened: ReadingNews }
  /** `stream` is that of the live transcript, counted up from the first. */
  | { live: LiveNews; stream: number }
  | { progress: { read: number; total: number } };
