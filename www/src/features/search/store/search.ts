import type { Mistake } from "../../../core/model/query";
import { fieldOf } from "../../../core/model/search_fields";
import type { Link } from "../../../core/page/address";
import type { AppContext, InspectorTab, Page } from "../../../core/page/context";
import type { Feature } from "../../../core/page/feature";
import type { OpenDocument } from "../../../core/store/document";
import { Store } from "../../../ui/store";
import type { HitMarks } from "../model/hits";
import { SearchResults } from "./results";

/** A search begins this long after the last key, in milliseconds. */
const DEBOUNCE = 120;
/** A transcript that grows is searched again this often, in milliseconds. */
const AGAIN = 1000;
/** How much after the match is opened with it. */
const BEHIND = 4096;
/** Nothing further down a long text is opened: that much text at once would block the page. */
const FURTHEST = 1_000_000;

/** The mark, and the measure, of User Timing. */
const BEGUN = "search-start";
const MEASURE = "search";

export interface SearchState {
  open: boolean;
  text: string;
  regex: boolean;
  caseSensitive: boolean;
  /** Another object whenever the field should take the focus. */
  focus: object | undefined;
  /** Set while a search runs that is not there at once. */
  busy: boolean;
  mistake: Mistake | undefined;
  /** A word of the query that is written as a filter, and names none. */
  unknown: string | undefined;
  found: SearchResults | undefined;
  /** The hit that was gone to, or -1. */
  current: number;
  /** Words about the current hit that are not to be seen in its row. */
  note: string | undefined;
  /** What the column at the side shows while the search is open. */
  side: "results" | "outline";
}

/** The search in the open transcript. */
export class Search {
  readonly store = new Store<SearchState>({
    open: false,
    text: "",
    regex: false,
    caseSensitive: false,
    focus: undefined,
    busy: false,
    mistake: undefined,
    unknown: undefined,
    found: undefined,
    current: -1,
    note: undefined,
    side: "results",
  });
  /** The hit whose words are to be scrolled to, and since when. */
  pending: { hit: number; since: number } | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private turn = 0;
  /** A step that was asked for before the search had its hits. */
  private wanted: 1 | -1 | undefined;
  private doc: OpenDocument | undefined;
  private facts: OpenDocument["facts"] | undefined;
  private growth: ReturnType<typeof setTimeout> | undefined;
  private before: Element | null = null;
  /** The inspector's tab that the search took the place of. */
  private tab: InspectorTab | undefined;

  constructor(
    private readonly app: AppContext,
    private readonly others: Pick<Page, "timeline">,
  ) {
    app.store.watch(() => {
      const { doc } = app.store.get();
      if (doc === this.doc) {
        // It has grown.
        if (doc?.facts !== this.facts && this.store.get().found) this.goOn();
        this.facts = doc?.facts;
        return;
      }
      this.doc = doc;
      this.facts = doc?.facts;
      this.drop();
      if (this.store.get().open) this.start();
    });
  }

  show(): void {
    if (this.app.store.get().beside) {
      this.app.say("Close one of the two transcripts to search in the other.");
      return;
    }
    const { open } = this.store.get();
    if (!open) this.before = document.activeElement;
    this.app.store.set({ pane: "transcript" });
    this.store.set({ open: true, focus: {} });
    if (!open) this.start();
  }

  close(): void {
    this.store.set({ open: false });
    this.drop();
    this.app.writeLink();
    const { before } = this;
    this.before = null;
    if (before instanceof HTMLElement && before.isConnected && before !== document.body) {
      before.focus({ preventScroll: true });
    } else {
      const chosen = document.querySelector<HTMLElement>(".row[data-selected]");
      (chosen ?? document.querySelector<HTMLElement>(".pane-transcript .scroller"))?.focus();
    }
  }

