import type { CompactionSpan } from "../../../core/model/compactions";
import { FLAG_SUMMARY } from "../../../core/model/layout";
import { PART_CODE } from "../../../core/model/parts";
import type { Timeline } from "./timeline";

const STEP_FINISH = PART_CODE["step-finish"];

/** A step function to plot: values by place, from left to right; each holds until the next. */
export interface Line {
  at: Float64Array;
  values: Float64Array;
}

export interface Lines {
  /** Tokens that the context held after each step of the main session, and after each compaction of it. */
  context: Line;
  /** What all steps have cost up to a place. */
  cost: Line;
}

/** What is known of the compactions of a transcript. */
interface CompactedContext {
  compactions: readonly CompactionSpan[];
  contextNow?: number | undefined;
}

const NOT_COMPACTED: CompactedContext = { compactions: [] };

export function linesOf(timeline: Timeline, compacted = NOT_COMPACTED): Lines {
  const steps = inOrder(timeline, findSteps(timeline));
  const { costs } = timeline.layout;
  let sum = 0;
  const spent = new Float64Array(steps.parts.length);
  steps.parts.forEach((part, i) => {
    sum += costs[part] ?? 0;
    spent[i] = sum;
  });
  const none = { at: new Float64Array(), values: new Float64Array() };
  return {
    context: contextOf(timeline, steps, compacted),
    cost: sum > 0 ? { at: placesOf(timeline, steps.parts), values: spent } : none,
  };
}

/**
 * The context after each step. It falls where a compaction has its summary: to what the next step then
 * tells, or to what was counted where there is none. The request for a summary is not of the run.
 */
function contextOf(timeline: Timeline, steps: FinishedSteps, compacted: CompactedContext): Line {
  const { from, messageTo, layout, map } = timeline;
  const { tokens, sessions } = layout;
  const main = mainSession(timeline, steps);
  const held = steps.parts.filter(
    (part, i) => steps.sessions[i] === main && tokens[part] !== 0 && !steps.summaries[i],
  );
  const at: number[] = [];
  const values: number[] = [];
  const falls = compacted.compactions.filter(
    ({ message, summary }) => summary < map.messages && sessions[message] === main,
  );
  let next = 0;
  /** Falls before the first step that is a message after them. */
  const fall = (part: number, value: number | undefined) => {
    for (; next < falls.length; next++) {
      const { summary } = falls[next] as CompactionSpan;
      if ((map.firstPart[summary + 1] ?? 0) > part) return;
      // Without a step before it there is no line yet that could fall.
      if (value === undefined || values.length === 0) continue;
      const place = Math.max(at.at(-1) ?? 0, messageTo[summary] ?? 0);
      at.push(part < Number.POSITIVE_INFINITY ? Math.min(place, from[part] ?? place) : place);
      values.push(value);
    }
  };
  for (const part of held) {
    fall(part, tokens[part]);
    at.push(from[part] ?? 0);
    values.push(tokens[part] ?? 0);
  }
  fall(Number.POSITIVE_INFINITY, compacted.contextNow);
  return { at: Float64Array.from(at), values: Float64Array.from(values) };
}

/** The step-finish parts, the session of each, and whether it is of a summary. */
interface FinishedSteps {
  parts: Uint32Array;
  sessions: Uint32Array;
  summaries: Uint8Array;
}

function findSteps({ layout, map }: Timeline): FinishedSteps {
  const { types, sessions, flags } = layout;
  let count = 0;
  for (let part = 0; part < types.length; part++) if (types[part] === STEP_FINISH) count++;
  const steps = {
    parts: new Uint32Array(count),
    sessions: new Uint32Array(count),
    summaries: new Uint8Array(count),
  };
  let next = 0;
  for (let message = 0; message < map.messages; message++) {
    const end = map.firstPart[message + 1] ?? 0;
    for (let part = map.firstPart[message] ?? 0; part < end; part++) {
      if (types[part] !== STEP_FINISH) continue;
      steps.parts[next] = part;
      steps.summaries[next] = (flags[message] ?? 0) & FLAG_SUMMARY;
      steps.sessions[next++] = sessions[message] ?? 0;
    }
  }
  return steps;
}

