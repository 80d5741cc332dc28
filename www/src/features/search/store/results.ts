import type { OpenDocument } from "../../../core/store/document";
import { Chunks } from "../../../ui/chunks";
import type { HitList, HitMarks, HitView } from "../model/hits";

/** The marks of this many rows are kept. */
const KEPT = 300;

/** The rows of a search's hits; all else is asked of the worker as it is needed. */
export class SearchResults {
  readonly hits: Chunks<HitView>;
  /** The row of each hit. */
  readonly rows: Uint32Array;
  /** The rows that have a hit, each once. */
  readonly distinct: Uint32Array;
  /** The lines of the list: a hit's index, or `-1 - message` above the first hit of a message. */
  readonly lines: Int32Array;
  private readonly marks = new Map<number, HitMarks>();

  constructor(
    readonly doc: OpenDocument,
    readonly id: number,
    private readonly list: HitList,
    /** True where there are more than were counted. */
    readonly capped: boolean,
  ) {
    this.rows = list.rows;
    this.distinct = list.distinct;
    this.lines = list.lines;
    this.hits = new Chunks(list.rows.length, (start, end) =>
      doc.client.call("hits", id, start, end),
    );
  }

  /** How many hits a message has. */
  countOf(message: number): number {
    const { messages, counts } = this.list;
    const place = firstAt(messages, message);
    return messages[place] === message ? (counts[place] ?? 0) : 0;
  }

  /** The index of the first hit at or after a row. */
  firstAt(row: number): number {
    return firstAt(this.rows, row);
  }

  has(row: number): boolean {
    return this.rows[this.firstAt(row)] === row;
  }

  /** The line of the list that shows a hit. */
  lineOf(hit: number): number {
    // Every hit stands as many lines further down as there are messages up to it.
    let low = hit;
    let high = this.lines.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.hitAt(middle) < hit) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** What is marked in these rows; the one with this hit knows the place of it. */
  async marksOf(rows: number[], hit: number): Promise<HitMarks[]> {
    const missing = rows.filter((row) => !this.knows(row, hit));
    if (missing.length > 0) {
      for (const marks of await this.doc.client.call("marks", this.id, missing, hit)) {
        this.marks.set(marks.row, marks);
      }
    }
    const all = rows.flatMap((row) => this.marks.get(row) ?? []);
    for (const row of this.marks.keys()) {
      if (this.marks.size <= KEPT) break;
      if (!rows.includes(row)) this.marks.delete(row);
    }
    return all;
  }

  /** The place of a hit, if its marks were fetched. */
  placeOf(hit: number): HitMarks["places"][number] | undefined {
    const row = this.rows[hit];
    const marks = row === undefined ? undefined : this.marks.get(row);
    return marks && row !== undefined
      ? marks.places[hit - this.firstAt(row) - marks.from]
      : undefined;
  }

  private knows(row: number, hit: number): boolean {
    return this.marks.has(row) && (this.rows[hit] !== row || this.placeOf(hit) !== undefined);
  }

  /** The hit of a line, or the one below where it is the head of a message. */
  private hitAt(line: number): number {
    const own = this.lines[line] ?? 0;
    return own >= 0 ? own : (this.lines[line + 1] ?? 0) - 0.5;
  }
}

/** The index of the first number of a rising list that is not below this one. */
function firstAt(list: ArrayLike<number>, least: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
