// What grep has found: matching lines and those beside them, up to a limit.

const isWithin = (line, match, context) => Math.abs(line.number - match.number) <= context;

export class FoundLines {
  #limit;
  #context;
  /** The number of matching lines in `files`. */
  matches = 0;
  /** There is at least one more matching line. */
  isTruncated = false;
  /** `{path, lines}` in order of the paths. */
  files = [];
  /** Some file or directory could not be read. */
  isIncomplete = false;

  constructor(limit, context) {
    this.#limit = limit;
    this.#context = context;
  }

  /** The most matching lines of one file that are of use. */
  get most() {
    return this.#limit + 1;
  }

  /** Adds the lines of a file; false if there is room for no more. */
  add(path, lines) {
    if (this.isTruncated) return false;
    const matching = lines.filter(({ isMatch }) => isMatch);
    const left = this.#limit - this.matches;
    let kept = lines;
    if (matching.length > left) {
      this.isTruncated = true;
      kept = lines.slice(0, lines.indexOf(matching[left]));
      const last = matching[left - 1];
      while (
        kept.length > 0 &&
        !(last !== undefined && isWithin(kept.at(-1), last, this.#context))
      ) {
        kept.pop();
      }
    }
    this.matches += Math.min(matching.length, left);
    if (kept.length > 0) this.files.push({ path, lines: kept });
    return !this.isTruncated;
  }
}
