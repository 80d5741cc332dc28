import { fieldOf } from "../../../core/model/search_fields";
import { RenderedText } from "../../../core/page/rendered_text";
import type { AppendedSpan } from "../model";
import type { Replay } from "../store";

/** Texts are marked this long after the last change to the page, in milliseconds. */
const DEBOUNCE = 30;
const NAME = "replay-change";

/**
 * Marks the text that an event appended, in the rows that are drawn, by the CSS Custom Highlight API. Where
 * what was appended cannot be found in what is drawn, the mark at the row has to do.
 */
export class ChangeMarks {
  private readonly observer = new MutationObserver(() => this.soon());
  private readonly unwatch: () => void;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly replay: Replay) {
    this.unwatch = replay.store.watch(() => this.soon());
    const root = document.querySelector(".pane-transcript");
    if (root) {
      this.observer.observe(root, { childList: true, characterData: true, subtree: true });
    }
    this.soon();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.unwatch();
    this.observer.disconnect();
    draw([]);
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.mark(), DEBOUNCE);
  }

  private mark(): void {
    const ranges: Range[] = [];
    for (const { row, spans } of this.replay.store.get().changes?.values() ?? []) {
      if (spans.length === 0) continue;
      const element = document.querySelector(`.pane-transcript .row[data-index="${row}"]`);
      if (element) ranges.push(...spans.flatMap((span) => rangeOf(element, span) ?? []));
    }
    draw(ranges);
  }
}

function rangeOf(row: Element, { field, start, end, words }: AppendedSpan): Range | undefined {
  const block = row.querySelector(`[data-field="${fieldOf(field)}"]`);
  if (!block) return undefined;
  const drawn = new RenderedText(block);
  // A block that draws the string just as it is has it at the same place.
  const from = end - words.length;
  if (drawn.text.slice(from, end) === words) return drawn.range(start, end);
  return lastWords(drawn, words);
}

/** Markdown is drawn without its signs: of its end, the letters count. */
function lastWords(drawn: RenderedText, words: string): Range | undefined {
  const wanted = words.replace(/[^\p{L}\p{N}]/gu, "");
  const { text } = drawn;
  let left = wanted.length;
  let last = text.length;
  let at = text.length;
  while (left > 0 && at > 0) {
    at--;
    const unit = text[at] ?? "";
    if (/[\s*_`#>~[\]()!|.,:;-]/.test(unit)) continue;
    if (unit !== wanted[left - 1]) {
      if (/[\p{L}\p{N}]/u.test(unit)) return undefined;
      continue;
    }
    if (left === wanted.length) last = at + 1;
    left--;
  }
  return left === 0 && last > at ? drawn.range(at, last) : undefined;
}

/** Browsers without the API mark the row, and no more. */
function draw(ranges: Range[]): void {
  if (typeof CSS === "undefined" || !("highlights" in CSS)) return;
  if (ranges.length === 0) CSS.highlights.delete(NAME);
  else CSS.highlights.set(NAME, new Highlight(...ranges));
}
