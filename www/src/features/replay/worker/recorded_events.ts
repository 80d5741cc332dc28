import type { Recording } from "../model";

const LF = 10;
const CR = 13;
const COLON = 58;
/** Pauses are played no longer than this, in ms. */
const LONGEST_PAUSE = 2000;
/** Where the events carry no times, or all the same, each is played for this long. */
const EACH = 50;
/** Times are near the beginning or the end of an event: only this many bytes of each are searched. */
const LOOKED_AT = 4096;

/** The events of a recorded stream, by the offsets of their ends. */
export class RecordedEvents {
  readonly ends: Uint32Array;
  private readonly decoder = new TextDecoder();

  constructor(readonly bytes: Uint8Array) {
    const framed = isFramed(bytes);
    if (!framed && !isLined(bytes)) {
      throw new Error("It is one document: only streams of events, or of lines, can be replayed.");
    }
    this.ends = framed ? frames(bytes) : lines(bytes);
  }

  get count(): number {
    return this.ends.length;
  }

  /** The offset of the end of an event, counted from 1; 0 for the beginning. */
  end(events: number): number {
    return events === 0 ? 0 : (this.ends[events - 1] ?? this.bytes.length);
  }

  /** The text of an event, counted from 1: without what frames it. */
  text(event: number, limit: number): string {
    const start = this.end(event - 1);
    const bytes = this.bytes.subarray(start, Math.min(this.end(event), start + limit));
    return this.decoder.decode(bytes);
  }

  /** When each is to be played. */
  moments(): Recording {
    const times = new Float64Array(this.count);
    let last = Number.NaN;
    for (let event = 1; event <= this.count; event++) {
      const time = timeIn(this.edges(event));
      if (time !== undefined && !(time < last)) last = time;
      times[event - 1] = last;
    }
    return played(times);
  }

  private edges(event: number): string {
    const [start, end] = [this.end(event - 1), this.end(event)];
    if (end - start <= 2 * LOOKED_AT) return this.decoder.decode(this.bytes.subarray(start, end));
    const head = this.decoder.decode(this.bytes.subarray(start, start + LOOKED_AT));
    return head + this.decoder.decode(this.bytes.subarray(end - LOOKED_AT, end));
  }
}

/** By the first line that is not empty: a field of an event has a name and a colon. */
function isFramed(bytes: Uint8Array): boolean {
  const head = new TextDecoder().decode(bytes.subarray(0, 1024)).trimStart();
  return /^(?::|[\w-]{1,64}:|(?:data|event|id|retry)[\r\n])/.test(head);
}

function isLined(bytes: Uint8Array): boolean {
  const start = bytes.findIndex((byte) => byte > 32);
  if (start < 0) return false;
  const end = bytes.indexOf(LF, start);
  const line = new TextDecoder().decode(bytes.subarray(start, end < 0 ? bytes.length : end));
  if (line.trim().startsWith("[")) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    // There may be text before the first record.
    return !line.trim().startsWith("{");
  }
}

/** The ends of events: each is followed by a blank line, as in server-sent events. */
function frames(bytes: Uint8Array): Uint32Array {
  const ends: number[] = [];
  let hasData = false;
  let start = 0;
  while (start < bytes.length) {
    const end = endOfLine(bytes, start);
    const next = end + (bytes[end] === CR && bytes[end + 1] === LF ? 2 : 1);
    if (end > start) hasData ||= isData(bytes, start, end);
    else if (hasData) {
      ends.push(Math.min(next, bytes.length));
      hasData = false;
    }
    start = next;
  }
  return closed(ends, bytes.length, hasData);
}

function lines(bytes: Uint8Array): Uint32Array {
  const ends: number[] = [];
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(LF, start);
    const end = found < 0 ? bytes.length : found + 1;
    if (!isBlank(bytes, start, end)) ends.push(end);
    start = end;
  }
  return closed(ends, bytes.length, false);
}

/** What follows the last event (a blank line, the rest of one that was cut off) comes with it. */
function closed(ends: number[], length: number, open: boolean): Uint32Array {
  if (open || ends.length === 0) ends.push(length);
  else ends[ends.length - 1] = length;
  return Uint32Array.from(ends);
}

function endOfLine(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === LF || byte === CR) return at;
  }
  return bytes.length;
}

function isData(bytes: Uint8Array, start: number, end: number): boolean {
  const name = [100, 97, 116, 97];
  if (name.some((byte, i) => bytes[start + i] !== byte)) return false;
  return end - start === name.length || bytes[start + name.length] === COLON;
}

function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((bytes[at] ?? 0) > 32) return false;
  return true;
}

/** In JSON inside of a string the quotes are escaped: only fields of the record are found. */
const TIMES =
  /"(?:time|timestamp|created|updated|start|end|completed)":\s*(?:(\d{12,14})\b|"(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d))")/g;

/** The latest of the times in an event: that at which it came. */
function timeIn(text: string): number | undefined {
  let latest: number | undefined;
  for (const [, ms, date] of text.matchAll(TIMES)) {
    const time = ms ? Number(ms) : Date.parse(date ?? "");
    if (time >= (latest ?? 0)) latest = time;
  }
  return latest;
}

/** From times to moments: pauses are cut short, and events of one time are spread up to the next. */
function played(times: Float64Array): Recording {
  const moments = new Float64Array(times.length);
  const distinct = new Set(times);
  distinct.delete(Number.NaN);
  if (distinct.size < 2) return { moments: moments.map((_, i) => (i + 1) * EACH), real: false };
  let at = 0;
  for (let first = 0; first < times.length; ) {
    let next = first + 1;
    while (next < times.length && Object.is(times[next], times[first])) next++;
    const pause = (times[next] ?? Number.NaN) - (times[first] ?? Number.NaN);
    const length = Math.min(Number.isNaN(pause) ? (next - first) * EACH : pause, LONGEST_PAUSE);
    for (let i = first; i < next; i++) moments[i] = at + (length * (i - first)) / (next - first);
    at += length;
    first = next;
  }
  return { moments, real: true };
}
