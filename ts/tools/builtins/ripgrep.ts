// ripgrep: how it is called so that it finds what the search without it finds, and what it answers.

import type { Tool } from "apex-parts:glue";
import { log } from "apex-parts:shared";
import { messageOf } from "../errors.ts";
import { joined } from "./content.ts";
import type { FileLines } from "./found-lines.ts";
import { isInRepository } from "./ignore-files.ts";
import { type Line, LONGEST_LINE, NO_UTF8, TOO_LONG } from "./line-search.ts";
import type { FileSystem, Host, Shell } from "./types.ts";
import { textOf } from "./utf8.ts";

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
/** The most bytes of an answer that is read whole, and sorted. */
const FEW = 128 * 1024;
/** More bytes of a line are not kept. */
const MOST_KEPT = LONGEST_LINE * 2;

/** It refuses the expression. */
export class RefusedError extends Error {}
/** It cannot be used here. */
export class UnusableError extends Error {}

/** A shell that runs programs. */
type Runner = Shell & Required<Pick<Shell, "spawn">>;

/** Where it runs, and what ends it. */
interface RunOptions {
  cwd: string;
  abort: Tool.Abort;
}

/** What a file must be for a search to go over it. */
type Keeps = (path: string) => boolean;

/** Gets the lines of a file; false if it wants no more. */
type OnFile = (path: string, lines: Line[]) => boolean;

/** What is searched for. */
interface FileOptions {
  pattern: string;
  ignoreCase: boolean | undefined;
  /** A glob of the names of files; undefined for all. */
  type: string | undefined;
  abort: Tool.Abort;
}

/** The same, with the lines that are shown. */
export interface LineOptions extends FileOptions {
  /** How many before and after each match. */
  context: number;
  /** The most matching lines of a file. */
  most: number;
}

const byLetters = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** With `--crlf`, `\z` would not match before a `\n` alone. */
const withLineEnds = (pattern: string) =>
  pattern.replace(/\\(.)/gs, (whole: string, letter: string) =>
    letter === "z" ? "(?m:$)" : whole,
  );

const ofType = (glob: string) => [`--type-add=apexparts:${glob}`, "--type=apexparts"];

/** A path without `./` before it. */
const plain = (path: string) => (path.startsWith("./") ? path.slice(2) : path);

/** Cuts bytes that come in pieces at each NUL. */
class Names {
  #rest: Uint8Array[] = [];

  /** The names that end in these bytes. */
  *push(bytes: Uint8Array): Generator<Uint8Array> {
    let at = 0;
    for (let end = bytes.indexOf(0); end >= 0; end = bytes.indexOf(0, at)) {
      const piece = bytes.subarray(at, end);
      yield this.#rest.length === 0 ? piece : joined([...this.#rest, piece]);
      this.#rest = [];
      at = end + 1;
    }
    if (at < bytes.length) this.#rest.push(bytes.slice(at));
  }
}

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** What it says of a file in which it finds a NUL byte after a match. */
const BINARY =
  /^(.*?): (?:WARNING: stopped searching binary file after match|binary file matches) \(found .{1,8} byte around offset \d+\)(?:\n|$)/s;

/** The answer of a search: `PATH NUL NUMBER : TEXT LF`, or `-` for lines beside a match. */
class Answer {
  #onFile: OnFile;
  #isInPath = true;
  #pieces: Uint8Array[] = [];
  #size = 0;
  #path: string | undefined;
  #lines: Line[] = [];

  /** If `onFile` gives false, no more is read. */
  constructor(onFile: OnFile) {
    this.#onFile = onFile;
  }

