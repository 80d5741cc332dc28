import type { SearchColumns, Transcript } from "apex-parts";
import type { RowFilter } from "../model/filter";
import type { Term } from "../model/query";
import type { RowMap } from "../model/row_map";

/** The most hits that are counted: nobody reads more, and each costs memory. */
export const MOST_HITS = 100_000;

/** Hits as columns, by row: 16 bytes each, whatever their number. */
export interface Matches {
  rows: Uint32Array;
  starts: Uint32Array;
  ends: Uint32Array;
  /** Indices in `names`, of the JSON Pointers of strings in their parts. */
  fields: Uint32Array;
  names: string[];
  /** There are more than could be counted. */
  capped: boolean;
}

/** What `searchColumns` has for a match in the error of a message: no part. */
const NO_PART = 2 ** 32 - 1;

/** The limit for the names of fields in characters, the same as in the module's searches. */
const MOST_NAMES = 16 << 20;

/** A search in progress: collects every hit in the parts that have all the texts and pass the filter. */
export class Matching {
  private readonly lists: Hits[];

  constructor(
    private readonly transcript: Pick<Transcript, "searchColumns">,
    map: RowMap,
    terms: Term[],
    filter: RowFilter,
  ) {
    this.lists = terms.map((term) => new Hits(term, map, filter));
  }

  /** Searches these messages, which follow those before them. False once all lists are capped. */
  look(from: number, to: number): boolean {
    for (const list of this.lists) list.look(this.transcript, from, to);
    return this.lists.some(({ capped }) => !capped);
  }

  matches(): Matches {
    const lists = this.lists.map((list) => list.matches());
    const [first] = lists;
    return lists.length === 1 && first ? first : joined(lists);
  }
}

type Column = "rows" | "starts" | "ends" | "fields";

/** The hits of one text. */
class Hits {
  capped = false;
  private readonly pieces: Pick<Matches, Column>[] = [];
  private readonly places = new Map<string, number>();
  private named = 0;
  private left = MOST_HITS;

  constructor(
    private readonly term: Term,
    private readonly map: RowMap,
    private readonly filter: RowFilter,
  ) {}

  look(transcript: Pick<Transcript, "searchColumns">, from: number, to: number): void {
    if (this.capped) return;
    const { text, regex, caseSensitive } = this.term;
    // With nothing left it is still asked whether there are more.
    const options = { regex, caseSensitive, limit: this.left, from, to };
    const found = transcript.searchColumns(text, options);
    this.left -= found.messages.length;
    this.keep(found);
    this.capped = found.capped || this.named > MOST_NAMES;
  }

  matches(): Matches {
    const column = (name: Column) => together(this.pieces.map((piece) => piece[name]));
    return {
      rows: column("rows"),
      starts: column("starts"),
      ends: column("ends"),
      fields: column("fields"),
      names: [...this.places.keys()],
      capped: this.capped,
    };
  }

  /** Of what was found, the hits whose row passes. */
  private keep({ messages, parts, starts, ends, fields, fieldNames }: SearchColumns): void {
    const own = fieldNames.map((name) => this.place(name));
    const rows = new Uint32Array(messages.length);
    let length = 0;
    let last = -1;
    let passes = false;
    for (let i = 0; i < messages.length; i++) {
      const message = messages[i] ?? 0;
      const part = parts[i] ?? 0;
      const row = this.map.row(message, part === NO_PART ? -1 : part);
      // Hits of a row stand together.
      if (row !== last) passes = row >= 0 && this.passes(message, part);
      last = row;
      if (!passes) continue;
      rows[length] = row;
      starts[length] = starts[i] ?? 0;
      ends[length] = ends[i] ?? 0;
      fields[length] = own[fields[i] ?? 0] ?? 0;
      length++;
    }
    if (length === 0) return;
    const cut = (column: Uint32Array) =>
      length === column.length ? column : column.slice(0, length);
    this.pieces.push({
      rows: cut(rows),
      starts: cut(starts),
      ends: cut(ends),
      fields: cut(fields),
    });
  }

  private passes(message: number, part: number): boolean {
    return part === NO_PART ? this.filter.passesError(message) : this.filter.passes(message, part);
  }

  /** The index of a name; every step of the search has names of its own. */
  private place(name: string): number {
    const before = this.places.get(name);
    if (before !== undefined) return before;
    this.named += name.length;
    this.places.set(name, this.places.size);
    return this.places.size - 1;
  }
}

/** The pieces of a column, joined. */
function together(pieces: Uint32Array[]): Uint32Array {
  const [first] = pieces;
  if (first && pieces.length === 1) return first;
  const all = new Uint32Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** Several lists as one, of the rows that all of them have: by row, and inside it by field and place. */
function joined(lists: Matches[]): Matches {
  const common = lists.map(({ rows }) => rows).reduce(inBoth, undefined) ?? new Uint32Array();
  const places = new Map<string, number>();
  const all: { list: Matches; i: number; row: number; field: number; start: number }[] = [];
  for (const list of lists) {
    const fields = list.names.map((name) => {
      const place = places.get(name) ?? places.size;
      places.set(name, place);
      return place;
    });
    let at = 0;
    list.rows.forEach((row, i) => {
      while ((common[at] ?? Number.POSITIVE_INFINITY) < row) at++;
      if (common[at] !== row) return;
      const field = fields[list.fields[i] ?? 0] ?? 0;
      all.push({ list, i, row, field, start: list.starts[i] ?? 0 });
    });
  }
  all.sort((a, b) => a.row - b.row || a.field - b.field || a.start - b.start);
  return {
    rows: Uint32Array.from(all, ({ row }) => row),
    starts: Uint32Array.from(all, ({ start }) => start),
    ends: Uint32Array.from(all, ({ list, i }) => list.ends[i] ?? 0),
    fields: Uint32Array.from(all, ({ field }) => field),
    names: [...places.keys()],
    capped: lists.some(({ capped }) => capped),
  };
}

/** The rows that are in both, each once; `undefined` means all rows. */
function inBoth(some: Uint32Array | undefined, rows: Uint32Array): Uint32Array {
  const both: number[] = [];
  let at = 0;
  for (const row of rows) {
    if (both.at(-1) === row) continue;
    if (some) {
      while ((some[at] ?? Number.POSITIVE_INFINITY) < row) at++;
      if (some[at] !== row) continue;
    }
    both.push(row);
  }
  return Uint32Array.from(both);
}
