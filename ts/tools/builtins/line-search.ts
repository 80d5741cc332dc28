// The lines of one file that an expression matches, found as its bytes come in.
import type { Matcher } from "./matcher.ts";
import { marked, textOf, unfinished } from "./utf8.ts";

/** Longer lines cost their text, in bytes. */
export const LONGEST_LINE = 65_536;

/** A NUL byte in so many bytes makes a file binary, even if enough is found before it. */
const HEAD = 65_536;

/** Why the text of a line is left out. */
export const TOO_LONG = "longer than 64 KB";
export const NO_UTF8 = "not UTF-8";

/** A line that matches, or one beside it. */
export interface Line {
  number: number;
  isMatch: boolean;
  /** Undefined if it is left out; `why` says for what. */
  text?: string;
  why?: string;
}

const encoder = new TextEncoder();

/** What is shown of a line. */
export function lineOf(number: number, text: string, isMatch: boolean, isText = true): Line {
  if (text.length * 3 > LONGEST_LINE && encoder.encode(text).length > LONGEST_LINE) {
    return { number, isMatch, why: TOO_LONG };
  }
  return isText ? { number, isMatch, text } : { number, isMatch, why: NO_UTF8 };
}

/** The encoding that a byte order mark tells, and its length. */
function markOf(bytes: Uint8Array): [encoding: string, length: number] {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return ["utf-16le", 2];
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return ["utf-16be", 2];
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return ["utf-8", 3];
  return ["utf-8", 0];
}

export class LineSearch {
  #matcher: Matcher;
  #context: number;
  #most: number;
  #decoder: TextDecoder | undefined;
  /** Bytes of a line whose end has not come, or of a mark. */
  #rest: Uint8Array = new Uint8Array(0);
  #isStarted = false;
  /** The rest is the end of a line that is too long, and the automaton has the line before it. */
  #isInLongLine = false;
  #isLongMatch = false;
  #number = 1;
  /** The bytes that were searched. */
  #size = 0;
  #matches = 0;
  /** Lines before the next match, and how many lines behind the last one are still to be shown. */
  #before: Line[] = [];
  #after = 0;
  /** A NUL byte tells that a file is binary: its matches do not count. */
  isBinary = false;
  lines: Line[] = [];

  /** `context`: the lines to show before and after a match; `most`: the matches to show. */
  constructor(matcher: Matcher, { context = 0, most }: { context?: number; most: number }) {
    this.#matcher = matcher;
    this.#context = context;
    this.#most = most;
  }

  /** The number of matching lines. */
  get matches(): number {
    return this.isBinary ? 0 : this.#matches;
  }

