/** A message or a part, by its place in the transcript. */
export interface Place {
  message: number;
  /** -1: the message's own header row. */
  part: number;
}

/**
 * Rows of the transcript column: every message has one header row, and each of its parts one more.
 * Row numbers come from the message's first part by arithmetic, so the whole mapping is one typed
 * array, also for half a million rows. Both the page and the worker use it.
 */
export class RowMap {
  readonly messages: number;
  readonly rows: number;

  /** `firstPart[i]` is the index of the first part of message `i`; one more entry closes the last. */
  constructor(readonly firstPart: Uint32Array) {
    this.messages = Math.max(0, firstPart.length - 1);
    this.rows = this.messages + (firstPart[this.messages] ?? 0);
  }

  /** The row of a place, or -1 where there is no such message or part. */
  row(message: number, part = -1): number {
    if (message < 0 || message >= this.messages || part < -1 || part >= this.parts(message)) {
      return -1;
    }
    return this.header(message) + part + 1;
  }

  place(row: number): Place {
    const message = this.messageAt(row);
    return { message, part: row - this.header(message) - 1 };
  }

  /** The index of a part in the whole file, or -1 for a header row. */
  partIndex(row: number): number {
    const { message, part } = this.place(row);
    return part < 0 ? -1 : (this.firstPart[message] ?? 0) + part;
  }

  parts(message: number): number {
    return (this.firstPart[message + 1] ?? 0) - (this.firstPart[message] ?? 0);
  }

  header(message: number): number {
    return (this.firstPart[message] ?? 0) + message;
  }

  /** The rows of those messages, and of those parts by their index in the file, for which this holds; in order. */
  rowsWhere(message: (message: number) => boolean, part: (index: number) => boolean): number[] {
    const rows: number[] = [];
    for (let at = 0; at < this.messages; at++) {
      if (message(at)) rows.push(this.header(at));
      const end = this.firstPart[at + 1] ?? 0;
      for (let index = this.firstPart[at] ?? 0; index < end; index++) {
        if (part(index)) rows.push(index + at + 1);
      }
    }
    return rows;
  }

  messageAt(row: number): number {
    let low = 0;
    let high = this.messages - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.header(middle) <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
