import {
  endedBadly,
  FLAG_SUMMARY,
  hasError,
  type Layout,
  ROLE_USER,
  STATUS_RUNNING,
} from "../../../core/model/layout";
import type { LoopView } from "../../../core/model/loops";
import { PART_CODE } from "../../../core/model/parts";
import type { RowMap } from "../../../core/model/row_map";
import { taskTools } from "../../../core/model/tasks";
import { Axis, isTime } from "./axis";
import { findLanes } from "./lanes";
import { RANK_ERROR, RANK_SPAN, RANK_TEXT, rankOf } from "./ranks";
import { lanesOfTracks, type PlacedTrack, placeTrack, type Track } from "./tracks";

/** Symbols at a place besides its bar. */
export const MARK_USER = 1;
export const MARK_COMPACTION = 2;
export const MARK_SUBTASK = 4;

/** Parts looked at between two chances to stop. */
const SLICE = 10_000;

export interface LoopSpan {
  loop: LoopView;
  lane: number;
  from: number;
  to: number;
  /** Where each of its calls begins, in order. */
  calls: number[];
}

/**
 * A transcript from left to right: a place on the axis for every message and part, the lane of every
 * message, and what is drawn there. Typed arrays only, for there may be half a million parts.
 */
export class Timeline {
  /** Places of the parts, by index in the whole file. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly ranks: Uint8Array;
  readonly marks: Uint8Array;
  /** Places of the messages; no part of a message lies outside of it. */
  readonly messageFrom: Float64Array;
  readonly messageTo: Float64Array;
  readonly messageMarks: Uint8Array;
  /** What each lane holds. */
  readonly calls: Uint32Array;
  readonly failed: Uint32Array;
  compactions = 0;
  /** Sessions without rows of their own. */
  tracks: PlacedTrack[] = [];

  constructor(
    readonly layout: Layout,
    readonly map: RowMap,
    readonly axis: Axis,
    readonly lanes: string[],
    readonly laneOf: Uint8Array,
  ) {
    const parts = layout.types.length;
    this.from = new Float64Array(parts);
    this.to = new Float64Array(parts);
    this.ranks = new Uint8Array(parts);
    this.marks = new Uint8Array(parts);
    this.messageFrom = new Float64Array(map.messages);
    this.messageTo = new Float64Array(map.messages);
    this.messageMarks = new Uint8Array(map.messages);
    this.calls = new Uint32Array(lanes.length);
    this.failed = new Uint32Array(lanes.length);
  }

  /** Where a row begins and ends. */
  span(row: number): { from: number; to: number } {
    const part = this.map.partIndex(row);
    if (part >= 0) return { from: this.from[part] ?? 0, to: this.to[part] ?? 0 };
    const { message } = this.map.place(row);
    return { from: this.messageFrom[message] ?? 0, to: this.messageTo[message] ?? 0 };
  }

  /** The row that is drawn in a lane at a place, or within `slack` of it; or -1. */
  hit(lane: number, at: number, slack: number): number {
    let best = -1;
    let bestWeight = 0;
    const reach = Math.max(slack, Number.MIN_VALUE);
    const offer = (row: number, rank: number, from: number, to: number) => {
      if (from - slack > at || to + slack < at) return;
      // What is meant is what is drawn on top, then what is nearest, then what is shortest.
      const away = at < from ? from - at : Math.max(0, at - to);
      const weight = rank * 4 - away / reach - (to - from) / this.axis.length;
      if (weight <= bestWeight) return;
      best = row;
      bestWeight = weight;
    };
    for (let message = 0; message < this.map.messages; message++) {
      if (this.laneOf[message] !== lane) continue;
      const from = this.messageFrom[message] ?? 0;
      const to = this.messageTo[message] ?? 0;
      if (from - slack > at || to + slack < at) continue;
      const header = this.map.header(message);
      const isUser = ((this.messageMarks[message] ?? 0) & MARK_USER) !== 0;
      const failed = this.hasError(message);
      offer(header, isUser ? RANK_TEXT : RANK_SPAN, from, to);
      if (failed) offer(header, RANK_ERROR, to, to);
      const first = this.map.firstPart[message] ?? 0;
      for (let part = 0; part < this.map.parts(message); part++) {
        const rank = this.ranks[first + part] ?? 0;
        if (rank <= RANK_SPAN) continue;
        offer(header + part + 1, rank, this.from[first + part] ?? 0, this.to[first + part] ?? 0);
      }
    }
    for (const track of this.tracks) {
      if (track.lane !== lane || track.row < 0) continue;
      track.ranks.forEach((rank, i) => {
        offer(track.row, rank, track.from[i] ?? 0, track.to[i] ?? 0);
      });
    }
    return best;
  }

