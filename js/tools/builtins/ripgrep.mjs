// ripgrep: how it is called so that it finds what the search without it finds, and what it answers.
import { log } from "apex-parts:bridge";
import { isInRepository } from "./ignore-files.mjs";
import { LONGEST_LINE, lineOf, NO_UTF8, TOO_LONG } from "./line-search.mjs";
import { textOf } from "./utf8.mjs";

const COMMON = [
  "--no-config",
  "--no-messages",
  "--no-ignore-messages",
  "--no-ignore-global",
  "--hidden",
  "--no-follow",
  "--color=never",
  "--path-separator=/",
  "--null",
  "--glob=!.git",
];
/** The most paths that are kept, as many as are sorted at once. */
const MOST_PATHS = 20_000;
const KEPT_PATHS = 5000;
/** The most bytes of paths that are passed to one process; Windows takes 32 KB. */
const MOST_ARGUMENTS = 24_000;
/** More bytes of a line are not kept. */
const MOST_KEPT = LONGEST_LINE * 2;

/** It refuses the expression. */
export class RefusedError extends Error {}
/** It cannot be used here. */
export class UnusableError extends Error {}

const byLetters = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** With `--crlf`, `\z` would not match before a `\n` alone. */
const withLineEnds = (pattern) =>
  pattern.replace(/\\(.)/gs, (whole, letter) => (letter === "z" ? "(?m:$)" : whole));

const named = (path) => (path.startsWith("./") ? path.slice(2) : path);

/** Cuts bytes that come in pieces at each NUL. */
class Names {
  #rest = [];

  /** The names that end in these bytes. */
  *push(bytes) {
    let at = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, at)) {
      const piece = bytes.subarray(at, end);
      yield this.#rest.length === 0 ? piece : concat([...this.#rest, piece]);
      this.#rest = [];
      at = end + 1;
    }
    if (at < bytes.length) this.#rest.push(bytes.slice(at));
  }
}

