// Two transcripts side by side, row by row: of `compare` and of the viewer.
import type { Digests } from "./digests.ts";
import { compared, steps } from "./digests.ts";
import { matched, paired } from "./matching.ts";

export const SAME: number = 0;
export const CHANGED: number = 1;
/** Only in the first file, only in the second. */
export const FIRST_ONLY: number = 2;
export const SECOND_ONLY: number = 3;

/** Two transcripts side by side: every row of both, once and in order; -1 where one has no such row. */
export interface Alignment {
  left: Int32Array;
  right: Int32Array;
  states: Uint8Array;
  /** The pairs at which a difference begins, in order. */
  differences: Uint32Array;
}

/**
 * Aligns two transcripts step by step, and the parts inside of steps that belong together. Steps
 * that say the same are found first; what lies between them is paired by likeness.
 */
export function align(a: Digests, b: Digests): Alignment {
  const left = steps(a);
  const right = steps(b);
  const out = new Pairs(a.parts.length + a.headers.length + b.parts.length + b.headers.length);
  const same = matched(left.digests, right.digests);
  const likeness = (i: number, j: number) => compared.steps(a, left, i, b, right, j);
  for (const [i, j] of paired(left.digests.length, right.digests.length, same, likeness)) {
    const one = i < 0 ? NOTHING : rowsOf(a, left, i);
    const other = j < 0 ? NOTHING : rowsOf(b, right, j);
    inside(a, one, b, other, out);
  }
  return out.alignment();
}

/** The rows of a step: the message's header where the step begins one, then its parts. */
interface StepRows {
  /** The message that it begins, or -1. */
  header: number;
  headerRow: number;
  firstPart: number;
  firstRow: number;
  count: number;
}

const NOTHING: StepRows = { header: -1, headerRow: -1, firstPart: 0, firstRow: 0, count: 0 };

function rowsOf(of: Digests, all: ReturnType<typeof steps>, step: number): StepRows {
  const message = all.messages[step] ?? 0;
  const firstPart = all.starts[step] ?? 0;
  const end = all.starts[step + 1] ?? of.parts.length;
  const begins = step === 0 || all.messages[step - 1] !== message;
  return {
    header: begins ? message : -1,
    headerRow: firstPart + message,
    firstPart,
    firstRow: firstPart + message + 1,
    count: end - firstPart,
  };
}

/** The rows of two steps that belong together, or of one that has no partner. */
function inside(a: Digests, one: StepRows, b: Digests, other: StepRows, out: Pairs): void {
  const hasFirst = one.header >= 0;
  const hasSecond = other.header >= 0;
  if (hasFirst && hasSecond) {
    const isSame = a.headers[one.header] === b.headers[other.header];
    out.add(one.headerRow, other.headerRow, isSame ? SAME : CHANGED);
  } else if (hasFirst) {
    out.add(one.headerRow, -1, FIRST_ONLY);
  } else if (hasSecond) {
    out.add(-1, other.headerRow, SECOND_ONLY);
  }
  const same = matched(
    a.parts.subarray(one.firstPart, one.firstPart + one.count),
    b.parts.subarray(other.firstPart, other.firstPart + other.count),
  );
  const likeness = (i: number, j: number) =>
    compared.parts(a, one.firstPart + i, b, other.firstPart + j);
  for (const [i, j] of paired(one.count, other.count, same, likeness)) {
    const isSame = i >= 0 && j >= 0 && a.parts[one.firstPart + i] === b.parts[other.firstPart + j];
    const state = i < 0 ? SECOND_ONLY : j < 0 ? FIRST_ONLY : isSame ? SAME : CHANGED;
    out.add(i < 0 ? -1 : one.firstRow + i, j < 0 ? -1 : other.firstRow + j, state);
  }
}

class Pairs {
  private readonly left: Int32Array;
  private readonly right: Int32Array;
  private readonly states: Uint8Array;
  private readonly differences: number[] = [];
  private count = 0;

  constructor(most: number) {
    this.left = new Int32Array(most);
    this.right = new Int32Array(most);
    this.states = new Uint8Array(most);
  }

  add(left: number, right: number, state: number): void {
    const before = this.count === 0 ? SAME : this.states[this.count - 1];
    if (state !== SAME && state !== before) this.differences.push(this.count);
    this.left[this.count] = left;
    this.right[this.count] = right;
    this.states[this.count++] = state;
  }

  alignment(): Alignment {
    return {
      left: this.left.slice(0, this.count),
      right: this.right.slice(0, this.count),
      states: this.states.slice(0, this.count),
      differences: Uint32Array.from(this.differences),
    };
  }
}
