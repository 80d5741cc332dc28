import type { Filter, Query } from "../../../core/model/query";
import type { RowMap } from "../../../core/model/row_map";
import { inBatches } from "../../../core/worker/batches";
import type { CurrentTranscript } from "../../../core/worker/current";
import { type Fields, head, label, text } from "../../../core/worker/fields";
import type { OpenTranscript } from "../../../core/worker/open_transcript";
import { pause } from "../../../core/worker/pause";
import { whileSearching } from "../../../core/worker/searching";
import { RowFilter } from "../model/filter";
import type { HitMarks, HitView, SearchAnswer } from "../model/hits";
import { listing } from "./listing";
import { matchedFacts, summaryOf } from "./matched_facts";
import { type Matches, Matching, MOST_HITS } from "./matches";

/** The worker answers other calls at least this often, in milliseconds. */
const SLICE = 30;
/**
 * How much of a text an excerpt shows before and after the match, and of the match: the list is narrow, and
 * the match must be seen in it.
 */
const BEFORE = 14;
const BEHIND = 120;
const SHOWN = 200;
/** The most hits of a row that are marked in it. */
const MARKED = 500;
/** Longer matches are not looked for in what is drawn. */
const LONGEST_MARK = 1000;

/** The latest search. Only its rows are sent to the page, which asks for the rest by range. */
interface LatestSearch extends Matches {
  open: OpenTranscript;
  map: RowMap;
  id: number;
  filters: Filter[];
}

let found: LatestSearch | undefined;
let latest = 0;

/** Runs a search; what checks `isSearching` waits meanwhile. */
export async function search(current: CurrentTranscript, query: Query): Promise<SearchAnswer> {
  return whileSearching(() => answer(current, query));
}

/**
 * Runs a search. One that a newer search overtakes ends without an answer; where another transcript is
 * open meanwhile it starts again in that.
 */
async function answer(current: CurrentTranscript, query: Query): Promise<SearchAnswer> {
  const id = ++latest;
  for (;;) {
    // What came meanwhile is handled first: a newer search, or rows that the page waits for.
    await pause();
    if (id !== latest) return { id, overtaken: true };
    const { open, maker } = current;
    if (!open || !maker) throw new Error("No transcript is open.");
    const isWanted = () => id === latest && current.open?.transcript === open.transcript;
    const matches = await matchesOf(open, maker.map, query, isWanted);
    if (!matches) continue;
    found = { open, map: maker.map, id, filters: query.filters, ...matches };
    return { id, capped: matches.capped, ...listing(matches.rows, maker.map) };
  }
}

/** What a query finds; undefined where it is not wanted any more. */
export async function matchesOf(
  open: OpenTranscript,
  map: RowMap,
  { filters, terms }: Query,
  isWanted: () => boolean,
): Promise<Matches | undefined> {
  const filter = new RowFilter(
    filters.length > 0 ? open.whole() : open.layout,
    map,
    filters,
    terms.length > 0,
    (m, p) => label(open.part(m, p).type),
  );
  if (terms.length === 0) return rowsOf(map, filter, isWanted);
  const matching = new Matching(open.transcript, map, terms, filter);
  const isOver = await inBatches(open, map.messages, isWanted, (from, to) =>
    matching.look(from, to),
  );
  return isOver ? matching.matches() : undefined;
}

/** Hits for the list of results. */
export function hits(id: number, start: number, end: number): HitView[] {
  const views: HitView[] = [];
  if (found?.id !== id) return views;
  for (let i = Math.max(0, start); i < Math.min(end, found.rows.length); i++) {
    views.push(hitView(found, i));
  }
  return views;
}

