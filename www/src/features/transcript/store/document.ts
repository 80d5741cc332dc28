import type { BlockSource } from "../../../ui/blocks";
import { Chunks } from "../../../ui/chunks";
import { ExpandedBlocks } from "../../../ui/expanded_blocks";
import type { TextField } from "../../../ui/values";
import type { WorkerClient } from "../../../worker/client";
import type { LoopView } from "../../loops/model";
import type { OutlineEntry } from "../../outline/model";
import { PART_TYPES } from "../../parts/model";
import type { ProblemView } from "../../problems/model";
import { FLAG_ERROR, FLAG_SUMMARY, ROLE_USER, STATUS_ERROR } from "../model/layout";
import { LayoutChanges } from "../model/layout_changes";
import type { Growth, Overview } from "../model/overview";
import { RowMap } from "../model/row_map";
import type { Row } from "../model/rows";
import { RowKeys } from "./row_keys";

const REASONING = PART_TYPES.indexOf("reasoning");
const COMPACTION = PART_TYPES.indexOf("compaction");
const TASK = "task";
const STEP_START = PART_TYPES.indexOf("step-start");

/** An open transcript as the page knows it: facts, the row mapping, and the rows now in view. */
export class OpenDocument implements BlockSource {
  private static expandedBlocks = 0;
  /** Tells one opened transcript from the next, also when both come from the same file. */
  readonly id = ++OpenDocument.expandedBlocks;
  map: RowMap;
  readonly rows: Chunks<Row>;
  readonly outline: Chunks<OutlineEntry>;
  /** First messages of the turns: every user message, and message 0. */
  turns: Uint32Array;
  /** What of a row outlives its number, in a transcript that is still being read. */
  readonly keys: RowKeys;
  /** Rows with a problem or an error, or where a loop was seen, in order. */
  marks: Uint32Array;
  /** Undefined while they are looked for. */
  loops: LoopView[] | undefined;
  /** The loops that a row is part of. */
  readonly loopsAt = new Map<number, LoopView[]>();
  /** The messages that have such rows, each with the first of their loops. */
  readonly loopMessages = new Map<number, LoopView>();
  /** More of it may come. */
  growing = false;
  readonly problems = new Map<number, ProblemView[]>();
  private readonly folds = new Map<number, boolean>();
  /** Folds what the reader has not opened, while set: what is the same beside another transcript. */
  folded: ((row: number) => boolean) | undefined;
  /** How much of a long block the reader has opened, by row and field. */
  readonly expandedBlocks = new ExpandedBlocks();
  /** Found when they are first asked for. */
  private compactions: Uint32Array | undefined;

  facts: Overview;

  constructor(
    { top = [], ...facts }: Overview,
    readonly client: WorkerClient,
  ) {
    this.facts = facts;
    const { layout } = facts;
    this.map = new RowMap(layout.firstPart);
    this.rows = new Chunks(this.map.rows, (start, end) => client.call("rows", start, end));
    for (const [row, value] of top.entries()) this.rows.put(row, value);
    this.outline = new Chunks(this.map.messages, (start, end) =>
      client.call("outline", start, end),
    );
    this.keys = new RowKeys(this.map.rows);
    this.placeProblems();
    this.turns = this.findTurns();
    this.marks = this.findMarks();
  }

  /**
   * The transcript is another now: more of it was read, or less of it is shown. What is known of its
   * rows stays with them; what changed is fetched again when it is in view.
   */
  grow({ facts, from, all, rows = [] }: Growth): void {
    const before = { layout: this.facts.layout, map: this.map };
    this.facts = { ...this.facts, ...facts };
    this.map = new RowMap(facts.layout.firstPart);
    const { map } = this;
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
    if (facts.problems) this.placeProblems();
    this.compactions = undefined;
    this.turns = this.findTurns();
    this.marks = this.findMarks();
  }

  /** A piece of a long text of a row. */
  text(row: number, field: TextField, start: number, end: number): Promise<string> {
    return this.client.call("text", row, field, start, end);
  }

