/** The messages between the page and the worker. */

import type { LiveNews } from "./model/live";
import type { Growth, Overview } from "./model/overview";

/** Where a transcript's bytes come from. */
export type Source =
  | ({ kind: "file"; file: File } & WithRun)
  | { kind: "text"; text: string; name: string }
  /** Of the page's own origin, unless the page that embeds the viewer says `anywhere`. */
  | ({ kind: "url"; url: string; name: string; anywhere?: boolean } & WithRun);

/** A file of a run, by its path in the folder that both are in. */
export interface SourceFile {
  path: string;
  source: Exclude<Source, { kind: "text" }>;
}

interface WithRun {
  /** All files of the run, this one first, where there are several: they are opened as one transcript. */
  run?: readonly SourceFile[];
}

/**
 * What the page can ask of the worker. Every call gets one answer or one error. Each feature adds its own
 * (`features/NAME/calls.ts`).
 */
export interface WorkerCalls {
  open(source: Source): Overview;
  /** Frees what is open, and ends what is being read: nothing is shown any more. */
  close(): void;
  /** The names of the formats that can be read. */
  formats(): string[];
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
