import type { Fields } from "./fields";

/**
 * JSON as text, two spaces a level, just as `JSON.stringify(value, null, 2)` writes it; but only as
 * much of it as is asked for. A part may hold 100 MB, of which a page shows some kilobytes.
 */
export function prettyHead(value: unknown, limit: number): string {
  const writer = new Writer(limit);
  try {
    writer.value(value, "\n");
  } catch (error) {
    if (error instanceof RangeError) return TOO_DEEP;
    throw error;
  }
  return writer.text();
}

/** The length of the whole text in UTF-16 units, and its lines, without writing it. */
export function prettySize(root: unknown): { length: number; lines: number } {
  let length = 0;
  let lines = 1;
  // A list of what is still to be measured, with its depth: values may nest deeper than calls can.
  const values: unknown[] = [root];
  const depths = [0];
  while (values.length > 0) {
    const value = values.pop();
    const depth = depths.pop() ?? 0;
    if (typeof value === "string") {
      length += stringSize(value);
      continue;
    }
    if (typeof value !== "object" || value === null) {
      length += (JSON.stringify(value) ?? "null").length;
      continue;
    }
    length += 2;
    let count = 0;
    for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
      if (typeof key === "string") length += stringSize(key) + 2;
      values.push(item);
      depths.push(depth + 1);
      count++;
    }
    if (count === 0) continue;
    // A newline and its indent before each item and before the end, and commas between them.
    length += count * (2 * depth + 3) + (2 * depth + 1) + count - 1;
    lines += count + 1;
  }
  return { length, lines };
}

const TOO_DEEP = "This value is nested too deeply to be written out.";

class Writer {
  private readonly pieces: string[] = [];
  private length = 0;

  constructor(private readonly limit: number) {}

  text(): string {
    return this.pieces.join("").slice(0, this.limit);
  }

  private get isFull(): boolean {
    return this.length >= this.limit;
  }

  value(value: unknown, newline: string): void {
    if (this.isFull) return;
    if (typeof value === "string") this.string(value);
    else if (typeof value !== "object" || value === null) this.put(JSON.stringify(value) ?? "null");
    else if (Array.isArray(value)) this.list(value, newline);
    else this.object(value as Fields, newline);
  }

  private list(items: unknown[], newline: string): void {
    const inner = `${newline}  `;
    this.put("[");
    for (let i = 0; i < items.length && !this.isFull; i++) {
      this.put(i > 0 ? `,${inner}` : inner);
      this.value(items[i], inner);
    }
    this.put(items.length > 0 ? `${newline}]` : "]");
  }

  private object(object: Fields, newline: string): void {
    const inner = `${newline}  `;
    const keys = Object.keys(object);
    this.put("{");
    for (let i = 0; i < keys.length && !this.isFull; i++) {
      const key = keys[i] ?? "";
      this.put(i > 0 ? `,${inner}` : inner);
      this.string(key);
      this.put(": ");
      this.value(object[key], inner);
    }
    this.put(keys.length > 0 ? `${newline}}` : "}");
  }

  private string(string: string): void {
    const room = this.limit - this.length;
    // Every unit is written as one or more; what is cut off takes its quotation mark with it. One
    // unit too many, for half a surrogate pair is written otherwise than a whole one.
    const written = JSON.stringify(string.length > room ? string.slice(0, room + 1) : string);
    this.put(string.length > room ? written.slice(0, room) : written);
  }

  private put(piece: string): void {
    this.pieces.push(piece);
    this.length += piece.length;
  }
}

/** Short strings, and the pieces of long ones, are measured by `JSON.stringify` itself. */
const PIECE = 1 << 20;

function stringSize(string: string): number {
  let size = 2;
  for (let at = 0; at < string.length; ) {
    let end = Math.min(at + PIECE, string.length);
    // Not in the middle of a pair.
    if (end < string.length && /[\ud800-\udbff]/.test(string[end - 1] ?? "")) end++;
    size += JSON.stringify(string.slice(at, end)).length - 2;
    at = end;
  }
  return size;
}