/** From left to right; sessions side by side are not in that order in the file. */
function inOrder({ from }: Timeline, steps: FinishedSteps): FinishedSteps {
  const place = (i: number) => from[steps.parts[i] ?? 0] ?? 0;
  let isOrdered = true;
  for (let i = 1; i < steps.parts.length && isOrdered; i++) isOrdered = place(i - 1) <= place(i);
  if (isOrdered) return steps;
  const order = Uint32Array.from(steps.parts.keys()).sort((a, b) => place(a) - place(b));
  return {
    parts: order.map((i) => steps.parts[i] ?? 0),
    sessions: order.map((i) => steps.sessions[i] ?? 0),
    summaries: Uint8Array.from(order, (i) => steps.summaries[i] ?? 0),
  };
}

/** Each session has a context of its own; that of the one with most steps is shown. */
function mainSession({ layout }: Timeline, steps: FinishedSteps): number {
  const counts = new Map<number, number>();
  let main = -1;
  steps.parts.forEach((part, i) => {
    if (layout.tokens[part] === 0 || steps.summaries[i]) return;
    const session = steps.sessions[i] ?? 0;
    const count = (counts.get(session) ?? 0) + 1;
    counts.set(session, count);
    if (count > (counts.get(main) ?? 0)) main = session;
  });
  return main;
}

function placesOf({ from }: Timeline, parts: Uint32Array): Float64Array {
  const places = new Float64Array(parts.length);
  for (let i = 0; i < parts.length; i++) places[i] = from[parts[i] ?? 0] ?? 0;
  return places;
}

/** The value that holds at a place; undefined before the first. */
export function valueAt({ at, values }: Line, place: number): number | undefined {
  return values[upTo(at, place) - 1];
}

/**
 * The points of a line in a range, and the value that comes into it; where there are more than
 * `most`, of each piece the first, the least, the greatest and the last, so that no peak is lost.
 */
export function thin(
  line: Line,
  range: { from: number; to: number },
  most = 2000,
): [places: number[], values: number[]] {
  const start = Math.max(0, upTo(line.at, range.from) - 1);
  const end = Math.min(line.at.length, upTo(line.at, range.to) + 1);
  const places: number[] = [];
  const values: number[] = [];
  const take = (i: number) => {
    places.push(line.at[i] ?? 0);
    values.push(line.values[i] ?? 0);
  };
  const count = end - start;
  if (count <= most) {
    for (let i = start; i < end; i++) take(i);
    return [places, values];
  }
  const pieces = Math.max(1, Math.floor(most / 4));
  for (let piece = 0; piece < pieces; piece++) {
    const first = start + Math.floor((piece * count) / pieces);
    const last = start + Math.floor(((piece + 1) * count) / pieces) - 1;
    for (const i of extremes(line.values, first, last)) take(i);
  }
  return [places, values];
}

/** The points of a line in a range, and on to its end: the last value holds. */
export function pointsOf(line: Line, range: { from: number; to: number }): [number[], number[]] {
  const [places, values] = thin(line, range);
  const [place, value] = [places.at(-1), values.at(-1)];
  if (place !== undefined && value !== undefined && place < range.to) {
    places.push(range.to);
    values.push(value);
  }
  return [places, values];
}

function extremes(values: Float64Array, first: number, last: number): number[] {
  let least = first;
  let greatest = first;
  for (let i = first; i <= last; i++) {
    if ((values[i] ?? 0) < (values[least] ?? 0)) least = i;
    if ((values[i] ?? 0) > (values[greatest] ?? 0)) greatest = i;
  }
  return [...new Set([first, least, greatest, last])].sort((a, b) => a - b);
}

/** How many numbers of a sorted list are at most this one. */
function upTo(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}
