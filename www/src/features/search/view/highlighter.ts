import { fieldOf } from "../../../core/model/search_fields";
import { RenderedText, scrollToRange } from "../../../core/page/rendered_text";
import type { HitMarks } from "../model/hits";
import type { SearchResults } from "../store/results";
import type { Search } from "../store/search";

/** Rows are marked this long after the last change to the page, in milliseconds. */
const DEBOUNCE = 40;
/** The words of a hit that has not come into view by then are not drawn in its row. */
const PATIENCE = 900;
/** The most matches that are marked in a row. */
const MARKED = 2000;

/** The element of a row, or of the inspector, and what is to be marked in it. */
interface MarkedElement {
  element: Element;
  marks: HitMarks;
}

/**
 * Marks what a search has found, in the rows that are drawn, by the CSS Custom Highlight API: not
 * one element is added, so nothing of what the rows have drawn is disturbed. The words come from the
 * worker, and are looked for letter by letter: no expression of the reader's runs on the page.
 */
export class Highlighter {
  private readonly observer = new MutationObserver(() => this.soon());
  private readonly unwatch: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private turn = 0;

  constructor(private readonly search: Search) {
    this.unwatch = search.store.watch(() => this.soon());
    const root = document.getElementById("app");
    if (root) {
      this.observer.observe(root, { childList: true, characterData: true, subtree: true });
    }
    this.soon();
  }

  dispose(): void {
    this.turn++;
    clearTimeout(this.timer);
    this.unwatch();
    this.observer.disconnect();
    draw([], []);
  }

  private soon(delay = DEBOUNCE): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.mark(), delay);
  }

  private async mark(): Promise<void> {
    const turn = ++this.turn;
    const { found } = this.search.store.get();
    if (!found) return draw([], []);
    const elements = rowsIn(found);
    const { current } = this.search.store.get();
    const marks = await found.marksOf([...new Set(elements.map(({ row }) => row))], current);
    if (turn !== this.turn) return;
    const byRow = new Map(marks.map((each) => [each.row, each]));
    const places = elements.flatMap(({ element, row }): MarkedElement[] => {
      const own = byRow.get(row);
      return own ? [{ element, marks: own }] : [];
    });
    const all: Range[] = [];
    const now: Range[] = [];
    for (const place of places) {
      const hit =
        found.rows[current] === place.marks.row
          ? current - found.firstAt(place.marks.row) - place.marks.from
          : -1;
      const { ranges, chosen } = markRow(place, hit);
      all.push(...ranges);
      if (chosen) now.push(chosen);
    }
    draw(all, now);
    this.reveal(found, places, now);
  }

  /** Brings the words of the current hit into view, once they are drawn. */
  private reveal(found: SearchResults, places: MarkedElement[], now: Range[]): void {
    const { pending } = this.search;
    if (!pending) return;
    const row = found.rows[pending.hit];
    const place = places.find(
      ({ element, marks }) => marks.row === row && element.matches(".row:not([aria-busy='true'])"),
    );
    const range = now.find((each) => place?.element.contains(each.startContainer));
    const isOld = performance.now() - pending.since > PATIENCE;
    if (place && range && isNear(place.element)) {
      this.search.pending = undefined;
      scrollToRange(range, place.element);
    } else if (place?.marks.words.length === 0) {
      this.search.pending = undefined;
    } else if (place && isOld) {
      this.search.missed(found.placeOf(pending.hit)?.field ?? "");
    } else if (!isOld || !place) {
      // A row may be a long way off, and its text still on the way from the worker.
      if (performance.now() - pending.since > 10 * PATIENCE) this.search.pending = undefined;
      else this.soon(2 * DEBOUNCE);
    }
  }
}

/** What of the page shows a row that has hits. */
function rowsIn(found: SearchResults): { element: Element; row: number }[] {
  const rows: { element: Element; row: number }[] = [];
  for (const element of document.querySelectorAll(".pane-transcript .row[data-index]")) {
    const row = Number(element.getAttribute("data-index"));
    if (found.has(row)) rows.push({ element, row });
  }
  const chosen = document.querySelector(".row[data-selected]")?.getAttribute("data-index");
  const inspector = document.querySelector(".inspector-body");
  if (inspector && chosen && found.has(Number(chosen))) {
    rows.push({ element: inspector, row: Number(chosen) });
  }
  return rows;
}

/** The matches in a row, and the one whose place among them has this number. */
function markRow(
  { element, marks }: MarkedElement,
  hit: number,
): { ranges: Range[]; chosen?: Range } {
  const ranges: Range[] = [];
  const blocks = new Map<string, RenderedText>();
  for (const block of element.querySelectorAll("[data-field]")) {
    blocks.set(block.getAttribute("data-field") ?? "", new RenderedText(block));
  }
  const words = new Set(marks.words);
  const placed = new Set<string>();
  let chosen: Range | undefined;
  // Where a block draws a string just as it is, the places in it are known.
  marks.places.forEach(({ field, start, end }, i) => {
    const name = fieldOf(field);
    const block = name === undefined ? undefined : blocks.get(name);
    if (name === undefined || !block || !words.has(block.text.slice(start, end))) return;
    const range = block.range(start, end);
    if (!range) return;
    placed.add(name);
    ranges.push(range);
    if (i === hit) chosen = range;
  });
  // Everywhere else they are looked for.
  const whole = new RenderedText(element, (each) =>
    placed.has(each.getAttribute("data-field") ?? ""),
  );
  const others = whole.find(marks.words, MARKED - ranges.length);
  ranges.push(...others);
  const place = marks.places[hit];
  if (!place || chosen) return { ranges, ...(chosen ? { chosen } : {}) };
  const name = fieldOf(place.field);
  const inBlock = others.filter((range) => isInBlock(range, name));
  const candidates = inBlock.length > 0 ? inBlock : placed.has(name ?? "") ? [] : others;
  const before = marks.places.slice(0, hit).filter(({ field }) => field === place.field).length;
  chosen = candidates[Math.min(before, candidates.length - 1)];
  return { ranges, ...(chosen ? { chosen } : {}) };
}

function isInBlock(range: Range, name: string | undefined): boolean {
  const block = range.startContainer.parentElement?.closest("[data-field]");
  return name !== undefined && block?.getAttribute("data-field") === name;
}

function isNear(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/** Browsers without the API show which row it is, and no more. */
function draw(all: Range[], now: Range[]): void {
  if (typeof CSS === "undefined" || !("highlights" in CSS)) return;
  set("search", all, 0);
  set("search-current", now, 1);
}

function set(name: string, ranges: Range[], priority: number): void {
  if (ranges.length === 0) {
    CSS.highlights.delete(name);
    return;
  }
  const highlight = new Highlight(...ranges);
  highlight.priority = priority;
  CSS.highlights.set(name, highlight);
}
