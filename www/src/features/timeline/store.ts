import type { Layout } from "../../core/model/layout";
import type { AppContext } from "../../core/page/context";
import type { Feature } from "../../core/page/feature";
import type { OpenDocument } from "../../core/store/document";
import { Store } from "../../ui/store";
import { type Lines, linesOf } from "./model/lines";
import { type Timeline, timelineOf } from "./model/timeline";
import type { Track } from "./model/tracks";

export interface Range {
  from: number;
  to: number;
}

interface Shown {
  /** False when the strip is folded to its minimap. */
  open: boolean;
  /** Undefined while it is computed. */
  timeline: Timeline | undefined;
  lines: Lines | undefined;
  /** The part of the axis that the lanes show. */
  range: Range;
  /** Where the pointer is, and the row under it or -1. */
  hover: { at: number; lane: number; row: number } | undefined;
  /** The stretch that was chosen for its sums. */
  chosen: Range | undefined;
  /** Rows that a search has found. */
  ticks: Uint32Array;
  /** The rows now in view in the transcript. */
  view: Range;
}

const KEPT_AS = "apex-parts.timeline";
/** A transcript that grows is laid out again this often, in milliseconds. */
const PAUSE = 250;
/** The sessions of tasks are asked for this often while it grows. */
const TRACKS_PAUSE = 2000;
/** Computing it takes this long at a stretch, in milliseconds. */
const STRETCH = 8;
/** The least that can be seen of the axis: milliseconds, or rows. */
const LEAST = { time: 20, rows: 4 };

/** The state of the timeline, the strip at the bottom of the page: its zoom, its pointer, its marks. */
export class TimelineState {
  readonly store = new Store<Shown>({
    open: remembered() !== "folded",
    timeline: undefined,
    lines: undefined,
    range: { from: 0, to: 1 },
    hover: undefined,
    chosen: undefined,
    ticks: new Uint32Array(),
    view: { from: -1, to: -1 },
  });
  private doc: OpenDocument | undefined;
  private layout: Layout | undefined;
  private selected = -1;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private made = Number.NEGATIVE_INFINITY;
  /** Sessions of tasks, once they are known. */
  private tracks: Track[] = [];
  private asked = Number.NEGATIVE_INFINITY;
  /** The transcript that is being laid out. */
  private making: OpenDocument | undefined;

  constructor(private readonly app: AppContext) {
    app.store.watch(() => this.follow());
  }

  /** Shows the whole. */
  fit(): void {
    const { timeline } = this.store.get();
    if (timeline) this.store.set({ range: { from: 0, to: timeline.axis.length } });
  }

  show(from: number, to: number): void {
    const { timeline } = this.store.get();
    if (!timeline) return;
    const { kind, length } = timeline.axis;
    const width = Math.min(length, Math.max(to - from, Math.min(length, LEAST[kind])));
    const start = Math.min(Math.max(0, from), length - width);
    this.store.set({ range: { from: start, to: start + width } });
  }

  /** Less than 1 shows more detail. What is `at` a place stays where it is. */
  zoom(factor: number, at?: number): void {
    const { from, to } = this.store.get().range;
    const still = at ?? (from + to) / 2;
    this.show(still - (still - from) * factor, still + (to - still) * factor);
  }

  /** Moves by a share of what is in sight. */
  move(share: number): void {
    const { from, to } = this.store.get().range;
    this.moveTo(from + (to - from) * share);
  }

  moveTo(start: number): void {
    const { from, to } = this.store.get().range;
    const length = this.store.get().timeline?.axis.length ?? 1;
    const begin = Math.min(Math.max(0, start), length - (to - from));
    this.show(begin, begin + to - from);
  }

  toggle(): void {
    const open = !this.store.get().open;
    this.store.set({ open, hover: undefined });
    remember(open ? "open" : "folded");
  }

  /** The pointer is over a lane (-1: none) at a place. */
  point(at: number, lane: number, slack: number): void {
    const { timeline } = this.store.get();
    const row = timeline && lane >= 0 ? timeline.hit(lane, at, slack) : -1;
    this.store.set({ hover: { at, lane, row } });
  }

  leave(): void {
    if (this.store.get().hover) this.store.set({ hover: undefined });
  }

  /** Chooses the stretch between two places, or none. */
  choose(a?: number, b?: number): void {
    const { timeline, chosen } = this.store.get();
    if (a === undefined || b === undefined || timeline?.axis.kind !== "time") {
      if (chosen) this.store.set({ chosen: undefined });
      return;
    }
    const within = (at: number) => Math.min(Math.max(0, at), timeline.axis.length);
    const [from, to] = a < b ? [a, b] : [b, a];
    this.store.set({ chosen: { from: within(from), to: within(to) } });
  }

  /** Is all of the axis in sight, so that there is nothing to move? */
  get isWhole(): boolean {
    const { timeline, range } = this.store.get();
    return !timeline || range.to - range.from >= timeline.axis.length;
  }

