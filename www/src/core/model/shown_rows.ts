/** Rows from one to before another. */
export type RowRange = readonly [from: number, to: number];

/**
 * The rows that are in the list, while others are folded away: the list counts its items without gaps,
 * and everything else goes by the numbers of rows.
 */
export class ShownRows {
  /** How many rows are in the list. */
  readonly count: number;
  /** How many rows are folded away before each range and with it. */
  private readonly before: number[] = [];

  /** `folded` are the ranges that are folded away, in order and apart. */
  constructor(
    readonly rows: number,
    private readonly folded: readonly RowRange[],
  ) {
    let sum = 0;
    for (const [from, to] of folded) {
      this.before.push(sum);
      sum += to - from;
    }
    this.count = rows - sum;
  }

  /** The row of an item of the list. */
  row(item: number): number {
    // The last range that begins, without those before it, at or above the item.
    const at = this.last((i) => (this.folded[i]?.[0] ?? 0) - (this.before[i] ?? 0) <= item);
    const range = this.folded[at];
    return range ? item + (this.before[at] ?? 0) + range[1] - range[0] : item;
  }

  /** The item of a row; that of the row which stands for it, where it is folded away. */
  item(row: number): number {
    const at = this.last((i) => (this.folded[i]?.[0] ?? 0) <= row);
    const range = this.folded[at];
    if (!range) return row;
    const [from, to] = range;
    return (row < to ? from - 1 : row - (to - from)) - (this.before[at] ?? 0);
  }

  /** The range in which a row is folded away. */
  foldedAt(row: number): RowRange | undefined {
    const range = this.folded[this.last((i) => (this.folded[i]?.[0] ?? 0) <= row)];
    return range && row < range[1] ? range : undefined;
  }

  /** Of values of all rows, those of the rows that are in the list. */
  pick(all: Float32Array): Float32Array {
    if (this.folded.length === 0) return all;
    const shown = new Float32Array(this.count);
    let from = 0;
    let at = 0;
    for (const range of [...this.folded, [this.rows, this.rows] as const]) {
      shown.set(all.subarray(from, range[0]), at);
      at += range[0] - from;
      from = range[1];
    }
    return shown;
  }

  private last(isBefore: (i: number) => boolean): number {
    let low = -1;
    let high = this.folded.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (isBefore(middle)) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
