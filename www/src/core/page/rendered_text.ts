import { lastNotAbove } from "../../ui/list/sorted";

/** Words for screen readers, and what the page itself says of a row. */
const OWN =
  ".hidden, .row-problems, .row-loops, .states, .code-more, .step-end, button.remote, .hidden-bar, .summary-note, .first-error, .compaction-part, .call-cleared";
/** A match does not reach from one of these into the next. */
const BLOCKS =
  "p, li, td, th, pre, h1, h2, h3, h4, h5, h6, dt, dd, summary, .line, .json-line, .fold-first, .tool-name, .line-part, figcaption, .row-body";
/** More text than this is not looked through. */
const LONGEST = 1_500_000;

/** The text of an element as it is drawn, with the text node of each piece. */
export class RenderedText {
  readonly text: string;
  private readonly nodes: Text[] = [];
  private readonly starts: number[] = [];

  /** Leaves out the elements that `skip` names. */
  constructor(root: Element, skip: (element: Element) => boolean = () => false) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, {
      acceptNode: (node) =>
        node instanceof Element
          ? node.matches(OWN) || skip(node)
            ? NodeFilter.FILTER_REJECT
            : NodeFilter.FILTER_SKIP
          : NodeFilter.FILTER_ACCEPT,
    });
    let text = "";
    let block: Element | null | undefined;
    for (let node = walker.nextNode(); node && text.length < LONGEST; node = walker.nextNode()) {
      if (!(node instanceof Text)) continue;
      const own = node.parentElement?.closest(BLOCKS);
      if (block !== undefined && own !== block) text += "\n";
      block = own ?? null;
      this.nodes.push(node);
      this.starts.push(text.length);
      text += node.data;
    }
    this.text = text;
  }

  /** The ranges of these words, in order. */
  find(words: string[], most: number): Range[] {
    const places: [start: number, end: number][] = [];
    for (const word of words) {
      if (word === "") continue;
      let at = this.text.indexOf(word);
      while (at >= 0 && places.length < most) {
        places.push([at, at + word.length]);
        at = this.text.indexOf(word, at + word.length);
      }
    }
    places.sort((a, b) => a[0] - b[0]);
    return places.flatMap(([start, end]) => this.range(start, end) ?? []);
  }

  range(start: number, end: number): Range | undefined {
    const first = this.nodeAt(start);
    const last = this.nodeAt(end - 1);
    const from = this.nodes[first];
    const to = this.nodes[last];
    if (!from || !to || end <= start) return undefined;
    const range = document.createRange();
    range.setStart(from, Math.min(start - (this.starts[first] ?? 0), from.length));
    range.setEnd(to, Math.min(end - (this.starts[last] ?? 0), to.length));
    return range;
  }

  /** The last text that begins at or before a place. */
  private nodeAt(place: number): number {
    return lastNotAbove(this.starts, place, this.starts.length);
  }
}

/** Scrolls the transcript by as much as it takes; words that are in view stay where they are. */
export function scrollToRange(range: Range, element: Element): void {
  const scroller = element.closest(".scroller");
  if (!scroller) return;
  const box = scroller.getBoundingClientRect();
  const { top, bottom } = range.getBoundingClientRect();
  if (top > box.top + 24 && bottom < box.bottom - 24) return;
  scroller.scrollTop += top - box.top - box.height / 3;
}
