import { useEffect, useRef } from "preact/hooks";
import type { FirstError } from "../../../../core/model/tools";
import type { Reveal } from "../../../../core/page/context";
import { usePage } from "../../../../core/page/hooks";
import { RenderedText } from "../../../../core/page/rendered_text";
import { type BlockSource, useBlockSource } from "../../../../ui/blocks";
import { count } from "../../../../ui/format";
import { Icon } from "../../../../ui/icons";
import { type ScrollBy, useScrollBy } from "../../../../ui/list/scroll_by";

/** Of a long output so much is opened behind the line, in UTF-16 units. */
const BEHIND = 4000;
/**
 * The list may still scroll to a row for so many milliseconds after something in it changed its size. A scroll later
 * than that is one of the reader.
 */
const SETTLING = 2000;
/** So many pixels of the edges of the list do not count as in view. */
const EDGE = 24;
const MARK = "first-error";

interface FirstErrorProps {
  error: FirstError;
  /** The row that it is in. */
  row: number;
  /** The inspector shows it. */
  whole: boolean;
}

/** Reveals that have been followed: a row that comes into view again stays as the reader left it. */
const followed = new WeakSet<Reveal>();

/** The line of the output that tells an error first, and the way to it. */
export function FirstErrorLine({ error, row, whole }: FirstErrorProps) {
  const source = useBlockSource();
  const { reveal, selected } = usePage();
  const scrollBy = useScrollBy();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (whole || !reveal.failure || selected !== row || followed.has(reveal)) return;
    followed.add(reveal);
    void jump(button.current, source, row, error, scrollBy);
  }, [whole, reveal, selected, row, source, error, scrollBy]);
  return (
    <button
      type="button"
      class="first-error"
      ref={button}
      title="Show this line in the output"
      onClick={() => void jump(button.current, source, row, error, scrollBy)}
    >
      <Icon name="warning" />
      <span class="first-error-place">First error, line {count(error.line)}</span>
      <code>{error.text}</code>
    </button>
  );
}

/** After each of these, anywhere, the reader decides what is in view. */
const BY_READER = ["wheel", "touchstart", "pointerdown", "keydown", "hashchange"] as const;

/**
 * Opens the output as far as the line, scrolls to it and marks it. The list still scrolls to the row then, and measures
 * what was opened and what comes into view, each of which moves the line. So it is scrolled to again whenever something
 * moved, until the reader does something.
 */
async function jump(
  from: Element | null,
  source: BlockSource,
  row: number,
  error: FirstError,
  scrollBy: ScrollBy | undefined,
): Promise<void> {
  const card = from?.closest(".tool");
  const scroller = card?.closest(".scroller");
  if (!card || !scroller) return;
  const inList = card.closest<HTMLElement>(".row");
  const words = error.text.replace(/…$/, "");
  const left = new AbortController();
  const { signal } = left;
  let isOpened = false;
  let range: Range | undefined;
  /** When something last changed its size, or was drawn again. */
  let changed = 0;
  let frame = 0;

  const keepInView = () => {
    frame = 0;
    // The output is drawn again when more of it is shown, and when its colours come.
    if (!range?.startContainer.isConnected || String(range) !== words) {
      const block = card.isConnected && card.querySelector('[data-field="output"]');
      if (!block) return left.abort();
      const text = new RenderedText(block);
      const at = text.text.indexOf(words);
      range = at < 0 ? undefined : text.range(at, at + words.length);
      if (range) highlight(range);
    }
    const by = range ? away(range, scroller) : 0;
    if (!range && !isOpened) {
      isOpened = true;
      const key = `${row} output`;
      const limit = Math.max(source.expandedBlocks.get(key) ?? 0, error.at + BEHIND);
      source.expandedBlocks.set(key, limit);
    } else if (range && by !== 0) {
      const line = range;
      changed = performance.now();
      if (inList && scrollBy) scrollBy(inList, () => away(line, scroller));
      else scroller.scrollTop += by;
    }
  };
  const look = () => {
    frame ||= requestAnimationFrame(keepInView);
  };
  const lookAgain = () => {
    changed = performance.now();
    look();
  };

  // The key or the press that asked for this is over after a frame.
  await nextFrame();
  const options = { passive: true, capture: true, signal };
  for (const name of BY_READER) window.addEventListener(name, () => left.abort(), options);
  lookAgain();
  const isListsOwn = () => performance.now() - changed < SETTLING;
  const onScroll = () => (isListsOwn() ? look() : left.abort());
  scroller.addEventListener("scroll", onScroll, { passive: true, signal });
  const sizes = new ResizeObserver(lookAgain);
  for (const element of [scroller, ...scroller.children, card]) sizes.observe(element);
  const drawn = new MutationObserver(lookAgain);
  drawn.observe(card, { childList: true, subtree: true, characterData: true });
  signal.addEventListener("abort", () => {
    sizes.disconnect();
    drawn.disconnect();
    cancelAnimationFrame(frame);
  });
}

const nextFrame = () => new Promise(requestAnimationFrame);

/** By how many pixels a range has to move to come into view, a third below the top; 0 where it is in view. */
function away(range: Range, scroller: Element): number {
  const box = scroller.getBoundingClientRect();
  const { top, bottom } = range.getBoundingClientRect();
  if (top > box.top + EDGE && bottom < box.bottom - EDGE) return 0;
  const by = Math.round(top - box.top - box.height / 3);
  // At the very end of the list there is no further to go.
  const most = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
  return by > 0 ? Math.min(by, Math.max(0, Math.floor(most))) : by;
}

function highlight(range: Range): void {
  if (typeof CSS !== "undefined" && "highlights" in CSS) {
    CSS.highlights.set(MARK, new Highlight(range));
  }
}
