import { computed, type Signal, signal } from "@preact/signals";
import type { BlockSource } from "../../ui/blocks";
import { Chunks } from "../../ui/chunks";
import { ExpandedBlocks } from "../../ui/expanded_blocks";
import type { TextField } from "../../ui/values";
import type { WorkerClient } from "../client";
import { failedRows } from "../model/failures";
import { FLAG_ERROR, FLAG_SUMMARY, type Layout, ROLE_USER } from "../model/layout";
import { LayoutChanges } from "../model/layout_changes";
import type { LoopView } from "../model/loops";
import type { OutlineEntry } from "../model/outline";
import type { Growth, Overview } from "../model/overview";
import { PART_CODE } from "../model/parts";
import type { ProblemView } from "../model/problems";
import { RowMap } from "../model/row_map";
import type { Row } from "../model/rows";
import { EMPTY_RUN, ENDINGS, type RunStatus, type SummaryView } from "../model/summary";
import { taskTools } from "../model/tasks";
import { Compactions } from "./compactions";
import { RepeatFolds } from "./repeats";
import { RowKeys } from "./row_keys";

const REASONING = PART_CODE.reasoning;
const COMPACTION = PART_CODE.compaction;
const STEP_START = PART_CODE["step-start"];
const STEP_FINISH = PART_CODE["step-finish"];

/** An open transcript as the page knows it: facts, the row mapping, and the rows now in view. */
export class OpenDocument implements BlockSource {
  private static opened = 0;
  /** Distinguishes one opened transcript from the next, also if both come from the same file. */
  readonly id = ++OpenDocument.opened;
  readonly rows: Chunks<Row>;
  readonly outline: Chunks<OutlineEntry>;
  /** What of a row outlives its number, in a transcript that is still being read. */
  readonly keys: RowKeys;
  /** What the compactions hid, each as a fold. */
  readonly compactions: Compactions;
  /** The repeats of loops, as folds. */
  readonly repeats: RepeatFolds;
  /** How much of a long block the reader has opened, by row and field. */
  readonly expandedBlocks = new ExpandedBlocks();
  /** Folds what the reader has not opened, while set: what is the same in a second transcript. */
  folded: ((row: number) => boolean) | undefined;
  // What follows may change while the transcript is open. These are signals, so that a component which
  // reads one of them is drawn again; what is found from others is found when it is first asked for.
  private readonly content: Signal<{ facts: Overview; map: RowMap }>;
  private readonly isGrowing = signal(false);
  private readonly loopsSeen = signal<LoopView[] | undefined>(undefined);
  /** With what it is the summary of. */
  private readonly summedUp = signal<{ summary: SummaryView; of: object } | undefined>(undefined);
  private readonly folds = signal<ReadonlyMap<number, boolean>>(new Map());
  private readonly isDense = signal(false);
  /** All parts but those of `folds`, once the reader has folded or unfolded all. */
  private readonly allFolded = signal<boolean | undefined>(undefined);
  private readonly problemList = computed(() => this.facts.problems);
  private readonly problemsFound = computed(() => problemsByRow(this.problemList.value));
  private readonly turnsFound = computed(() => turnsOf(this.facts.layout));
  private readonly compactionsFound = computed(() => compactionsOf(this.facts.layout, this.map));
  private readonly loopsByRow = computed(() => byRow(this.loops ?? []));
  private readonly loopsByMessage = computed(() => byMessage(this.loops ?? [], this.map));
  private readonly marksFound = computed(() =>
    marksOf(this.facts.layout, this.map, this.problems, this.loops ?? []),
  );

  constructor(
    { top = [], ...facts }: Overview,
    readonly client: WorkerClient,
  ) {
    const map = new RowMap(facts.layout.firstPart);
    this.content = signal({ facts, map });
    this.rows = new Chunks(map.rows, (start, end) => client.call("rows", start, end));
    for (const [row, value] of top.entries()) this.rows.put(row, value);
    this.outline = new Chunks(map.messages, (start, end) => client.call("outline", start, end));
    this.keys = new RowKeys(map.rows);
    this.repeats = new RepeatFolds(
      () => ({ layout: this.facts.layout, map: this.map, loops: this.loops ?? [] }),
      this.keys.of,
    );
    const { keys, repeats } = this;
    this.compactions = new Compactions(
      () => this.content.value,
      keys.of,
      () => repeats.folded,
    );
  }

  get facts(): Overview {
    return this.content.value.facts;
  }

  get map(): RowMap {
    return this.content.value.map;
  }

  /** More of it may come. */
  get growing(): boolean {
    return this.isGrowing.value;
  }

  set growing(growing: boolean) {
    this.isGrowing.value = growing;
  }

  /** Undefined while they are looked for. */
  get loops(): LoopView[] | undefined {
    return this.loopsSeen.value;
  }