function concat(pieces) {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** The answer of a search of named files: `PATH NUL NUMBER : TEXT LF`, or `-` for lines beside a match. */
class Answer {
  #known;
  #onFile;
  #isInPath = true;
  #pieces = [];
  #size = 0;
  #path;
  #lines = [];

  /** `onFile(path, lines)` gets each file; if it gives false, no more is read. */
  constructor(paths, onFile) {
    this.#known = new Set(paths);
    this.#onFile = onFile;
  }

  push(bytes) {
    let at = 0;
    while (at < bytes.length) {
      const end = bytes.indexOf(this.#isInPath ? 0 : 10, at);
      this.#keep(bytes.subarray(at, end < 0 ? bytes.length : end));
      if (end < 0) break;
      at = end + 1;
      const piece = concat(this.#pieces);
      this.#pieces = [];
      this.#size = 0;
      if (this.#isInPath) {
        if (!this.#begin(piece)) return false;
      } else {
        this.#line(piece);
      }
      this.#isInPath = !this.#isInPath;
    }
    return true;
  }

  /** There is no more; what is left is a note. */
  finish() {
    if (this.#isInPath) this.#begin(concat(this.#pieces), true);
    this.#end();
  }

  #keep(piece) {
    if (this.#size < MOST_KEPT) this.#pieces.push(piece.slice());
    this.#size += piece.length;
  }

  /** A path, perhaps after a note on a file before it: that it is binary. */
  #begin(bytes, isLast = false) {
    const text = textOf(bytes) ?? "";
    let path = text;
    let notes = "";
    for (let end = text.indexOf("\n"); !this.#known.has(path) && end >= 0; ) {
      notes = text.slice(0, end);
      path = text.slice(end + 1);
      end = text.indexOf("\n", end + 1);
    }
    if (isLast) notes = text;
    if (notes.startsWith(`${this.#path}: `) && notes.includes("binary file")) this.#lines = [];
    if (isLast || path === this.#path) return true;
    const goesOn = this.#end();
    this.#path = path;
    return goesOn;
  }

  #end() {
    const lines = this.#lines;
    this.#lines = [];
    return lines.length === 0 || this.#onFile(this.#path, lines) !== false;
  }

  #line(bytes) {
    let at = 0;
    while (bytes[at] >= 0x30 && bytes[at] <= 0x39) at++;
    const number = Number(textOf(bytes.subarray(0, at)));
    const isMatch = bytes[at] === 0x3a;
    const end = bytes.at(-1) === 13 ? bytes.length - 1 : bytes.length;
    const line = bytes.subarray(at + 1, end);
    if (line.length > LONGEST_LINE) {
      this.#lines.push({ number, isMatch, why: TOO_LONG });
      return;
    }
    const text = textOf(line);
    this.#lines.push(
      text === undefined ? { number, isMatch, why: NO_UTF8 } : lineOf(number, text, isMatch),
    );
  }
}

export class Ripgrep {
  #fs;
  #shell;
  #program;

  constructor({ fs, shell, rgPath }) {
    this.#fs = fs;
    this.#shell = shell;
    this.#program = rgPath;
  }

  /** ripgrep of a host; undefined if it has none. */
  static of(host) {
    const { rgPath, shell } = host;
    if (typeof rgPath !== "string" || typeof shell?.spawn !== "function") return undefined;
    return new Ripgrep(host);
  }

  /** Runs it. Gives whether it could read everything. */
  async #run(given, { cwd, abort }, onOutput) {
    // Where no repository is, ignore files count all the same.
    const args = (await isInRepository(this.#fs, cwd)) ? given : ["--no-require-git", ...given];
    let isStopped = false;
    let end;
    try {
      end = await this.#shell.spawn(this.#program, args, {
        cwd,
        abort,
        onOutput: (bytes) => {
          if (isStopped || onOutput(bytes) !== false) return !isStopped;
          isStopped = true;
          return false;
        },
      });
    } catch (error) {
      throw new UnusableError(String(error?.message ?? error));
    }
    abort?.throwIfAborted?.();
    if (isStopped || end.exit === 0 || end.exit === 1) return true;
    const said = end.stderr.trim();
    if (/\bregex\b/.test(said)) throw new RefusedError(said);
    if (end.exit === 2 && said === "") return false;
    throw new UnusableError(said || `it ended with ${end.signal ?? end.exit}`);
  }

  /** Calls `onPath` with the path of each file below a directory, in any order; hidden directories have none. */
  async files(root, { abort, onPath }) {
    const names = new Names();
    const args = [...COMMON, "--files", "--glob=!.*/", "--", "./"];
    return this.#run(args, { cwd: root, abort }, (bytes) => {
      for (const name of names.push(bytes)) {
        const path = textOf(name);
        if (path !== undefined) onPath(named(path));
      }
    });
  }

  /** The paths of the files below a directory that have a match, in order, and whether all could be read. */
  async filesWithMatches(root, { pattern, ignoreCase, type, keeps, abort }) {
    const names = new Names();
    let paths = [];
    let isComplete = true;
    const args = [...this.#search(pattern, ignoreCase), "--files-with-matches"];
    if (type !== undefined) args.push(`--type-add=apexparts:${type}`, "--type=apexparts");
    const couldRead = await this.#run([...args, "--", "./"], { cwd: root, abort }, (bytes) => {
      for (const name of names.push(bytes)) {
        const path = textOf(name);
        if (path === undefined) isComplete = false;
        else if (keeps(named(path))) paths.push(named(path));
      }
      if (paths.length > MOST_PATHS) paths = paths.sort(byLetters).slice(0, KEPT_PATHS);
    });
    return { paths: paths.sort(byLetters), isComplete: isComplete && couldRead };
  }

  /** Calls `onFile(path, lines)` for each of these files that has matches, in order. */
  async lines(root, paths, { pattern, ignoreCase, context, most, abort, onFile }) {
    const args = [
      ...this.#search(pattern, ignoreCase),
      "--threads=1",
      "--line-number",
      "--with-filename",
      "--no-heading",
      "--no-context-separator",
      `--context=${context}`,
      `--max-count=${most}`,
      `--max-columns=${LONGEST_LINE + 2}`,
      "--max-columns-preview",
    ];
    let isComplete = true;
    for (let at = 0; at < paths.length; ) {
      const batch = [];
      for (let size = 0; at < paths.length && (size < MOST_ARGUMENTS || batch.length === 0); at++) {
        batch.push(`./${paths[at]}`);
        size += paths[at].length * 3;
      }
      let goesOn = true;
      const answer = new Answer(batch, (path, lines) => {
        goesOn = onFile(named(path), lines);
        return goesOn;
      });
      const whole = await this.#run([...args, "--", ...batch], { cwd: root, abort }, (bytes) =>
        answer.push(bytes),
      );
      if (goesOn) answer.finish();
      isComplete &&= whole;
      if (!goesOn) break;
    }
    return isComplete;
  }

  #search(pattern, ignoreCase) {
    const args = [
      ...COMMON,
      "--engine=default",
      "--encoding=auto",
      "--crlf",
      "--no-mmap",
      "--no-pre",
      "--no-search-zip",
      ignoreCase ? "--ignore-case" : "--case-sensitive",
    ];
    return [...args, `--regexp=${withLineEnds(pattern)}`];
  }
}

/** Logs that the search goes on without it. */
export function logUnusable(error) {
  log("warn", "ripgrep cannot be used; the search goes on without it", error.message);
}