  setLoops(loops: LoopView[]): void {
    this.loops = loops;
    this.loopsAt.clear();
    this.loopMessages.clear();
    for (const loop of loops) {
      for (const row of loop.rows) {
        const here = this.loopsAt.get(row);
        if (here) here.push(loop);
        else this.loopsAt.set(row, [loop]);
        const message = this.map.messageAt(row);
        if (!this.loopMessages.has(message)) this.loopMessages.set(message, loop);
      }
    }
    this.marks = this.findMarks();
  }

  /** Is one of these parts a call of the tool that gives a task to another agent? */
  startsTask(first: number, end: number): boolean {
    const { tools, toolNames } = this.facts.layout;
    const task = toolNames.findIndex((name) => name.toLowerCase() === TASK) + 1;
    return task > 0 && tools.subarray(first, end).includes(task);
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

  isFolded(row: number): boolean {
    const kept = this.folds.get(this.keys.of(row));
    return kept ?? (this.folded?.(row) || this.typeOf(row) === REASONING);
  }

  setFolded(row: number, folded: boolean): void {
    this.folds.set(this.keys.of(row), folded);
  }

  /** The next row in a direction that a reader would stop at. */
  step(row: number, direction: 1 | -1): number {
    for (let next = row + direction; next >= 0 && next < this.map.rows; next += direction) {
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

  /** The place where the context was compacted, or the summary that stands for it. */
  compaction(row: number, direction: 1 | -1): number {
    this.compactions ??= this.findCompactions();
    return neighbour(this.compactions, row, direction);
  }

  /** Headers and step starts are passed over, unless there is something to see at them. */
  isStop(row: number): boolean {
    const { message, part } = this.map.place(row);
    if (part >= 0) return this.typeOf(row) !== STEP_START || this.problems.has(row);
    const flags = this.facts.layout.flags[message] ?? 0;
    return (flags & FLAG_ERROR) !== 0 || this.map.parts(message) === 0 || this.problems.has(row);
  }

  private placeProblems(): void {
    this.problems.clear();
    for (const problem of this.facts.problems) {
      if (problem.row < 0) continue;
      const here = this.problems.get(problem.row);
      if (here) here.push(problem);
      else this.problems.set(problem.row, [problem]);
    }
  }

  private findTurns(): Uint32Array {
    const turns: number[] = [];
    this.facts.layout.roles.forEach((role, message) => {
      if (role === ROLE_USER || message === 0) turns.push(message);
    });
    return Uint32Array.from(turns);
  }

  private findCompactions(): Uint32Array {
    const { flags, types } = this.facts.layout;
    const rows: number[] = [];
    for (let message = 0; message < this.map.messages; message++) {
      const header = this.map.header(message);
      if (((flags[message] ?? 0) & FLAG_SUMMARY) !== 0) rows.push(header);
      const first = this.map.firstPart[message] ?? 0;
      for (let part = 0; part < this.map.parts(message); part++) {
        if (types[first + part] === COMPACTION) rows.push(header + part + 1);
      }
    }
    return Uint32Array.from(rows);
  }

  private findMarks(): Uint32Array {
    const { flags, statuses } = this.facts.layout;
    const rows = new Set(this.problems.keys());
    for (let message = 0; message < this.map.messages; message++) {
      const header = this.map.header(message);
      if (((flags[message] ?? 0) & FLAG_ERROR) !== 0) rows.add(header);
      const first = this.map.firstPart[message] ?? 0;
      for (let part = 0; part < this.map.parts(message); part++) {
        if (statuses[first + part] === STATUS_ERROR) rows.add(header + part + 1);
      }
    }
    // A loop is one stop: the row at which it was seen.
    for (const loop of this.loops ?? []) {
      const last = loop.rows.at(-1);
      if (last !== undefined) rows.add(last);
    }
    return Uint32Array.from(rows).sort();
  }
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