  /** What the run did; undefined while it is summed up. */
  get summary(): SummaryView | undefined {
    return this.summedUp.value?.summary;
  }

  /** What the run is called, in the list of runs too; until it is summed up, by its first words. */
  get title(): string {
    return this.summary?.title ?? this.facts.title;
  }

  /** How the run ended; undefined until all that there is now is summed up. */
  get ended(): RunStatus | undefined {
    if (this.growing || this.summedUp.value?.of !== this.content.value) return undefined;
    const { ended } = this.summedUp.value.summary;
    return ended ? ENDINGS[ended.how] : EMPTY_RUN;
  }

  /** The loops that a row is part of. */
  get loopsAt(): ReadonlyMap<number, LoopView[]> {
    return this.loopsByRow.value;
  }

  /** The messages that have such rows, each with the first of their loops. */
  get loopMessages(): ReadonlyMap<number, LoopView> {
    return this.loopsByMessage.value;
  }

  get problems(): ReadonlyMap<number, ProblemView[]> {
    return this.problemsFound.value;
  }

  /** First messages of the turns: every user message, and message 0. */
  get turns(): Uint32Array {
    return this.turnsFound.value;
  }

  /** Rows with a problem, an error or a failed call, or where a loop was last seen, in order. */
  get marks(): Uint32Array {
    return this.marksFound.value;
  }

  /**
   * The transcript is another now: more of it was read, or less of it is shown. What is known of its
   * rows stays with them; what changed is fetched again when it is in view.
   */
  grow({ facts, from, all, rows = [] }: Growth): void {
    const before = { layout: this.facts.layout, map: this.map };
    const map = new RowMap(facts.layout.firstPart);
    const moved = this.keys.grow(before.map, map);
    this.rows.resize(map.rows, moved);
    this.outline.resize(map.messages);
    const changes = new LayoutChanges(before, { layout: facts.layout, map });
    if (all) {
      this.rows.invalidate(0, map.rows);
      this.outline.invalidate(0, map.messages);
    }
    for (let message = all ? map.messages : from; message < map.messages; message++) {
      if (!changes.message(message)) continue;
      this.outline.invalidate(message, 1);
      this.rows.invalidate(map.header(message), 1);
      for (let part = 0; part < map.parts(message); part++) {
        if (changes.part(message, part)) this.rows.invalidate(map.row(message, part), 1);
      }
    }
    for (const [row, value] of rows) this.rows.put(row, value);
    this.content.value = { facts: { ...this.facts, ...facts }, map };
  }

  /** A piece of a long text of a row. */
  text(row: number, field: TextField, start: number, end: number): Promise<string> {
    return this.client.call("text", row, field, start, end);
  }

  /** `selected` stays in the list, also where it is one of the calls that fold now. */
  setLoops(loops: LoopView[], selected: number): void {
    this.loopsSeen.value = loops;
    if (selected >= 0) this.repeats.open(selected);
  }

  setSummary(summary: SummaryView): void {
    this.summedUp.value = { summary, of: this.content.peek() };
  }

  /** Is one of these parts a call of the tool that gives a task to another agent? */
  startsTask(first: number, end: number): boolean {
    const { tools, toolNames } = this.facts.layout;
    const calls = tools.subarray(first, end);
    return taskTools(toolNames).some((task) => calls.includes(task));
  }

  typeOf(row: number): number {
    const index = this.map.partIndex(row);
    return index < 0 ? -1 : (this.facts.layout.types[index] ?? 255);
  }

  /** How much there is to draw of a row, in KB; of a long text only its beginning is drawn. */
  weightOf(row: number): number {
    const size = this.facts.layout.sizes[this.map.partIndex(row)] ?? 0;
    return 1 + Math.min(size, 32_768) / 1024;
  }

  /** Is this the part that says that the context was compacted? */
  isCompaction(row: number): boolean {
    return this.typeOf(row) === COMPACTION;
  }

  isFolded(row: number): boolean {
    const kept = this.folds.value.get(this.keys.of(row)) ?? this.allFolded.value;
    const other = this.folded ? this.folded(row) : this.isDense.value;
    return kept ?? (other || this.typeOf(row) === REASONING);
  }

  /** The compact view: what is folded is one line. */
  get dense(): boolean {
    return this.isDense.value;
  }

  /** Each view begins with its own folds. */
  set dense(dense: boolean) {
    this.allFolded.value = undefined;
    this.folds.value = new Map();
    this.isDense.value = dense;
  }

  /** What `foldAll` was called with last in this view. */
  get everyFold(): boolean | undefined {
    return this.allFolded.value;
  }

  foldAll(folded: boolean): void {
    this.allFolded.value = folded;
    this.folds.value = new Map();
  }

