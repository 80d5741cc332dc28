import { type Filter, isEmpty, type Query, type Toggles } from "../../../core/model/query";
import type { RowMap } from "../../../core/model/row_map";
import type { Desk } from "../../../core/worker/desk";
import { type Fields, head, label, text } from "../../../core/worker/fields";
import { matchesOf } from "../../../core/worker/find_matches";
import type { Matches } from "../../../core/worker/matches";
import type { OpenTranscript } from "../../../core/worker/open_transcript";
import { pause } from "../../../core/worker/pause";
import { readQuery } from "../../../core/worker/read_query";
import type { HitMarks, HitView, SearchAnswer } from "../model/hits";
import { listing } from "./listing";
import { matchedFacts, summaryOf } from "./matched_facts";

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

/** The searches of a worker, of which the latest is kept. */
export class Searches {
  private found: LatestSearch | undefined;
  private latest = 0;

  constructor(private readonly desk: Pick<Desk, "open" | "maker" | "searching">) {}

  /** Runs a search, if there is something to search for; what takes long waits meanwhile. */
  async search(text: string, toggles: Toggles): Promise<SearchAnswer> {
    const { query, mistake, ...more } = readQuery(text, toggles);
    if (!query || isEmpty(query)) return { id: ++this.latest, mistake };
    const answer = await this.desk.searching.during(() => this.answer(query));
    return { ...answer, ...more };
  }

  /**
   * Runs a search. One that a newer search overtakes ends without an answer; where another transcript is
   * open meanwhile it starts again in that.
   */
  private async answer(query: Query): Promise<SearchAnswer> {
    const { desk } = this;
    const id = ++this.latest;
    for (;;) {
      // What came meanwhile is handled first: a newer search, or rows that the page waits for.
      await pause();
      if (id !== this.latest) return { id, overtaken: true };
      const { open, maker } = desk;
      if (!open || !maker) throw new Error("No transcript is open.");
      const isWanted = () => id === this.latest && desk.open?.transcript === open.transcript;
      const matches = await matchesOf(open, maker.map, query, isWanted);
      if (!matches) continue;
      this.found = { open, map: maker.map, id, filters: query.filters, ...matches };
      return { id, capped: matches.capped, ...listing(matches.rows, maker.map) };
    }
  }

  /** Hits for the list of results. */
  hits(id: number, start: number, end: number): HitView[] {
    const { found } = this;
    const views: HitView[] = [];
    if (found?.id !== id) return views;
    for (let i = Math.max(0, start); i < Math.min(end, found.rows.length); i++) {
      views.push(hitView(found, i));
    }
    return views;
  }

  /** What is to be marked in each of these rows: of very many hits in one, those around `hit`. */
  marks(id: number, rows: number[], hit: number): HitMarks[] {
    const { found } = this;
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
  // The pointer of an error begins at its message.
  let value: unknown = part < 0 ? { info: open.info(message) } : open.part(message, part);
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