  get #isDone() {
    if (this.isBinary) return true;
    return this.#matches >= this.#most && this.#after === 0 && this.#size >= HEAD;
  }

  /** Takes more bytes; false if no more are needed. */
  push(bytes: Uint8Array): boolean {
    let given = bytes;
    if (!this.#isStarted) {
      given = joined(this.#rest, bytes);
      this.#rest = given;
      if (given.length < 3) return true;
      this.#begin();
      given = this.#rest;
      this.#rest = new Uint8Array(0);
    }
    if (this.#decoder) given = encoder.encode(this.#decoder.decode(given, { stream: true }));
    this.#take(given);
    return !this.#isDone;
  }

  /** The file has no more bytes. */
  finish(): void {
    if (!this.#isStarted) {
      this.#begin();
      const given = this.#rest;
      this.#rest = new Uint8Array(0);
      this.push(given);
    }
    if (this.#decoder) this.#take(encoder.encode(this.#decoder.decode()));
    if (this.#isDone) return;
    if (this.#isInLongLine) {
      this.#continueLongLine(this.#rest, true);
      this.#endLongLine();
    } else if (this.#rest.length > 0) {
      this.#searchLines(this.#rest, false);
    }
  }

  #begin() {
    this.#isStarted = true;
    const [encoding, length] = markOf(this.#rest);
    this.#rest = this.#rest.subarray(length);
    if (encoding !== "utf-8") this.#decoder = new TextDecoder(encoding, { ignoreBOM: true });
  }

  #take(bytes: Uint8Array) {
    this.#size += bytes.length;
    if (bytes.includes(0)) {
      this.isBinary = true;
      this.lines = [];
      return;
    }
    let given = bytes;
    if (this.#isInLongLine) {
      const end = given.indexOf(10);
      this.#continueLongLine(
        joined(this.#rest, end < 0 ? given : given.subarray(0, end)),
        end >= 0,
      );
      if (end < 0) return;
      this.#endLongLine();
      given = given.subarray(end + 1);
    }
    const end = given.lastIndexOf(10);
    if (end >= 0) {
      this.#searchLines(joined(this.#rest, given.subarray(0, end)));
      this.#rest = given.slice(end + 1);
    } else {
      this.#rest = joined(this.#rest, given);
    }
    if (this.#rest.length > LONGEST_LINE + 2) {
      this.#isInLongLine = true;
      this.#isLongMatch = false;
      this.#matcher.automaton.reset();
      this.#continueLongLine(this.#rest, false);
    }
  }

  // ── A line that is too long to be held ────────────────────────────────────────────────────────

  #continueLongLine(bytes: Uint8Array, isWhole: boolean) {
    // What may belong to the next bytes: half a character, or the `\r` of a line end.
    let kept = isWhole ? 0 : unfinished(bytes);
    if (kept === 0 && bytes.at(-1) === 13) kept = 1;
    const text = marked(bytes.subarray(0, bytes.length - kept));
    this.#rest = isWhole ? new Uint8Array(0) : bytes.slice(bytes.length - kept);
    this.#isLongMatch ||= this.#matcher.automaton.push(text);
  }

  #endLongLine() {
    this.#isInLongLine = false;
    const isMatch = this.#isLongMatch || this.#matcher.automaton.end();
    const line = { number: this.#number++, isMatch, why: TOO_LONG };
    if (isMatch) this.#show(line);
    else this.#pass(line);
  }

  // ── Lines ─────────────────────────────────────────────────────────────────────────────────────

  /** Whole lines, without the `\n` of the last; `isEnded` says whether it has one. */
  #searchLines(bytes: Uint8Array, isEnded = true) {
    const decoded = textOf(bytes);
    const text = decoded ?? marked(bytes);
    const isText = decoded !== undefined;
    const lines = text.includes("\r\n") ? text.replaceAll("\r\n", "\n") : text;
    const whole = isEnded && lines.endsWith("\r") ? lines.slice(0, -1) : lines;
    const isAscii = isText && text.length === bytes.length;
    // The line that is looked at next, and where it begins.
    let at = 0;
    const passTo = (start: number) => {
      if (this.#context > 0) at = this.#passLines(whole, at, start, isText);
      else {
        this.#number += count(whole, at, start);
        at = start;
      }
    };
    this.#matcher.search(whole, isAscii, (start, end) => {
      if (this.#matches >= this.#most) return false;
      passTo(start);
      const line = whole.slice(start, end);
      this.#show(lineOf(this.#number++, line, true, isText || !HALF.test(line)));
      at = end + 1;
      return true;
    });
    if (!this.#isDone && at <= whole.length) {
      passTo(whole.length);
      if (this.#context > 0) this.#passLine(whole.slice(at), isText);
      else this.#number++;
    }
  }

  /** Goes over lines without a match; gives where it stopped. */
  #passLines(text: string, from: number, to: number, isText: boolean) {
    let at = from;
    while (at < to) {
      const end = text.indexOf("\n", at);
      if (end < 0 || end >= to) break;
      this.#passLine(text.slice(at, end), isText);
      at = end + 1;
    }
    return at;
  }

  #passLine(line: string, isText: boolean) {
    this.#pass(lineOf(this.#number++, line, false, isText || !HALF.test(line)));
  }

  /** A line without a match: it may be shown as one beside a match. */
  #pass(line: Line) {
    if (this.#after > 0) {
      this.#after--;
      this.lines.push(line);
    } else if (this.#context > 0) {
      this.#before.push(line);
      if (this.#before.length > this.#context) this.#before.shift();
    }
  }

  #show(line: Line) {
    this.#matches++;
    this.lines.push(...this.#before, line);
    this.#before = [];
    this.#after = this.#context;
  }
}

/** What stands for a byte that is not text. */
const HALF = /[\udc00-\udfff]/u;

function joined(first: Uint8Array, second: Uint8Array) {
  if (first.length === 0) return second;
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

/** How many lines end between two places. */
function count(text: string, from: number, to: number) {
  let lines = 0;
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1))
    lines++;
  return lines;
}
