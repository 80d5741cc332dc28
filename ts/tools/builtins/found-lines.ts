// What grep has found: matching lines and those beside them, up to a limit.
import type { Line } from "./line-search.ts";

/** The lines of a file that are shown. */
export interface FileLines {
  path: string;
  lines: Line[];
}

const isWithin = (line: Line, match: Line, context: number) =>
  Math.abs(line.number - match.number) <= context;

export class FoundLines {
  #limit: number;
  #context: number;
  /** The number of matching lines in `files`. */
  matches = 0;
  /** There is at least one more matching line. */
  isTruncated = false;
  /** In order of the paths. */
  files: FileLines[] = [];
  /** Some file or directory could not be read. */
  isIncomplete = false;

  constructor(limit: number, context: number) {
    this.#limit = limit;
    this.#context = context;
  }

  /** The most matching lines of one file that are of use. */
  get most(): number {
    return this.#limit + 1;
  }

  /** Adds the lines of a file; false if there is room for no more. */
  add(path: string, lines: Line[]): boolean {
    if (this.isTruncated) return false;
    const matching = lines.filter(({ isMatch }) => isMatch);
    const left = this.#limit - this.matches;
    let kept = lines;
    const excess = matching[left];
    if (excess !== undefined) {
      this.isTruncated = true;
      kept = lines.slice(0, lines.indexOf(excess));
      const last = matching[left - 1];
      for (let line = kept.at(-1); line !== undefined; line = kept.at(-1)) {
        if (last !== undefined && isWithin(line, last, this.#context)) break;
        kept.pop();
      }
    }
    this.matches += Math.min(matching.length, left);
    if (kept.length > 0) this.files.push({ path, lines: kept });
    return !this.isTruncated;
  }
}
