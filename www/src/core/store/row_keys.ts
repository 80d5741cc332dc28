import type { RowMap } from "../model/row_map";

/**
 * A number for each row that stays with it when rows come in above it (a part at the end of an
 * earlier message): heights, folds and what is opened are kept by it. As long as rows only come and
 * go at the end it is the row's own number.
 */
export class RowKeys {
  private keys: Uint32Array | undefined;
  private next: number;

  constructor(rows: number) {
    this.next = rows;
  }

  readonly of = (row: number): number => this.keys?.[row] ?? row;

  /** Is each key the row's own number? */
  get isPlain(): boolean {
    return this.keys === undefined;
  }

  /** The row that has a key now, or -1. */
  row(key: number): number {
    return this.keys ? this.keys.indexOf(key) : key;
  }

  /** Says where rows are now, where any but those at the end came or went. */
  grow(before: RowMap, after: RowMap): ((row: number) => number) | undefined {
    const same = unmoved(before, after);
    const moves = same < Math.min(before.rows, after.rows);
    if (moves || this.keys) {
      const keys = new Uint32Array(after.rows);
      for (let row = 0; row < after.rows; row++) {
        let old = row;
        if (row >= same) {
          const { message, part } = after.place(row);
          old = before.row(message, part);
        }
        keys[row] = old >= 0 && old < before.rows ? this.of(old) : this.next++;
      }
      this.keys = keys;
    }
    this.next = Math.max(this.next, after.rows);
    if (!moves) return undefined;
    return (row) => {
      const { message, part } = before.place(row);
      return after.row(message, part);
    };
  }
}

/** How many rows at the beginning are where they were. */
function unmoved(before: RowMap, after: RowMap): number {
  const messages = Math.min(before.messages, after.messages);
  for (let message = 0; message < messages; message++) {
    const [old, now] = [before.parts(message), after.parts(message)];
    if (old !== now) return after.header(message) + 1 + Math.min(old, now);
  }
  return Math.min(before.rows, after.rows);
}
