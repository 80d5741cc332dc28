import { computed, signal } from "@preact/signals";
import { PART_CODE } from "../parts/model";
import { type Layout, ROLE_USER } from "../transcript/model/layout";
import type { RowMap } from "../transcript/model/row_map";
import { type RowRange, ShownRows } from "../transcript/model/shown_rows";
import type { LoopView } from "./model";

/** Calls of a loop one after another, with no other call between them. */
export interface Repeats {
  /** The row of its first call, which stands for all while it is folded. */
  first: number;
  /** The row behind its last call. */
  end: number;
  /** How many calls it has. */
  calls: number;
}

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

/** The stretches of all loops, in order; of two that overlap the first. */
export function stretchesOf({ layout, map, loops }: LoopContent): Repeats[] {
  const all = loops.flatMap(({ rows }) => {
    const found: Repeats[] = [];
    let now: Repeats | undefined;
    for (const row of rows) {
      if (now && isOneStretch(layout, map, now.end, row)) {
        now.end = row + 1;
        now.calls++;
      } else {
        now = { first: row, end: row + 1, calls: 1 };
        found.push(now);
      }
    }
    return found.filter(({ calls }) => calls >= LEAST);
  });
  all.sort((a, b) => a.first - b.first || b.end - a.end);
  let last = 0;
  return all.filter(({ first, end }) => {
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

/** The repeats of loops as folds. They begin unfolded: each call is part of the run. */
export class RepeatFolds {
  /** The stretches that are folded, by the keys of their first rows. */
  private readonly closed = signal<ReadonlySet<number>>(new Set());
  private readonly found = computed(() => stretchesOf(this.content()));
  private readonly byFirst = computed(
    () => new Map(this.found.value.map((stretch) => [stretch.first, stretch])),
  );
  private readonly ranges = computed(() => {
    const { closed } = this;
    if (closed.value.size === 0) return [];
    return this.found.value
      .filter((stretch) => this.isClosed(stretch))
      .map(({ first, end }): RowRange => [first + 1, end]);
  });
  private readonly shown = computed(() => new ShownRows(this.content().map.rows, this.folded));

  constructor(
    private readonly content: () => LoopContent,
    private readonly keyOf: (row: number) => number,
  ) {}

  /** The rows that are folded away; another object whenever they are others. */
  get folded(): readonly RowRange[] {
    return this.ranges.value;
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

  isClosed({ first }: Repeats): boolean {
    return this.closed.value.has(this.keyOf(first));
  }

  close({ first }: Repeats, isClosed: boolean): void {
    const next = new Set(this.closed.peek());
    if (isClosed) next.add(this.keyOf(first));
    else next.delete(this.keyOf(first));
    this.closed.value = next;
  }

  /** Unfolds what a row is folded away with. */
  open(row: number): void {
    const stretch = this.hides(row) ? this.at(this.standingFor(row)) : undefined;
    if (stretch) this.close(stretch, false);
  }
}