  /** What was typed, or a toggle; the search itself comes a moment later. */
  change(change: Partial<Pick<SearchState, "text" | "regex" | "caseSensitive">>): void {
    this.store.set(change);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.start(), DEBOUNCE);
  }

  /** Appends a filter to what is in the field. */
  insert(filter: string): void {
    const { text } = this.store.get();
    this.change({ text: text.trim() === "" ? `${filter} ` : `${text.trimEnd()} ${filter} ` });
    this.store.set({ focus: {} });
  }

  /** Opens with the search that an address names. */
  follow({ query, regex, caseSensitive }: Link): void {
    const { text, open } = this.store.get();
    if (query === undefined || (open && query === text)) return;
    this.store.set({ text: query, regex, caseSensitive, open: true });
    this.start();
  }

  /** Opens with this search, at its first hit. */
  begin(query: string): void {
    this.follow({ query, regex: false, caseSensitive: false });
    this.step(1);
  }

  /** Nothing is searched for any more, and nothing said of it. */
  reset(): void {
    if (!this.store.get().open) return;
    this.store.set({ open: false, text: "" });
    this.drop();
  }

  /** The part of the address that says what is searched for. */
  link(): Pick<Link, "query" | "regex" | "caseSensitive"> {
    const { open, text, regex, caseSensitive } = this.store.get();
    const query = open && text.trim() !== "" ? text : undefined;
    return { query, regex, caseSensitive };
  }

  /** To the hit after or before the current one, from the end to the beginning again. */
  step(direction: 1 | -1): void {
    if (this.timer !== undefined || this.store.get().busy) {
      this.wanted = direction;
      if (this.timer !== undefined) this.start();
      return;
    }
    const { found, current } = this.store.get();
    if (!found || found.rows.length === 0) return;
    const count = found.rows.length;
    if (current >= 0) {
      this.go((current + direction + count) % count);
      return;
    }
    const { selected, current: top } = this.app.store.get();
    const from = found.firstAt(selected >= 0 ? selected : found.doc.map.header(top));
    this.go((direction === 1 ? from : from - 1 + count) % count);
  }

  /** Goes to a hit: its part is unfolded, opened far enough, scrolled to, and the words marked. */
  go(hit: number): void {
    const { found } = this.store.get();
    const row = found?.rows[hit];
    if (!found || row === undefined) return;
    const { doc } = found;
    this.pending = { hit, since: performance.now() };
    this.store.set({ current: hit, note: undefined });
    if (this.tab && this.app.store.get().tab === "raw") this.app.store.set({ tab: this.tab });
    this.tab = undefined;
    doc.setFolded([[row, false]]);
    this.app.store.set({ pane: "transcript" });
    this.app.select(row, { reveal: true });
    void found.marksOf([row], hit).then(() => {
      const place = found.placeOf(hit);
      if (!place || this.store.get().current !== hit) return;
      if (!openFor(doc, row, place)) {
        this.pending = undefined;
        const at = place.start.toLocaleString("en-US");
        const note = `This match is at character ${at} of ${place.field}, further down than the page opens.`;
        this.store.set({ note });
      }
    });
  }

  /** The words of the current hit are not drawn in its row: the raw part has them. */
  missed(field: string): void {
    this.pending = undefined;
    const { tab } = this.app.store.get();
    if (tab !== "raw") this.tab = tab;
    this.app.store.set({ tab: "raw", inspecting: true });
    this.store.set({
      note: `The row does not show this match: it is in ${field}, in the inspector’s Raw tab.`,
    });
  }

  /** Searches again what has grown; the hit that was gone to stays. */
  private goOn(): void {
    this.growth ??= setTimeout(() => {
      this.growth = undefined;
      if (this.store.get().found) this.start(this.store.get().current);
    }, AGAIN);
  }

  private start(current = -1): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { text, regex, caseSensitive } = this.store.get();
    const turn = ++this.turn;
    const { doc } = this.app.store.get();
    this.app.writeLink();
    if (text.trim() === "" || !doc) {
      this.wanted = undefined;
      this.store.set({ unknown: undefined });
      this.settle({ mistake: undefined, found: undefined });
      return;
    }
    this.store.set({ busy: true, mistake: undefined });
    begins();
    doc.client
      .call("search", text, { regex, caseSensitive })
      .then((answer) => {
        if (turn !== this.turn || answer.overtaken) return;
        this.store.set({ unknown: answer.unknown });
        if (answer.rows === undefined) {
          this.wanted = undefined;
          this.settle({ mistake: answer.mistake, found: undefined });
          return;
        }
        const found = new SearchResults(doc, answer.id, answer, answer.capped);
        this.settle({ mistake: undefined, found }, current < found.rows.length ? current : -1);
        performance.measure(MEASURE, BEGUN);
        const { wanted } = this;
        this.wanted = undefined;
        if (wanted) this.step(wanted);
      })
      .catch((error: unknown) => {
        if (turn !== this.turn) return;
        const words = error instanceof Error ? error.message : String(error);
        const sentence = `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
        this.settle({ mistake: { sentence, at: 0 }, found: undefined });
      });
  }

  private settle(change: Pick<SearchState, "mistake" | "found">, current = -1): void {
    this.pending = undefined;
    this.store.set({ ...change, busy: false, current, note: undefined });
    this.others.timeline.setTicks(change.found?.distinct ?? new Uint32Array());
  }

  /** Forgets what was found. */
  private drop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.turn++;
    this.wanted = undefined;
    this.settle({ mistake: undefined, found: undefined });
  }
}

/** Starts to measure a search by User Timing, for benchmarks; there is one such measure at most. */
function begins(): void {
  performance.clearMarks(BEGUN);
  performance.clearMeasures(MEASURE);
  performance.mark(BEGUN);
}

/** Opens the block that a hit is in; false if that is too far down. */
function openFor(
  doc: OpenDocument,
  row: number,
  { field, end }: HitMarks["places"][number],
): boolean {
  const block = fieldOf(field);
  if (block === undefined) return true;
  const key = `${row} ${block}`;
  if (block === "diff") {
    doc.expandedBlocks.set(key, 1);
    return true;
  }
  if (end > FURTHEST) return false;
  if ((doc.expandedBlocks.get(key) ?? 0) < end) doc.expandedBlocks.set(key, end + BEHIND);
  return true;
}

export const stores = {
  search: (page) => new Search(page, page),
} satisfies Feature["stores"];
