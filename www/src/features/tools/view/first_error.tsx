import { useEffect, useRef } from "preact/hooks";
import type { Reveal } from "../../../app/context";
import { usePage } from "../../../app/hooks";
import { type BlockSource, useBlockSource } from "../../../ui/blocks";
import { count } from "../../../ui/format";
import { Icon } from "../../../ui/icons";
import { RenderedText, scrollToRange } from "../../search/view/rendered_text";
import type { FirstError } from "../model";

/** Of a long output so much is opened behind the line, in UTF-16 units. */
const BEHIND = 4000;
/** Frames after which an output that has not come is not waited for any more. */
const PATIENCE = 300;
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
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (whole || !reveal.failure || selected !== row || followed.has(reveal)) return;
    followed.add(reveal);
    void jump(button.current, source, row, error);
  }, [whole, reveal, selected, row, source, error]);
  return (
    <button
      type="button"
      class="first-error"
      ref={button}
      title="Show this line in the output"
      onClick={() => void jump(button.current, source, row, error)}
    >
      <Icon name="warning" />
      <span class="first-error-place">First error, line {count(error.line)}</span>
      <code>{error.text}</code>
    </button>
  );
}

/** Opens the output as far as the line, scrolls to it and marks it. */
async function jump(
  from: Element | null,
  source: BlockSource,
  row: number,
  error: FirstError,
): Promise<void> {
  const card = from?.closest(".tool");
  if (!card) return;
  const words = error.text.replace(/…$/, "");
  let isOpened = false;
  for (let frame = 0; frame < PATIENCE && card.isConnected; frame++) {
    const block = card.querySelector('[data-field="output"]');
    if (!block) return;
    const text = new RenderedText(block);
    const at = text.text.indexOf(words);
    const range = at < 0 ? undefined : text.range(at, at + words.length);
    if (range) return show(range, card);
    if (!isOpened) {
      isOpened = true;
      const key = `${row} output`;
      const limit = Math.max(source.expandedBlocks.get(key) ?? 0, error.at + BEHIND);
      source.expandedBlocks.set(key, limit);
    }
    await new Promise(requestAnimationFrame);
  }
}

function show(range: Range, card: Element): void {
  scrollToRange(range, card);
  if (typeof CSS !== "undefined" && "highlights" in CSS) {
    CSS.highlights.set(MARK, new Highlight(range));
  }
}
