import type { SearchColumns, Transcript } from "apex-parts";
import type { RowFilter } from "../model/filter";
import type { Term } from "../model/query";
import type { RowMap } from "../model/rowmap";

/** So many hits are counted; nobody reads more, and each costs memory. */
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

/** Every hit in the parts that have all the texts and pass the filter. */
export function matchesOf(
  transcript: Transcript,
  map: RowMap,
  terms: Term[],
  filter: RowFilter,
): Matches {
  const limit = MOST_HITS;
  const lists = terms.map(({ text, regex, caseSensitive }) => {
    const found = transcript.searchColumns(text, { regex, caseSensitive, limit });
    return kept(found, map, filter);
  });
  const [first] = lists;
  return lists.length === 1 && first ? first : joined(lists);
}

/** The hits of a list whose row passes. */
function kept(found: SearchColumns, map: RowMap, filter: RowFilter): Matches {
  const { messages, parts, starts, ends, fields, fieldNames: names, capped } = found;
  const rows = new Uint32Array(messages.length);
  let length = 0;
  let last = -1;
  let passes = false;
  for (let i = 0; i < messages.length; i++) {
    const message = messages[i] ?? 0;
    const part = parts[i] ?? 0;
    const row = map.row(message, part);
    // Hits of a row stand together.
    if (row !== last) passes = row >= 0 && filter.passes(message, part);
    last = row;
    if (!passes) continue;
    rows[length] = row;
    starts[length] = starts[i] ?? 0;
    ends[length] = ends[i] ?? 0;
    fields[length] = fields[i] ?? 0;
    length++;
  }
  const cut = (column: Uint32Array) =>
    length === column.length ? column : column.slice(0, length);
  return {
    rows: cut(rows),
    starts: cut(starts),
    ends: cut(ends),
    fields: cut(fields),
    names,
    capped,
  };
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

/** The rows that stand in both, each once; `undefined` stands for all rows. */
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