  /** Rows to be marked on the minimap: those that a search has found. */
  setTicks(rows: Uint32Array): void {
    this.store.set({ ticks: rows });
  }

  /** The first and the last row in view. */
  setView(from: number, to: number): void {
    this.store.set({ view: { from, to } });
  }

  /** Keeps up with the page: another transcript, one that has grown, another selection. */
  private follow(): void {
    const { doc, selected } = this.app.store.get();
    if (doc !== this.doc) {
      this.doc = doc;
      this.layout = undefined;
      this.tracks = [];
      this.asked = Number.NEGATIVE_INFINITY;
      this.made = Number.NEGATIVE_INFINITY;
      this.selected = -1;
      this.store.set({
        timeline: undefined,
        lines: undefined,
        hover: undefined,
        chosen: undefined,
        ticks: new Uint32Array(),
        view: { from: -1, to: -1 },
      });
    }
    const isNew = doc && doc.facts.layout !== this.layout;
    if (isNew && doc !== this.making && this.timer === undefined) {
      const wait = this.made + PAUSE - performance.now();
      if (wait <= 0) void this.make(doc);
      else this.timer = setTimeout(() => this.again(), wait);
    }
    if (selected !== this.selected) {
      this.selected = selected;
      this.bringIntoSight(selected);
    }
  }

  private again(): void {
    this.timer = undefined;
    this.follow();
  }

  /** Lays a transcript out, in stretches so short that the page does not feel them. */
  private async make(doc: OpenDocument): Promise<void> {
    this.making = doc;
    this.layout = doc.facts.layout;
    const faulty = doc.facts.problems
      .filter((problem) => problem.severity === "error" && problem.row >= 0)
      .map((problem) => problem.row);
    const making = courseOf(doc, faulty, this.tracks);
    let began = performance.now();
    let step = making.next();
    while (!step.done) {
      if (performance.now() - began > STRETCH) {
        await new Promise((resolve) => setTimeout(resolve));
        if (doc !== this.doc) return;
        began = performance.now();
      }
      step = making.next();
    }
    this.making = undefined;
    this.made = performance.now();
    this.replace(step.value.timeline, step.value.lines);
    if (this.made - this.asked > TRACKS_PAUSE) void this.findTracks(doc);
    // It may have grown meanwhile.
    this.follow();
  }

  /** Asked for when what is shown has been laid out; most transcripts have none. */
  private async findTracks(doc: OpenDocument): Promise<void> {
    this.asked = performance.now();
    const tracks = await doc.client.call("tracks").catch(() => []);
    if (tracks.length === 0 || doc !== this.doc) return;
    this.tracks = tracks;
    this.layout = undefined;
    this.follow();
  }

  /** What was in sight stays in sight; who was at the end stays at the end. */
  private replace(next: Timeline, lines: Lines): void {
    const { timeline, range } = this.store.get();
    const whole = { from: 0, to: next.axis.length };
    if (!timeline || timeline.axis.kind !== next.axis.kind) {
      this.store.set({ timeline: next, lines, range: whole });
      return;
    }
    const { length } = timeline.axis;
    const near = length / 1000;
    const atStart = range.from <= near;
    const atEnd = range.to >= length - near;
    const width = range.to - range.from;
    const from = next.axis.at(timeline.axis.value(range.from));
    const { chosen } = this.store.get();
    const moved = (at: number) => next.axis.at(timeline.axis.value(at));
    this.store.set({
      ...{ timeline: next, lines, hover: undefined },
      chosen: chosen && { from: moved(chosen.from), to: moved(chosen.to) },
    });
    if (atStart && atEnd) this.store.set({ range: whole });
    else if (atEnd) this.show(next.axis.length - width, next.axis.length);
    else this.show(from, from + width);
  }

  private bringIntoSight(row: number): void {
    const { timeline, range } = this.store.get();
    if (!timeline || row < 0 || row >= timeline.map.rows) return;
    const { from, to } = timeline.span(row);
    if (from > range.to || to < range.from) {
      const middle = (from + Math.min(to, from + range.to - range.from)) / 2;
      this.moveTo(middle - (range.to - range.from) / 2);
    }
  }
}

function* courseOf(
  doc: OpenDocument,
  faulty: number[],
  tracks: Track[],
): Generator<void, { timeline: Timeline; lines: Lines }, void> {
  const timeline = yield* timelineOf(doc.facts.layout, doc.map, faulty, tracks);
  yield;
  return { timeline, lines: linesOf(timeline, doc.facts) };
}

/** A browser may keep nothing for a page. */
function remembered(): string | null {
  try {
    return localStorage.getItem(KEPT_AS);
  } catch {
    return null;
  }
}

function remember(value: string): void {
  try {
    localStorage.setItem(KEPT_AS, value);
  } catch {
    // Then the strip opens as it did this time.
  }
}

export const stores = {
  timeline: (page) => new TimelineState(page),
} satisfies Feature["stores"];