  push(bytes: Uint8Array): boolean {
    let at = 0;
    while (at < bytes.length) {
      const end = bytes.indexOf(this.#isInPath ? 0 : 10, at);
      this.#keep(bytes.subarray(at, end < 0 ? bytes.length : end));
      if (end < 0) break;
      at = end + 1;
      const piece = joined(this.#pieces);
      this.#pieces = [];
      this.#size = 0;
      if (!this.#isInPath) this.#line(piece);
      else if (!this.#begin(piece)) return false;
      this.#isInPath = !this.#isInPath;
    }
    return true;
  }

  /** There is no more; what is left is a note. */
  finish(): void {
    if (this.#isInPath) this.#afterNotes(joined(this.#pieces));
    this.#end();
  }

  #keep(piece: Uint8Array) {
    if (this.#size < MOST_KEPT) this.#pieces.push(piece.slice());
    this.#size += piece.length;
  }

  /** A path. What is not UTF-8 in it is shown as such: no file can be named so. */
  #begin(bytes: Uint8Array) {
    const path = this.#afterNotes(bytes);
    if (path === this.#path) return true;
    const goesOn = this.#end();
    this.#path = path;
    return goesOn;
  }

  /** What follows the notes on the file before it; lines of binary files do not count. */
  #afterNotes(bytes: Uint8Array) {
    let text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    for (let note = BINARY.exec(text); note !== null; note = BINARY.exec(text)) {
      if (note[1] === this.#path) this.#lines = [];
      text = text.slice(note[0].length);
    }
    return text;
  }

  #end() {
    const lines = this.#lines;
    this.#lines = [];
    if (lines.length === 0 || this.#path === undefined) return true;
    return this.#onFile(plain(this.#path), lines);
  }

  #line(bytes: Uint8Array) {
    let at = 0;
    while (isDigit(bytes[at])) at++;
    const number = Number(textOf(bytes.subarray(0, at)));
    const isMatch = bytes[at] === 0x3a;
    const end = bytes.at(-1) === 13 ? bytes.length - 1 : bytes.length;
    const line = bytes.subarray(at + 1, end);
    const text = line.length > LONGEST_LINE ? undefined : textOf(line);
    if (text !== undefined) this.#lines.push({ number, isMatch, text });
    else
      this.#lines.push({ number, isMatch, why: line.length > LONGEST_LINE ? TOO_LONG : NO_UTF8 });
  }
}

/** Whether a host has a shell that runs programs. */
const isRunner = (shell: Shell | undefined): shell is Runner => typeof shell?.spawn === "function";

export class Ripgrep {
  #fs: FileSystem;
  #shell: Runner;
  #program: string;

  constructor(fs: FileSystem, shell: Runner, program: string) {
    this.#fs = fs;
    this.#shell = shell;
    this.#program = program;
  }

  /** ripgrep of a host; undefined if it has none. */
  static from({ fs, shell, rgPath }: Host): Ripgrep | undefined {
    if (typeof rgPath !== "string" || !isRunner(shell)) return undefined;
    return new Ripgrep(fs, shell, rgPath);
  }

  /** Runs it. Gives whether it could read everything. */
  async #run(
    given: string[],
    { cwd, abort }: RunOptions,
    onOutput: (bytes: Uint8Array) => boolean,
  ) {
    // Where no repository is, ignore files count all the same.
    const args = (await isInRepository(this.#fs, cwd)) ? given : ["--no-require-git", ...given];
    let isStopped = false;
    let end: Awaited<ReturnType<Runner["spawn"]>>;
    try {
      end = await this.#shell.spawn(this.#program, args, {
        cwd,
        abort,
        onOutput: (bytes) => {
          if (isStopped || onOutput(bytes)) return !isStopped;
          isStopped = true;
          return false;
        },
      });
    } catch (error) {
      throw new UnusableError(messageOf(error));
    }
    abort?.throwIfAborted?.();
    if (isStopped || end.exit === 0 || end.exit === 1) return true;
    const message = end.stderr.trim();
    if (/\bregex\b/.test(message)) throw new RefusedError(message);
    if (end.exit === 2 && message === "") return false;
    throw new UnusableError(message || `it ended with ${end.signal ?? end.exit}`);
  }

  /**
   * Calls `onPath` with the path of each file below a directory, in any order; those in hidden directories only if
   * `entersHidden`.
   */
  async files(
    root: string,
    {
      entersHidden = false,
      abort,
      onPath,
    }: { entersHidden?: boolean; abort: Tool.Abort; onPath: (path: string) => void },
  ): Promise<boolean> {
    const names = new Names();
    const hidden = entersHidden ? [] : ["--glob=!.*/"];
    const args = [...COMMON, "--files", ...hidden, "--", "./"];
    return this.#run(args, { cwd: root, abort }, (bytes) => {
      for (const name of names.push(bytes)) {
        const path = textOf(name);
        if (path !== undefined) onPath(plain(path));
      }
      return true;
    });
  }

  /** The paths of the files below a directory that have a match, in order, and whether all could be read. */
  async filesWithMatches(
    root: string,
    { pattern, ignoreCase, type, keeps, abort }: FileOptions & { keeps: Keeps },
  ): Promise<{ paths: string[]; isComplete: boolean }> {
    const names = new Names();
    let paths: string[] = [];
    let isComplete = true;
    const args = [...this.#search(pattern, ignoreCase), "--files-with-matches"];
    if (type !== undefined) args.push(...ofType(type));
    const couldRead = await this.#run([...args, "--", "./"], { cwd: root, abort }, (bytes) => {
      for (const name of names.push(bytes)) {
        const path = textOf(name);
        if (path === undefined) isComplete = false;
        else if (keeps(plain(path))) paths.push(plain(path));
      }
      if (paths.length > MOST_PATHS) paths = paths.sort(byLetters).slice(0, KEPT_PATHS);
      return true;
    });
    return { paths: paths.sort(byLetters), isComplete: isComplete && couldRead };
  }

