import { lastNotAbove } from "./sorted";

/** Rows are summed up in blocks of this many, so that no offset is far from a known one. */
const BLOCK = 512;

/** The heights of all rows, guessed or measured, and where each begins: two numbers a row at most. */
export class Heights {
  readonly count: number;
  /** Where each block of rows begins; one more entry closes the last. */
  private readonly tops: Float64Array;

  /** Keeps the array, and writes into it what is measured. `head` is the room above the first row. */
  constructor(
    private readonly heights: Float32Array,
    head = 0,
  ) {
    this.count = heights.length;
    const blocks = Math.ceil(this.count / BLOCK);
    this.tops = new Float64Array(blocks + 1);
    let top = head;
    for (let row = 0; row < this.count; row++) {
      if (row % BLOCK === 0) this.tops[row / BLOCK] = top;
      top += heights[row] ?? 0;
    }
    this.tops[blocks] = top;
  }

  get total(): number {
    return this.tops[this.tops.length - 1] ?? 0;
  }

  of(row: number): number {
    return this.heights[row] ?? 0;
  }

  set(row: number, height: number): void {
    if (row < 0 || row >= this.count) return;
    const before = this.of(row);
    this.heights[row] = height;
    const more = this.of(row) - before;
    if (more === 0) return;
    for (let block = Math.floor(row / BLOCK) + 1; block < this.tops.length; block++) {
      this.tops[block] = (this.tops[block] ?? 0) + more;
    }
  }

  /** Where a row begins; that of the row after the last is the end of all. */
  top(row: number): number {
    const end = Math.min(Math.max(0, row), this.count);
    const block = Math.floor(end / BLOCK);
    let top = this.tops[block] ?? 0;
    for (let each = block * BLOCK; each < end; each++) top += this.of(each);
    return top;
  }

  /** The row at a place: the first for what is above all, the last for what is below; -1 of none. */
  at(place: number): number {
    const low = lastNotAbove(this.tops, place, this.tops.length - 1);
    let row = low * BLOCK;
    let end = (this.tops[low] ?? 0) + this.of(row);
    const last = Math.min(row + BLOCK, this.count) - 1;
    while (row < last && end <= place) end += this.of(++row);
    return Math.min(row, this.count - 1);
  }
}
