import type { Alignment } from "../../../../../ts/cli/comparison/align.ts";
import type { ShownRows } from "../../../core/model/shown_rows";
import type { OpenDocument } from "../../../core/store/document";

/** The first transcript and the second. */
export type ComparedDocuments = readonly [OpenDocument, OpenDocument];

/** Pairs of which some are folded away. */
export interface PairFolds {
  readonly shown: ShownRows;
  /** Whether a pair stands for what is folded away with it. */
  standsForFold(pair: number): boolean;
}

/** An alignment that can be walked, and asked where a row of either side is. */
export class Pairing {
  readonly count: number;
  readonly states: Uint8Array;
  readonly differences: Uint32Array;
  private readonly rows: readonly [Int32Array, Int32Array];
  private readonly pairs: readonly [Uint32Array, Uint32Array];

  constructor(alignment: Alignment, docs: ComparedDocuments) {
    this.states = alignment.states;
    this.differences = alignment.differences;
    this.count = alignment.states.length;
    this.rows = [alignment.left, alignment.right];
    this.pairs = [inverse(alignment.left, docs[0]), inverse(alignment.right, docs[1])];
  }

  /** The row of a side, or -1. */
  row(side: 0 | 1, pair: number): number {
    return this.rows[side][pair] ?? -1;
  }

  /** The pair that a row is in. */
  of(side: 0 | 1, row: number): number {
    return this.pairs[side][row] ?? -1;
  }

  /** The row of a side at a pair, or the last one before. */
  near(side: 0 | 1, pair: number): number {
    for (let at = pair; at >= 0; at--) if (this.row(side, at) >= 0) return this.row(side, at);
    return -1;
  }

  /** The next pair in a direction that a reader would stop at. What is folded away is one stop. */
  step(pair: number, direction: 1 | -1, docs: ComparedDocuments, folds: PairFolds): number {
    const { shown } = folds;
    const from = pair < 0 ? pair : shown.item(pair);
    for (let item = from + direction; item >= 0 && item < shown.count; item += direction) {
      const at = shown.row(item);
      if (folds.standsForFold(at)) return at;
      const stops = ([0, 1] as const).some((side) => {
        const row = this.row(side, at);
        return row >= 0 && docs[side].isStop(row);
      });
      if (stops) return at;
    }
    return -1;
  }

  /** The pair with the header of the turn before or after, of the side that has one nearer. */
  turn(pair: number, direction: 1 | -1, docs: ComparedDocuments, folds: PairFolds): number {
    for (let at = this.nextTurn(pair, direction, docs); at >= 0; ) {
      const range = folds.shown.foldedAt(at);
      // A turn that is folded away is passed over, but for the row that stands for it.
      if (!range) return at;
      const first = range[0] - 1;
      if (direction === 1 ? first > pair : first < pair) return first;
      at = this.nextTurn(at, direction, docs);
    }
    return -1;
  }

  private nextTurn(pair: number, direction: 1 | -1, docs: ComparedDocuments): number {
    const found = ([0, 1] as const)
      .map((side) => {
        const row = docs[side].turn(Math.max(0, this.near(side, pair)), direction);
        return row < 0 ? -1 : this.of(side, row);
      })
      .filter((at) => (direction === 1 ? at > pair : at >= 0 && at < pair));
    if (found.length === 0) return -1;
    return direction === 1 ? Math.min(...found) : Math.max(...found);
  }

  /** The pair at which the next difference begins, or the one before. */
  difference(pair: number, direction: 1 | -1): number {
    const { differences } = this;
    let low = 0;
    let high = differences.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const value = differences[middle] ?? 0;
      if (direction === 1 ? value <= pair : value < pair) low = middle + 1;
      else high = middle;
    }
    return differences[direction === 1 ? low : low - 1] ?? -1;
  }
}

function inverse(rows: Int32Array, doc: OpenDocument): Uint32Array {
  const pairs = new Uint32Array(doc.map.rows);
  rows.forEach((row, pair) => {
    if (row >= 0) pairs[row] = pair;
  });
  return pairs;
}
