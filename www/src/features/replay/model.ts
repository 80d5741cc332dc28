import type { Growth } from "../../core/model/overview";
import type { LongText } from "../../ui/values";

/** The kind of an event that cannot be read. */
export const DAMAGED = "damaged";

/** What can be replayed: events, as columns. */
export interface Recording {
  /** The moment at which each is played, in ms from the first. */
  moments: Float64Array;
  /** The moments are those that the events carry, long pauses cut short. */
  real: boolean;
  /** Where each ends, in bytes of the file. */
  ends: Uint32Array;
  /** The time since the one before it, in ms; NaN where it carries none, or none before it does. */
  gaps: Float64Array;
  /** The kind of each: its index in `kindNames`. */
  kinds: Uint16Array;
  kindNames: string[];
}

/** The number of the event that a byte of the file is in, from 1. */
export function eventAt({ ends }: Pick<Recording, "ends">, offset: number): number {
  let low = 0;
  let high = ends.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}

/** The first event after `from`, up to `to`, of one of these kinds; undefined where there is none. */
export function nextOfKind(
  { kinds }: Pick<Recording, "kinds">,
  wanted: ReadonlySet<number>,
  from: number,
  to: number,
): number | undefined {
  if (wanted.size === 0) return undefined;
  for (let event = from + 1; event <= Math.min(to, kinds.length); event++) {
    if (wanted.has(kinds[event - 1] ?? -1)) return event;
  }
  return undefined;
}

/** A text of a row to which an event appended. */
export interface AppendedSpan {
  /** The JSON Pointer of the string in its part. */
  field: string;
  /** Where what was appended begins and ends. */
  start: number;
  end: number;
  /** What was appended; of much the end. */
  words: string;
}

/** A row that an event changed. */
export interface ChangedRow {
  row: number;
  /** `new`: it was not there before; `grown`: text was appended; `changed`: all else. */
  how: "new" | "grown" | "changed";
  /** What the row is, in a word. */
  name: string;
  spans: AppendedSpan[];
}

/** The state after an event, and what the event was. */
export interface Moment {
  growth: Growth;
  type: string;
  words: string;
  /** What the event changed. */
  changes: ChangedRow[];
}

/** What an event says. */
export interface EventDetail {
  event: number;
  kind: string;
  /** Its place in the file. */
  start: number;
  bytes: number;
  /** Its record as JSON, or where that cannot be read, its bytes as text. */
  text: LongText;
  isJson: boolean;
  /** Why it cannot be read. */
  damage?: string;
}
