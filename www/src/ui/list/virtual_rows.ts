import {
  elementScroll,
  observeElementOffset,
  Virtualizer,
  type VirtualizerOptions,
} from "@tanstack/virtual-core";
import { Heights } from "./heights";
import type { ScrollPlane } from "./scroll_plane";

/** How many rows the library knows of at a time. */
const WINDOW = 1024;
/** The window moves before the reader comes nearer than this many rows to one of its ends. */
const NEAR = 128;

type Library = Virtualizer<Element, Element>;

export interface VirtualOptions {
  count: number;
  /** First guesses at the heights of all rows; they are measured once they are drawn. */
  guess: () => Float32Array;
  /** What the guesses are made from; when it is another value they are made again. */
  basis?: unknown;
  overscan?: number;
  /** Room above the first row, for what scrolls with the rows. */
  paddingStart?: number;
  paddingEnd?: number;
  /** Room kept above a row that is scrolled to. */
  margin?: number;
  /** What stays with a row when its number changes. */
  keyOf?: (row: number) => number;
  /** The row that a key stays with, -1 where it is not in the list; only where that is quick to tell. */
  rowOfKey?: ((key: number) => number) | undefined;
  /** The list's own number of an element's `data-index`, where they are numbered otherwise. */
  itemOf?: (index: number) => number;
}

/**
 * The rows of a list for `@tanstack/virtual-core`, which lays out all rows that it knows of again
 * whenever one has been measured: a tenth of a second for a million. So it knows of a window of
 * them only, around the reader. The rows above and below are its padding, so that all places are those
 * in the whole list, and only row numbers are translated.
 */
export class VirtualRows {
  private readonly library: Library;
  private heights = new Heights(new Float32Array(0));
  private options: VirtualOptions = { count: 0, guess: () => new Float32Array(0) };
  /** The first row of the window. */
  private first = 0;
  private keyOf = (row: number): number => row;

  constructor(
    private readonly plane: () => ScrollPlane | null,
    private readonly draw: () => void,
  ) {
    this.library = new Virtualizer(this.settings());
    this.library.indexFromElement = (element) => {
      const index = Number(element.getAttribute("data-index") ?? -1);
      return (this.options.itemOf?.(index) ?? index) - this.first;
    };
    const { resizeItem } = this.library;
    this.library.resizeItem = (index, height) => {
      // It asks for the height that was, to know by how much what is below it moves.
      resizeItem(index, height);
      this.heights.set(index + this.first, height);
    };
  }

  /** Takes up what the list is now. */
  update(options: VirtualOptions): void {
    const { count, basis, paddingStart } = this.options;
    this.options = options;
    const isOther = options.count !== count || options.basis !== basis;
    if (isOther || options.paddingStart !== paddingStart) this.layOut();
    if (!this.place(this.offset)) this.library.setOptions(this.settings());
  }

  mount(): () => void {
    const unmount = this.library._didMount();
    this.library._willUpdate();
    return unmount;
  }

  drawn(): void {
    this.library._willUpdate();
  }

  /** The rows to be drawn, in view and a few more. */
  get items(): { index: number; start: number; size: number }[] {
    return this.library
      .getVirtualItems()
      .map(({ index, start, size }) => ({ index: index + this.first, start, size }));
  }

  /** The rows in view. */
  get range(): { startIndex: number; endIndex: number } | null {
    const { range } = this.library;
    return (
      range && { startIndex: range.startIndex + this.first, endIndex: range.endIndex + this.first }
    );
  }

  /** The height of all rows and what is below them. */
  get total(): number {
    return this.library.getTotalSize();
  }

  get count(): number {
    return this.heights.count;
  }

  /** Where a row begins. */
  top(row: number): number {
    return this.heights.top(row);
  }

  /** The row at a place, or -1 where there is none. */
  at(place: number): number {
    return this.heights.at(place);
  }

  readonly measureElement = (element: Element | null): void => this.library.measureElement(element);

  /** Takes up the height that an element has now, before the browser reports it. */
  measureNow(element: HTMLElement): void {
    this.library.resizeItem(this.library.indexFromElement(element), element.offsetHeight);
  }

  scrollToIndex(row: number, { align }: { align: "auto" | "start" }): void {
    const target = Math.max(0, Math.min(row, this.options.count - 1));
    const isFar = this.place(this.heights.top(target));
    this.library.scrollToIndex(target - this.first, { align });
    if (!isFar) return;
    // Rows may be drawn before the scroll event comes; those at the old offset are outside the window.
    this.tell();
    this.draw();
  }

