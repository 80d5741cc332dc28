import type { Mistake } from "../../../core/model/query";

/**
 * The answer to a search: its hits, or none because a newer search overtook it, or because the query has a mistake or
 * asks for nothing. `unknown` is a word of the query that is written as a filter, and names none.
 */
export type SearchAnswer = { id: number; unknown?: string } & (
  | { overtaken: true }
  | { overtaken?: undefined; rows?: undefined; mistake: Mistake | undefined }
  | ({ overtaken?: undefined; capped: boolean } & HitList)
);

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
  /** Where filters alone chose the row: what of it they chose it by, and what it is in a line. */
  matched?: { name: string; value: string | number }[];
}

/** What is marked in a row. */
export interface HitMarks {
  row: number;
  /** The matched words as written in the row, each once. */
  words: string[];
  /** Their places, hit by hit, from the row's hit with this number on. */
  from: number;
  places: { field: string; start: number; end: number }[];
}