  setFolded(rows: Iterable<readonly [row: number, folded: boolean]>): void {
    const before = this.folds.peek();
    const folds = new Map(before);
    for (const [row, folded] of rows) folds.set(this.keys.of(row), folded);
    const isOther = [...folds].some(([key, folded]) => before.get(key) !== folded);
    if (isOther) this.folds.value = folds;
  }

  /** Another object whenever the reader has folded or unfolded something. */
  get foldState(): object {
    return this.folds.value;
  }

  /** Calls back after each fold. */
  watchFolds(watcher: () => void): () => void {
    let before = this.folds.peek();
    return this.folds.subscribe((folds) => {
      if (folds === before) return;
      before = folds;
      watcher();
    });
  }

  /** The next row in a direction that a reader would stop at. */
  step(row: number, direction: 1 | -1): number {
    // What a compaction hid is one stop: the row that stands for it. Repeats of a loop are unfolded.
    const { unhidden } = this.compactions;
    const from = row < 0 ? row : unhidden.item(row);
    for (let item = from + direction; item >= 0 && item < unhidden.count; item += direction) {
      const next = unhidden.row(item);
      if (this.isStop(next)) return next;
    }
    return -1;
  }

  /** The header row of the turn before or after. */
  turn(row: number, direction: 1 | -1): number {
    const headers = Array.from(this.turns, (message) => this.map.header(message));
    return neighbour(headers, row, direction);
  }

  mark(row: number, direction: 1 | -1): number {
    return neighbour(this.marks, row, direction);
  }

  /** The next row in a direction at which the context was compacted or summarised. */
  compaction(row: number, direction: 1 | -1): number {
    return neighbour(this.compactionsFound.value, row, direction);
  }

  /** Headers and step starts are passed over, unless there is something to see at them. */
  isStop(row: number): boolean {
    const { message, part } = this.map.place(row);
    const fold = this.compactions.foldAt(row);
    if (fold && this.compactions.isClosed(fold)) return true;
    const type = this.typeOf(row);
    // The compact view draws no end of a step.
    const isPassed = type === STEP_START || (type === STEP_FINISH && this.isDense.peek());
    if (part >= 0) return !isPassed || this.problems.has(row);
    const flags = this.facts.layout.flags[message] ?? 0;
    return (flags & FLAG_ERROR) !== 0 || this.map.parts(message) === 0 || this.problems.has(row);
  }
}

function problemsByRow(problems: ProblemView[]): Map<number, ProblemView[]> {
  const rows = new Map<number, ProblemView[]>();
  for (const problem of problems) {
    if (problem.row < 0) continue;
    const here = rows.get(problem.row);
    if (here) here.push(problem);
    else rows.set(problem.row, [problem]);
  }
  return rows;
}

function byRow(loops: LoopView[]): Map<number, LoopView[]> {
  const rows = new Map<number, LoopView[]>();
  for (const loop of loops) {
    for (const row of loop.rows) {
      const here = rows.get(row);
      if (here) here.push(loop);
      else rows.set(row, [loop]);
    }
  }
  return rows;
}

function byMessage(loops: LoopView[], map: RowMap): Map<number, LoopView> {
  const messages = new Map<number, LoopView>();
  for (const loop of loops) {
    for (const row of loop.rows) {
      const message = map.messageAt(row);
      if (!messages.has(message)) messages.set(message, loop);
    }
  }
  return messages;
}

function turnsOf({ roles }: Layout): Uint32Array {
  const turns: number[] = [];
  roles.forEach((role, message) => {
    if (role === ROLE_USER || message === 0) turns.push(message);
  });
  return Uint32Array.from(turns);
}

function compactionsOf({ flags, types }: Layout, map: RowMap): number[] {
  return map.rowsWhere(
    (message) => ((flags[message] ?? 0) & FLAG_SUMMARY) !== 0,
    (part) => types[part] === COMPACTION,
  );
}

function marksOf(
  layout: Layout,
  map: RowMap,
  problems: ReadonlyMap<number, ProblemView[]>,
  loops: LoopView[],
): Uint32Array {
  const rows = new Set([...problems.keys(), ...failedRows(layout, map)]);
  // A loop is one stop: the row at which it was seen.
  for (const loop of loops) {
    const last = loop.rows.at(-1);
    if (last !== undefined) rows.add(last);
  }
  return Uint32Array.from(rows).sort();
}

/** The next number after, or the last before, in a sorted list; -1 where there is none. */
function neighbour(sorted: ArrayLike<number>, from: number, direction: 1 | -1): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const value = sorted[middle] ?? 0;
    if (direction === 1 ? value <= from : value < from) low = middle + 1;
    else high = middle;
  }
  return sorted[direction === 1 ? low : low - 1] ?? -1;
}