  /** True where the message itself has an error, which none of its parts shows. */
  hasError(message: number): boolean {
    return hasError(this.layout.flags[message]);
  }

  /** Each loop in the lane in which it was seen. */
  loops(loops: LoopView[]): LoopSpan[] {
    return loops.flatMap((loop) => {
      const last = loop.rows.at(-1);
      if (last === undefined || last >= this.map.rows) return [];
      const spans = loop.rows.map((row) => this.span(row));
      return {
        loop,
        lane: this.laneOf[this.map.messageAt(last)] ?? 0,
        from: spans.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY),
        to: spans.reduce((most, { to }) => Math.max(most, to), 0),
        calls: spans.map(({ from }) => from).sort((a, b) => a - b),
      };
    });
  }
}

/**
 * Computes a timeline in small steps: the caller may pause at every `yield`. `faulty` are the rows in
 * which the validator found errors, `tracks` the sessions that have no rows.
 */
export function* timelineOf(
  layout: Layout,
  map: RowMap,
  faulty: Iterable<number>,
  tracks: Track[] = [],
): Generator<void, Timeline, void> {
  const times = yield* messageTimes(layout, map);
  const axis = yield* axisOf(times, layout, map);
  const lanes = findLanes(layout);
  // Without times it is not known when they were.
  const placeable = axis.kind === "time" ? tracks : [];
  const laneOf = lanesOfTracks(placeable, lanes.names);
  yield;
  const timeline = new Timeline(layout, map, axis, lanes.names, lanes.of);
  const placer = new Placer(timeline, times);
  let seen = 0;
  for (let message = 0; message < map.messages; message++) {
    placer.place(message);
    seen += map.parts(message) + 1;
    if (seen > SLICE) {
      seen = 0;
      yield;
    }
  }
  for (const row of faulty) {
    const part = map.partIndex(row);
    if (part >= 0) timeline.ranks[part] = RANK_ERROR;
  }
  timeline.tracks = placeable.map((track, i) => {
    const lane = laneOf[i] ?? 0;
    timeline.calls[lane] = (timeline.calls[lane] ?? 0) + track.calls;
    timeline.failed[lane] = (timeline.failed[lane] ?? 0) + track.failed;
    return placeTrack(track, lane, axis);
  });
  return timeline;
}

interface MessageTimes {
  begins: Float64Array;
  ends: Float64Array;
}

/** When each message began and ended, from its own times and those of its parts; `NaN` unknown. */
function* messageTimes(layout: Layout, map: RowMap): Generator<void, MessageTimes, void> {
  const { created, completed, starts, ends } = layout;
  const times = {
    begins: new Float64Array(map.messages).fill(Number.NaN),
    ends: new Float64Array(map.messages).fill(Number.NaN),
  };
  let seen = 0;
  for (let message = 0; message < map.messages; message++) {
    let begin = Number.POSITIVE_INFINITY;
    let end = 0;
    const take = (time: number | undefined) => {
      if (time === undefined || !isTime(time)) return;
      begin = Math.min(begin, time);
      end = Math.max(end, time);
    };
    take(created[message]);
    take(completed[message]);
    const last = map.firstPart[message + 1] ?? 0;
    for (let part = map.firstPart[message] ?? 0; part < last; part++) {
      take(starts[part]);
      take(ends[part]);
      seen++;
    }
    if (end > 0) {
      times.begins[message] = begin;
      times.ends[message] = end;
    }
    if (seen > SLICE) {
      seen = 0;
      yield;
    }
  }
  return times;
}

/** By time where most messages have one, and not all the same; else by rows. */
function* axisOf(times: MessageTimes, layout: Layout, map: RowMap): Generator<void, Axis, void> {
  const begins = known(times.begins);
  const ends = known(times.ends);
  if (begins.length === 0 || begins.length < map.messages / 2) return Axis.rows(map.rows);
  let answers = 0;
  let measured = 0;
  for (let message = 0; message < map.messages; message++) {
    if (layout.roles[message] === ROLE_USER) continue;
    answers++;
    if ((times.ends[message] ?? 0) > (times.begins[message] ?? 0)) measured++;
  }
  yield;
  if (!isSorted(begins)) begins.sort();
  yield;
  if (!isSorted(ends)) ends.sort();
  yield;
  if (begins[0] === ends[ends.length - 1]) return Axis.rows(map.rows);
  return Axis.time(begins, ends, measured * 2 > answers);
}

function known(times: Float64Array): Float64Array {
  const found = new Float64Array(times.length);
  let count = 0;
  for (const time of times) if (time > 0) found[count++] = time;
  return found.subarray(0, count);
}

