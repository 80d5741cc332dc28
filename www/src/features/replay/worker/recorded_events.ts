const LF = 10;
const CR = 13;
const COLON = 58;

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
