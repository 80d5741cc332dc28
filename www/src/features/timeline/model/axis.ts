/**
 * The horizontal axis of the timeline. Where the file has times, a unit is a millisecond, but long
 * stretches in which nothing happened are cut to a small width: an agent that waits a night for its
 * user must not press the rest of the session into one pixel. Where it has none, a unit is a row.
 */
interface Break {
  /** Where it begins on the axis; all of them are `Axis.breakWidth` wide. */
  at: number;
  /** The times that it lies between. */
  from: number;
  to: number;
}

/** Shorter waits are never cut. */
const SHORT = 30_000;
/** Where there are moments only, the time between two is mostly work: a wait is this many times longer. */
const TIMES_USUAL = 10;
/** A wait longer than this share of all that is shown beside it is cut. */
const LONG_SHARE = 0.25;
/** Shares of the axis: one break, and all of them together. */
const BREAK_SHARE = 0.015;
const BREAKS_SHARE = 0.25;
/** Where there is nothing but breaks they still need some room. */
const LEAST_SHOWN = 1000;
/** The last moment of the calendar; what lies beyond comes out of broken files. */
const LAST_MOMENT = 8.64e15;

export function isTime(value: number): boolean {
  return value > 0 && value <= LAST_MOMENT;
}

export class Axis {
  readonly length: number;
  readonly breakWidth: number;
  /** The break that was asked for last: what comes next is mostly near it. */
  private near = 0;

  private constructor(
    readonly kind: "time" | "rows",
    readonly start: number,
    readonly end: number,
    readonly breaks: readonly Break[],
    breakWidth: number,
  ) {
    this.breakWidth = breakWidth;
    const cut = breaks.reduce((sum, { from, to }) => sum + to - from, 0);
    this.length = Math.max(1, end - start - cut + breaks.length * breakWidth);
  }

  static rows(rows: number): Axis {
    return new Axis("rows", 0, rows, [], 0);
  }

  /**
   * `begins` and `ends` are those of everything that happened, each in order. `measured` says that
   * they are real durations; where there are moments only, the time between two of them is the work.
   */
  static time(begins: Float64Array, ends: Float64Array, measured: boolean): Axis {
    const start = begins[0] ?? 0;
    const end = ends[ends.length - 1] ?? start;
    const cut = longWaits(begins, ends, end - start, measured);
    const shown = cut.reduce((rest, { from, to }) => rest - (to - from), end - start);
    const share = Math.min(BREAK_SHARE, BREAKS_SHARE / cut.length);
    const width = cut.length === 0 ? 0 : Math.max(shown, LEAST_SHOWN) * share;
    let passed = 0;
    const breaks = cut.map(({ from, to }, i) => {
      const at = from - start - passed + i * width;
      passed += to - from;
      return { at, from, to };
    });
    return new Axis("time", start, end, breaks, width);
  }

  /** The place of a moment (or of a row). */
  at(value: number): number {
    const last = this.lastBreak(value, "from");
    const cut = this.breaks[last];
    if (!cut) return value - this.start;
    if (value >= cut.to) return cut.at + this.breakWidth + value - cut.to;
    return cut.at + ((value - cut.from) / (cut.to - cut.from)) * this.breakWidth;
  }

  /** The moment (or row) of a place. */
  value(at: number): number {
    const cut = this.breaks[this.lastBreak(at, "at")];
    if (!cut) return this.start + at;
    const past = at - cut.at;
    if (past >= this.breakWidth) return cut.to + past - this.breakWidth;
    return cut.from + (past / this.breakWidth) * (cut.to - cut.from);
  }

  /** The last break that begins at or before a value, or -1. */
  private lastBreak(value: number, field: "from" | "at"): number {
    const { breaks } = this;
    const begins = (i: number) => breaks[i]?.[field] ?? Number.POSITIVE_INFINITY;
    if (breaks.length === 0 || value < begins(0)) return -1;
    if (value >= begins(this.near) && value < begins(this.near + 1)) return this.near;
    let low = 0;
    let high = breaks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (begins(middle) <= value) low = middle;
      else high = middle - 1;
    }
    this.near = low;
    return low;
  }
}

interface Wait {
  from: number;
  to: number;
}

const lengthOf = ({ from, to }: Wait) => to - from;

/** The median of what lies between one thing and the next. */
function usualWait(begins: Float64Array, ends: Float64Array): number {
  const waits = begins.subarray(1).map((begin, i) => begin - (ends[i] ?? begin));
  const real = waits.filter((wait) => wait > 0).sort();
  return real[real.length >> 1] ?? 0;
}

/** The waits that are cut, in order of time. */
function longWaits(
  begins: Float64Array,
  ends: Float64Array,
  span: number,
  measured: boolean,
): Wait[] {
  const limit = measured ? SHORT : Math.max(SHORT, TIMES_USUAL * usualWait(begins, ends));
  const candidates: Wait[] = [];
  let short = 0;
  for (let i = 1; i < begins.length; i++) {
    // When as many things have ended as have begun, nothing goes on until the next begins.
    const wait = { from: ends[i - 1] ?? 0, to: begins[i] ?? 0 };
    if (lengthOf(wait) > limit) candidates.push(wait);
    else short += Math.max(0, lengthOf(wait));
  }
  let shown = candidates.reduce((rest, wait) => rest - lengthOf(wait), span);
  const busy = shown - short;
  const byLength = [...candidates].sort((a, b) => lengthOf(a) - lengthOf(b));
  for (const wait of byLength) {
    const length = lengthOf(wait);
    const tooMuch = measured && shown + length > 2 * busy;
    if (length > shown * LONG_SHARE || tooMuch) {
      return candidates.filter((each) => lengthOf(each) >= length);
    }
    shown += length;
  }
  return [];
}
