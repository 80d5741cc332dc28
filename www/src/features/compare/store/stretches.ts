import { computed, signal } from "@preact/signals";
import { SAME } from "../../../../../ts/cli/comparison/align.ts";
import { PART_CODE } from "../../../core/model/parts";
import { type RowRange, ShownRows } from "../../../core/model/shown_rows";
import type { ComparedDocuments, PairFolds, Pairing } from "./pairing";

/** Fewer pairs than these are not folded: they take no more room than the fold. */
const LEAST = 4;
const STEP_START = PART_CODE["step-start"];

/** Pairs in a row that say the same. */
export interface SameStretch {
  from: number;
  to: number;
  steps: number;
  messages: number;
}

/** What is the same on both sides, each stretch as a fold: one row stands for it until it is opened. */
export class Stretches implements PairFolds {
  readonly all: readonly SameStretch[];
  private readonly opened = signal<ReadonlySet<number>>(new Set());
  private readonly rows = computed(() => {
    const closed = this.all.filter(({ from }) => !this.opened.value.has(from));
    return new ShownRows(
      this.count,
      closed.map(({ from, to }): RowRange => [from + 1, to]),
    );
  });
  private readonly count: number;

  constructor(pairs: Pairing, docs: ComparedDocuments) {
    this.count = pairs.count;
    this.all = stretchesOf(pairs, docs);
  }

  /** The pairs that are in the list; another object whenever they are others. */
  get shown(): ShownRows {
    return this.rows.value;
  }

  /** The stretch that begins with a pair. */
  at(pair: number): SameStretch | undefined {
    const stretch = this.holding(pair);
    return stretch?.from === pair ? stretch : undefined;
  }

  isClosed({ from }: SameStretch): boolean {
    return !this.opened.value.has(from);
  }

  standsForFold(pair: number): boolean {
    const stretch = this.at(pair);
    return stretch !== undefined && this.isClosed(stretch);
  }

  toggle(stretch: SameStretch): void {
    const next = new Set(this.opened.peek());
    if (!next.delete(stretch.from)) next.add(stretch.from);
    this.opened.value = next;
  }

  /** Opens the stretch that a pair is folded away in. */
  open(pair: number): void {
    const stretch = this.holding(pair);
    if (stretch && pair > stretch.from && this.isClosed(stretch)) this.toggle(stretch);
  }

  private holding(pair: number): SameStretch | undefined {
    let low = 0;
    let high = this.all.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.all[middle]?.from ?? 0) <= pair) low = middle;
      else high = middle - 1;
    }
    const found = this.all[low];
    return found && pair >= found.from && pair < found.to ? found : undefined;
  }
}

function stretchesOf(pairs: Pairing, docs: ComparedDocuments): SameStretch[] {
  const all: SameStretch[] = [];
  for (let from = 0; from < pairs.count; ) {
    if (pairs.states[from] !== SAME) {
      from++;
      continue;
    }
    let to = from + 1;
    while (to < pairs.count && pairs.states[to] === SAME) to++;
    const end = to < pairs.count ? messageOf(pairs, docs, to, from) : to;
    if (end - from >= LEAST) all.push({ from, to: end, ...contents(pairs, docs, from, end) });
    from = to;
  }
  return all;
}

/** The header of the message in which a difference is stays in sight, and what of it comes before. */
function messageOf(pairs: Pairing, [doc, other]: ComparedDocuments, pair: number, from: number) {
  const row = pairs.row(0, pair);
  const second = pairs.row(1, pair);
  const [of, side, own] = row >= 0 ? [doc, 0 as const, row] : [other, 1 as const, second];
  const header = pairs.of(side, of.map.header(of.map.messageAt(own)));
  return Math.min(pair, Math.max(header, from));
}

function contents(pairs: Pairing, [doc]: ComparedDocuments, from: number, to: number) {
  let steps = 0;
  let messages = 0;
  for (let pair = from; pair < to; pair++) {
    const type = doc.typeOf(pairs.row(0, pair));
    if (type === STEP_START) steps++;
    if (type < 0) messages++;
  }
  return { steps, messages };
}
