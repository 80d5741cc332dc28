import { computed, signal } from "@preact/signals";
import { type CompactionSpan, type CompactionView, compactionViews } from "../model/compactions";
import type { Layout } from "../model/layout";
import type { RowMap } from "../model/row_map";
import { type RowRange, ShownRows } from "../model/shown_rows";

/** What of a document is needed here; it may change while the transcript is open. */
interface Content {
  facts: { layout: Layout; compactions: readonly CompactionSpan[] };
  map: RowMap;
}

/**
 * The compactions of an open transcript, each as a fold over the messages that it hid from the model.
 * They begin unfolded: what was hidden is part of the run, and the run is read in order. Folded, one row
 * stands for all of them: the first one's header.
 */
export class Compactions {
  /** The compactions whose fold is closed, by the keys of the rows that stand for them. */
  private readonly closed = signal<ReadonlySet<number>>(new Set());
  private readonly found = computed(() => {
    const { facts, map } = this.content();
    return compactionViews(facts.compactions, facts.layout, map);
  });
  private readonly bySummary = computed(() => byNumber(this.found.value, "summary"));
  private readonly byMessage = computed(() => byNumber(this.found.value, "message"));
  private readonly byFirst = computed(() => {
    const folds = this.found.value.filter(({ hidden }) => hidden > 0);
    return byNumber(folds, "from");
  });
  private readonly hiddenRows = computed(() => {
    const { map } = this.content();
    return this.found.value.flatMap((each): RowRange[] => {
      if (!this.isClosed(each)) return [];
      const [first, end] = rowsOf(each, map);
      return end > first + 1 ? [[first + 1, end]] : [];
    });
  });
  private readonly ownRows = computed(
    () => new ShownRows(this.content().map.rows, this.hiddenRows.value),
  );
  private readonly rowsShown = computed(
    () => new ShownRows(this.content().map.rows, merged(this.hiddenRows.value, this.others())),
  );

  private readonly state = computed(() => ({ own: this.closed.value, others: this.others() }));

  constructor(
    private readonly content: () => Content,
    private readonly keyOf: (row: number) => number,
    /** Rows that are folded away for another reason, in order and apart. */
    private readonly others: () => readonly RowRange[] = () => [],
  ) {}

  /** The rows that are in the list; another object whenever they are others. */
  get shown(): ShownRows {
    return this.rowsShown.value;
  }

  /** The rows that no compaction has folded away, whatever else has. */
  get unhidden(): ShownRows {
    return this.ownRows.value;
  }

  /** Another object whenever the reader has folded or unfolded what a compaction hid. */
  get ownFoldState(): object {
    return this.closed.value;
  }

  /** Another object whenever something was folded or unfolded in the list. */
  get foldState(): object {
    return this.state.value;
  }

  /** In their order. */
  get all(): readonly CompactionView[] {
    return this.found.value;
  }

  /** The compaction that a message begins. */
  startedBy(message: number): CompactionView | undefined {
    return this.byMessage.value.get(message);
  }

  summarisedBy(message: number): CompactionView | undefined {
    return this.bySummary.value.get(message);
  }

  /** The fold whose first row this is. */
  foldAt(row: number): CompactionView | undefined {
    const { map } = this.content();
    const { message, part } = map.place(row);
    return part < 0 ? this.byFirst.value.get(message) : undefined;
  }

  /** The compaction that hid a message. */
  hiding(message: number): CompactionView | undefined {
    const all = this.found.value;
    let low = 0;
    let high = all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((all[middle]?.to ?? 0) <= message) low = middle + 1;
      else high = middle;
    }
    const found = all[low];
    return found && message >= found.from ? found : undefined;
  }

  /** The row that stands for what a compaction hid. */
  firstRow({ from }: CompactionView): number {
    return this.content().map.header(from);
  }

  isClosed(compaction: CompactionView): boolean {
    const { closed } = this;
    if (compaction.hidden === 0 || closed.value.size === 0) return false;
    return closed.value.has(this.keyOf(this.firstRow(compaction)));
  }

  close(compaction: CompactionView, isClosed: boolean): void {
    const key = this.keyOf(this.firstRow(compaction));
    if (compaction.hidden === 0 || this.closed.peek().has(key) === isClosed) return;
    const next = new Set(this.closed.peek());
    if (isClosed) next.add(key);
    else next.delete(key);
    this.closed.value = next;
  }

  /** Unfolds what a row is folded into, or stands for. */
  open(row: number): void {
    const compaction = this.hiding(this.content().map.messageAt(row));
    if (compaction) this.close(compaction, false);
  }
}

/** Both in one order; those of the second that touch one of the first are left out. */
function merged(first: readonly RowRange[], second: readonly RowRange[]): RowRange[] {
  const all = [...first];
  let at = 0;
  for (const [from, to] of second) {
    while (at < first.length && (first[at]?.[1] ?? 0) < from) at++;
    const next = first[at];
    if (!next || to < next[0]) all.push([from, to]);
  }
  return all.sort((a, b) => a[0] - b[0]);
}

function rowsOf({ from, to }: CompactionView, map: RowMap): RowRange {
  return [map.header(from), to < map.messages ? map.header(to) : map.rows];
}

function byNumber(
  all: readonly CompactionView[],
  field: "from" | "message" | "summary",
): Map<number, CompactionView> {
  return new Map(all.map((each) => [each[field], each]));
}