  /** All files below a directory that have matches, in order, if they are few; undefined if they are many. */
  async few(
    root: string,
    options: LineOptions & { keeps: Keeps },
  ): Promise<{ files: FileLines[]; isComplete: boolean } | undefined> {
    const { keeps } = options;
    const files: FileLines[] = [];
    let size = 0;
    let isComplete = true;
    const answer = new Answer((path, lines) => {
      if (path.includes("\ufffd")) isComplete = false;
      else if (keeps(path)) files.push({ path, lines });
      return true;
    });
    const args = this.#lines(options);
    const couldRead = await this.#run([...args, "--", "./"], { cwd: root, ...options }, (bytes) => {
      size += bytes.length;
      return size <= FEW && answer.push(bytes);
    });
    if (size > FEW) return undefined;
    answer.finish();
    files.sort((a, b) => byLetters(a.path, b.path));
    return { files, isComplete: isComplete && couldRead };
  }

  /** Calls `onFile(path, lines)` for each of these files that has matches, in order. */
  async lines(
    root: string,
    paths: string[],
    { onFile, ...options }: LineOptions & { onFile: OnFile },
  ): Promise<boolean> {
    const args = [...this.#lines(options), "--threads=1"];
    let isComplete = true;
    let goesOn = true;
    for (let at = 0; at < paths.length && goesOn; ) {
      const batch: string[] = [];
      for (let size = 0; at < paths.length && (size < MOST_ARGUMENTS || batch.length === 0); at++) {
        const path = paths[at] ?? "";
        batch.push(`./${path}`);
        size += path.length * 3;
      }
      const answer = new Answer((path, lines) => {
        goesOn = onFile(path, lines);
        return goesOn;
      });
      const whole = await this.#run([...args, "--", ...batch], { cwd: root, ...options }, (bytes) =>
        answer.push(bytes),
      );
      if (goesOn) answer.finish();
      isComplete &&= whole;
    }
    return isComplete;
  }

  /** The arguments of a search that gives lines. */
  #lines({ pattern, ignoreCase, type, context, most }: LineOptions) {
    const args = [
      ...this.#search(pattern, ignoreCase),
      "--line-number",
      "--with-filename",
      "--no-heading",
      "--no-context-separator",
      `--context=${context}`,
      `--max-count=${most}`,
      `--max-columns=${LONGEST_LINE + 2}`,
      "--max-columns-preview",
    ];
    return type === undefined ? args : [...args, ...ofType(type)];
  }

  #search(pattern: string, ignoreCase: boolean | undefined) {
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
export function logUnusable(error: UnusableError): void {
  log("warn", "ripgrep cannot be used; the search goes on without it", error.message);
}
