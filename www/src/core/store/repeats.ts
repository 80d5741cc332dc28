import { computed, signal } from "@preact/signals";
import { type Layout, ROLE_USER } from "../model/layout";
import type { LoopView } from "../model/loops";
import { PART_CODE } from "../model/parts";
import type { RowMap } from "../model/row_map";
import { type RowRange, ShownRows } from "../model/shown_rows";

/** Calls of a loop one after another, with no other call between them. */
export interface Repeats {
  /** The row of its first call, which stands for all while it is folded. */
  first: number;
  /** The row behind its last call. */
  end: number;
  /** The rows of its calls. */
  calls: number[];
  /** They are all the same call: one row says all that they say. */
  equal: boolean;
}

/** The kinds of loops whose calls are all equal. */
const EQUAL = ["exact_repeat", "exact_error", "duplicate_fanout"];

/** Fewer calls are not worth a fold. */
const LEAST = 3;
/** More rows between two calls belong to other work. */
const FURTHEST = 200;

/** What of a document is needed here; it may change while the transcript is open. */
interface LoopContent {
  layout: Layout;
  map: RowMap;
  loops: readonly LoopView[];
}

/** The stretches of all loops, in order; of two that overlap that of equal calls, then the first. */
export function stretchesOf({ layout, map, loops }: LoopContent): Repeats[] {
  const all = loops.flatMap(({ kind, rows }) => {
    const found: Repeats[] = [];
    let now: Repeats | undefined;
    for (const row of rows) {
      if (now && isOneStretch(layout, map, now.end, row)) {
        now.end = row + 1;
        now.calls.push(row);
      } else {
        now = { first: row, end: row + 1, calls: [row], equal: EQUAL.includes(kind) };
        found.push(now);
      }
    }
    return found.filter(({ calls }) => calls.length >= LEAST);
  });
  const equal = apart(all.filter(({ equal }) => equal));
  const others = apart(all.filter(({ equal }) => !equal));
  let at = 0;
  const free = others.filter(({ first, end }) => {
    while ((equal[at]?.end ?? Number.POSITIVE_INFINITY) <= first) at++;
    return end <= (equal[at]?.first ?? Number.POSITIVE_INFINITY);
  });
  return [...equal, ...free].sort((a, b) => a.first - b.first);
}

/** In order; of those that overlap the first, and of two that begin together the longer. */
function apart(stretches: Repeats[]): Repeats[] {
  let last = 0;
  return stretches
    .sort((a, b) => a.first - b.first || b.end - a.end)
    .filter(({ first, end }) => {
      if (first < last) return false;
      last = end;
      return true;
    });
}

/** Is there neither a call of another kind nor a word of the user from one row to before another? */
function isOneStretch(layout: Layout, map: RowMap, from: number, to: number): boolean {
  if (to - from > FURTHEST) return false;
  for (let row = from; row < to; row++) {
    const { message, part } = map.place(row);
    if (part < 0 && layout.roles[message] === ROLE_USER) return false;
    if (part >= 0 && layout.types[(map.firstPart[message] ?? 0) + part] === PART_CODE.tool) {
      return false;
    }
  }
  return true;
}

function isSame(a: readonly RowRange[], b: readonly RowRange[]): boolean {
  return (
    a.length === b.length && a.every(([from, to], i) => b[i]?.[0] === from && b[i]?.[1] === to)
  );
}

/** The repeats of loops as folds. Those of equal calls begin folded: one row with all of their marks. */
export class RepeatFolds {
  /** What the reader has folded or unfolded, by the keys of the first rows. */
  private readonly kept = signal<ReadonlyMap<number, boolean>>(new Map());
  private readonly found = computed(() => stretchesOf(this.content()));
  private readonly byFirst = computed(
    () => new Map(this.found.value.map((stretch) => [stretch.first, stretch])),
  );
  private ranges: readonly RowRange[] = [];
  private readonly foldedRanges = computed(() => {
    const next = this.found.value
      .filter((stretch) => this.isClosed(stretch))
      .map(({ first, end }): RowRange => [first + 1, end]);
    // The same object as long as they are the same: the transcript may only have grown.
    if (!isSame(this.ranges, next)) this.ranges = next;
    return this.ranges;
  });
  private readonly shown = computed(() => new ShownRows(this.content().map.rows, this.folded));

  constructor(
    private readonly content: () => LoopContent,
    private readonly keyOf: (row: number) => number,
  ) {}

  /** The rows that are folded away; another object whenever they are others. */
  get folded(): readonly RowRange[] {
    return this.foldedRanges.value;
  }

  /** Another object whenever the reader has folded or unfolded one. */
  get foldState(): object {
    return this.kept.value;
  }

  /** The stretch whose first row this is. */
  at(row: number): Repeats | undefined {
    return this.byFirst.value.get(row);
  }

  /** Is this row folded away? */
  hides(row: number): boolean {
    return this.folded.length > 0 && this.shown.value.foldedAt(row) !== undefined;
  }

  /** The row in the list that stands for a row: itself, where it is not folded away. */
  standingFor(row: number): number {
    const range = this.hides(row) ? this.shown.value.foldedAt(row) : undefined;
    return range ? range[0] - 1 : row;
  }

  isClosed({ first, equal }: Repeats): boolean {
    return this.kept.value.get(this.keyOf(first)) ?? equal;
  }

  close({ first }: Repeats, isClosed: boolean): void {
    this.kept.value = new Map(this.kept.peek()).set(this.keyOf(first), isClosed);
  }

  /** Unfolds what a row is folded away with. */
  open(row: number): void {
    const stretch = this.hides(row) ? this.at(this.standingFor(row)) : undefined;
    if (stretch) this.close(stretch, false);
  }
}