/** What is to be marked in each of these rows: of very many hits in one, those around `hit`. */
export function marks(id: number, rows: number[], hit: number): HitMarks[] {
  const all: HitMarks[] = [];
  if (found?.id !== id) return all;
  for (const row of rows) {
    const words = new Set<string>();
    const places: HitMarks["places"] = [];
    const first = firstOf(found.rows, row);
    const from = found.rows[hit] === row ? Math.max(first, hit - MARKED / 2) : first;
    for (let i = from; found.rows[i] === row && places.length < MARKED; i++) {
      const { field, start, end } = placeOf(found, i);
      const string = end > start ? stringAt(found, row, field) : "";
      if (end - start <= LONGEST_MARK && end > start) words.add(string.slice(start, end));
      places.push({ field, start, end });
    }
    all.push({ row, words: [...words], from: from - first, places });
  }
  return all;
}

/** Rows that pass filters alone; undefined where they are not wanted any more. */
async function rowsOf(
  map: RowMap,
  filter: RowFilter,
  isWanted: () => boolean,
): Promise<Matches | undefined> {
  const rows: number[] = [];
  let since = performance.now();
  for (let message = 0; message < map.messages; message++) {
    const header = map.header(message);
    const parts = map.parts(message);
    for (let part = -1; part < parts; part++) {
      if (!filter.passes(message, part)) continue;
      if (rows.length === MOST_HITS) return plain(rows, true);
      rows.push(header + part + 1);
    }
    if (message % 64 === 0 && performance.now() - since > SLICE) {
      await pause();
      if (!isWanted()) return undefined;
      since = performance.now();
    }
  }
  return plain(rows, false);
}

/** Rows as they are, without a place in them. */
function plain(rows: number[], capped: boolean): Matches {
  const nowhere = new Uint32Array(rows.length);
  const places = { starts: nowhere, ends: nowhere, fields: nowhere, names: [""] };
  return { rows: Uint32Array.from(rows), ...places, capped };
}

function placeOf({ starts, ends, fields, names }: LatestSearch, i: number) {
  return { field: names[fields[i] ?? 0] ?? "", start: starts[i] ?? 0, end: ends[i] ?? 0 };
}

function hitView(all: LatestSearch, i: number): HitView {
  const row = all.rows[i] ?? 0;
  const { field, start, end } = placeOf(all, i);
  const { message, part } = all.map.place(row);
  const value = part < 0 ? all.open.info(message) : all.open.part(message, part);
  const kind = part < 0 ? label(value.role, 40) : label(value.tool, 60) || label(value.type, 60);
  const base = { row, kind: kind || "part", field: label(field, 120) };
  if (field === "") {
    const matched = matchedBy(all, row, value);
    return { ...base, before: "", words: "", behind: summaryOf(value, part), matched };
  }
  const string = stringAt(all, row, field);
  const from = Math.max(0, start - BEFORE);
  const line =
    string
      .slice(from, start)
      .split(/[\r\n\u2028\u2029]/)
      .pop() ?? "";
  const before = oneLine(tail(line, from > 0 || line.length < start - from));
  const words = oneLine(head(string.slice(start, end), SHOWN));
  const left = end - start > SHOWN ? "…" : oneLine(head(string.slice(end, end + BEHIND), BEHIND));
  return { ...base, before, words, behind: left };
}

function matchedBy({ open, map, filters }: LatestSearch, row: number, value: Fields) {
  const { message, part } = map.place(row);
  return matchedFacts(filters, value, open.info(message), part);
}

/** Begins with a whole word where something stands before it, and never with half a character. */
function tail(string: string, cut: boolean): string {
  if (!cut) return string;
  const space = string.search(/\s/);
  const from =
    space >= 0 && space < BEFORE / 2 ? space + 1 : /^[\udc00-\udfff]/.test(string) ? 1 : 0;
  return `…${string.slice(from)}`;
}

function oneLine(string: string): string {
  return string.replace(/[\p{Cc}\u2028\u2029]/gu, " ");
}

/** The string that a JSON Pointer names in a part. */
function stringAt({ open, map }: LatestSearch, row: number, pointer: string): string {
  const { message, part } = map.place(row);
  let value: unknown = open.part(message, part);
  for (const step of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return "";
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    value = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
  }
  return text(value) ?? "";
}

/** The first hit at or after a row. */
function firstOf(rows: ArrayLike<number>, row: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] ?? 0) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