function isSorted(times: Float64Array): boolean {
  for (let i = 1; i < times.length; i++) if ((times[i] ?? 0) < (times[i - 1] ?? 0)) return false;
  return true;
}

/** Gives the parts of one message after another their places. */
class Placer {
  /** Where the message before ended: where one without times stands. */
  private before = 0;
  private readonly taskTools: readonly number[];

  constructor(
    private readonly timeline: Timeline,
    private readonly times: MessageTimes,
  ) {
    this.taskTools = taskTools(timeline.layout.toolNames);
  }

  place(message: number): void {
    const { timeline } = this;
    const { layout, map } = timeline;
    if (timeline.axis.kind === "rows") this.placeByRow(message);
    else this.placeByTime(message);
    const lane = timeline.laneOf[message] ?? 0;
    const isUser = layout.roles[message] === ROLE_USER;
    const isSummary = ((layout.flags[message] ?? 0) & FLAG_SUMMARY) !== 0;
    timeline.messageMarks[message] = (isUser ? MARK_USER : 0) | (isSummary ? MARK_COMPACTION : 0);
    if (isSummary) timeline.compactions++;
    const end = map.firstPart[message + 1] ?? 0;
    for (let part = map.firstPart[message] ?? 0; part < end; part++) this.draw(part, lane, isUser);
  }

  private draw(part: number, lane: number, isUser: boolean): void {
    const { timeline } = this;
    const { layout } = timeline;
    const type = layout.types[part];
    const rank = isUser ? RANK_SPAN : rankOf(type, layout.statuses[part] ?? 0);
    timeline.ranks[part] = rank;
    if (type === PART_CODE.tool) timeline.calls[lane] = (timeline.calls[lane] ?? 0) + 1;
    if (endedBadly(layout.statuses[part])) {
      timeline.failed[lane] = (timeline.failed[lane] ?? 0) + 1;
    }
    if (type === PART_CODE.compaction) timeline.marks[part] = MARK_COMPACTION;
    if (type === PART_CODE.subtask || this.taskTools.includes(layout.tools[part] ?? 0)) {
      timeline.marks[part] = MARK_SUBTASK;
    }
  }

  private placeByRow(message: number): void {
    const { timeline } = this;
    const { map } = timeline;
    const header = map.header(message);
    const first = map.firstPart[message] ?? 0;
    const count = map.parts(message);
    timeline.messageFrom[message] = header;
    timeline.messageTo[message] = header + 1 + count;
    for (let part = 0; part < count; part++) {
      timeline.from[first + part] = header + 1 + part;
      timeline.to[first + part] = header + 2 + part;
    }
  }

  private placeByTime(message: number): void {
    const { timeline, times } = this;
    const { axis, map, layout } = timeline;
    const begin = times.begins[message] ?? Number.NaN;
    const known = !Number.isNaN(begin);
    const from = known ? axis.at(begin) : this.before;
    let to = known ? axis.at(times.ends[message] ?? begin) : this.before;
    const first = map.firstPart[message] ?? 0;
    const end = map.firstPart[message + 1] ?? 0;
    let timed = false;
    for (let part = first; part < end && !timed; part++) timed = this.isTimed(part);
    if (timed) {
      let last = from;
      for (let part = first; part < end; part++) {
        if (this.isTimed(part)) {
          last = Math.max(last, this.placeTimed(part));
          to = Math.max(to, last);
        } else {
          // What has no time of its own stands where the message has come to.
          const here = layout.types[part] === PART_CODE["step-finish"] ? to : last;
          timeline.from[part] = here;
          timeline.to[part] = here;
        }
      }
    } else {
      const each = (to - from) / Math.max(1, end - first);
      for (let part = first; part < end; part++) {
        timeline.from[part] = from + (part - first) * each;
        timeline.to[part] = from + (part - first + 1) * each;
      }
    }
    timeline.messageFrom[message] = from;
    timeline.messageTo[message] = to;
    this.before = to;
  }

  private isTimed(part: number): boolean {
    const { starts, ends } = this.timeline.layout;
    return isTime(starts[part] ?? 0) || isTime(ends[part] ?? 0);
  }

  /** Where a part ends that has a time. A call that is still running goes on to the end. */
  private placeTimed(part: number): number {
    const { timeline } = this;
    const { axis, layout } = timeline;
    const start = layout.starts[part] ?? Number.NaN;
    const end = layout.ends[part] ?? Number.NaN;
    const from = axis.at(isTime(start) ? start : end);
    const isOpen = !isTime(end) && layout.statuses[part] === STATUS_RUNNING;
    const to = isOpen ? axis.length : isTime(end) ? Math.max(from, axis.at(end)) : from;
    timeline.from[part] = from;
    timeline.to[part] = to;
    return to;
  }
}