  /** Goes to a place at once, whatever was being scrolled to. */
  jump(top: number): void {
    this.library.cancelScroll();
    this.plane()?.scrollTo({ top });
    this.tell();
  }

  /**
   * Gives the library the scroll offset before the scroll event does, which comes with the next frame:
   * a row that is measured until then would otherwise be corrected for at the old offset.
   */
  private tell(): void {
    const plane = this.plane();
    if (plane) this.library.scrollOffset = plane.scrollTop;
  }

  private get offset(): number {
    return this.library.scrollOffset ?? 0;
  }

  private get length(): number {
    return Math.min(WINDOW, this.options.count - this.first);
  }

  /** Makes the guesses again; measured heights are kept. */
  private layOut(): void {
    const { count, guess, keyOf, rowOfKey } = this.options;
    const heights = guess();
    const measured = this.library.itemSizeCache;
    if (rowOfKey) {
      // Few rows were ever measured, and there may be a million.
      for (const [key, height] of measured) {
        const row = rowOfKey(Number(key));
        if (row >= 0 && row < count) heights[row] = height;
      }
    } else if (measured.size > 0) {
      for (let row = 0; row < count; row++) {
        const height = measured.get(keyOf ? keyOf(row) : row);
        if (height !== undefined) heights[row] = height;
      }
    }
    this.heights = new Heights(heights, this.options.paddingStart);
    this.move(this.first);
  }

  /** Has the window about a place in the list; true where it had to be moved for that. */
  private place(offset: number): boolean {
    const { count } = this.options;
    const size = this.library.scrollRect?.height ?? 0;
    const top = this.heights.at(offset - size);
    const bottom = this.heights.at(offset + 2 * size);
    const hasAbove = this.first === 0 || top - NEAR >= this.first;
    const end = this.first + this.length;
    if (hasAbove && (end === count || bottom + NEAR < end)) return false;
    const first = Math.max(0, Math.min(((top + bottom) >> 1) - WINDOW / 2, count - WINDOW));
    if (first === this.first) return false;
    this.move(first);
    return true;
  }

  private move(first: number): void {
    const before = this.first;
    const from = Math.max(0, Math.min(first, this.options.count - WINDOW));
    this.first = from;
    // A new function: by that the library knows that all of its rows have changed.
    this.keyOf = (index) => this.options.keyOf?.(from + index) ?? from + index;
    // What is being scrolled to has its number in the window that was.
    if (from !== before) this.library.cancelScroll();
    this.library.setOptions(this.settings());
  }

  private settings(): VirtualizerOptions<Element, Element> {
    const { options, heights, first, length } = this;
    const margin = options.margin ?? 0;
    return {
      count: length,
      getItemKey: this.keyOf,
      estimateSize: (index) => heights.of(first + index),
      paddingStart: heights.top(first),
      paddingEnd: heights.total - heights.top(first + length) + (options.paddingEnd ?? 0),
      overscan: options.overscan ?? 6,
      scrollPaddingStart: margin,
      scrollPaddingEnd: margin,
      // The plane has what the library reads of an element: see its members.
      getScrollElement: () => this.plane() as unknown as Element | null,
      scrollToFn: elementScroll,
      observeElementRect: this.resized,
      observeElementOffset: this.observed,
      onChange: this.draw,
    };
  }

  /** The window moves before the library looks for the rows in view. */
  private readonly observed: typeof observeElementOffset = (library, report) =>
    observeElementOffset(library, (offset, isScrolling) => {
      const isMoved = this.place(offset);
      report(offset, isScrolling);
      // Other rows may have the same numbers in the window, so that the library reports no change.
      if (isMoved) this.draw();
    });

  /** The list may have to stay at its end; the library reports a resize only when other rows are in view. */
  private readonly resized: VirtualizerOptions<Element, Element>["observeElementRect"] = (
    library,
    report,
  ) => {
    const { element } = library.scrollElement as unknown as ScrollPlane;
    let height = element.clientHeight;
    report({ width: element.clientWidth, height });
    const observer = new ResizeObserver(() => {
      if (element.clientHeight === height) return;
      height = element.clientHeight;
      report({ width: element.clientWidth, height });
      this.draw();
    });
    observer.observe(element);
    return () => observer.disconnect();
  };
}
