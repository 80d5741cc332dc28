import type { RowMap } from "../../../core/model/row_map";
import type { Axis } from "./axis";

export interface Tick {
  at: number;
  label: string;
  /** It stands for a stretch that was cut out. */
  cut?: boolean;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((n) => n * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((n) => n * MINUTE),
  ...[1, 2, 3, 6, 12].map((n) => n * HOUR),
  ...[1, 2, 7, 14, 30, 90, 365, 3650, 36_500].map((n) => n * DAY),
];
/** Times are labelled in at most this many stretches between two cuts. */
const MOST_EDGES = 4000;
/** Room for a label, in pixels. */
const ROOM = 88;

/** What is written under the lanes: the time since the beginning, or the messages' numbers. */
export function ticksOf(
  axis: Axis,
  map: RowMap,
  range: { from: number; to: number },
  width: number,
): Tick[] {
  const unit = (range.to - range.from) / Math.max(1, width);
  if (axis.kind === "rows") return rowTicks(map, range, unit);
  const cuts = axis.breaks
    .filter(({ at }) => at + axis.breakWidth >= range.from && at <= range.to)
    .map(({ at, from, to }) => ({
      at: at + axis.breakWidth / 2,
      label: `${elapsed(to - from, SECOND, 2)} later`,
      cut: true,
      length: to - from,
    }));
  const taken: Tick[] = [];
  const offer = (tick: Tick) => {
    // What was cut out is said first; a label that would touch another is left out.
    if (taken.every(({ at }) => Math.abs(at - tick.at) >= ROOM * unit)) taken.push(tick);
  };
  for (const cut of [...cuts].sort((a, b) => b.length - a.length).slice(0, 100)) offer(cut);
  const step = STEPS.find((each) => each >= ROOM * unit) ?? unit * ROOM;
  const edges = [range.from, ...cuts.flatMap(({ at }) => [at, at]), range.to];
  for (let i = 0; i < Math.min(edges.length, MOST_EDGES); i += 2) {
    const from = axis.value(edges[i] ?? 0) - axis.start;
    const to = axis.value(edges[i + 1] ?? 0) - axis.start;
    const ends = Math.ceil(from / step) + Math.ceil(width / ROOM) + 1;
    for (let n = Math.ceil(from / step); n * step <= to && n < ends; n++) {
      offer({ at: axis.at(axis.start + n * step), label: elapsed(n * step, step) });
    }
  }
  return taken.sort((a, b) => a.at - b.at);
}

function rowTicks(map: RowMap, range: { from: number; to: number }, unit: number): Tick[] {
  const ticks: Tick[] = [];
  let next = Math.max(0, range.from);
  while (next < range.to && next < map.rows && ticks.length < 100) {
    let message = map.messageAt(Math.floor(next));
    if (map.header(message) < next) message++;
    if (message >= map.messages || map.header(message) > range.to) break;
    const at = map.header(message);
    ticks.push({ at, label: `message ${message}` });
    next = at + Math.max(1, ROOM * unit);
  }
  return ticks;
}

/** A time since the beginning, as exact as the steps are: `2.5 s`, `1 min 30 s`, `8 h`. */
function elapsed(ms: number, step: number, most = 3): string {
  if (ms === 0) return "0 s";
  if (ms < MINUTE) {
    const digits = step >= SECOND ? 0 : step >= 100 ? 1 : step >= 10 ? 2 : 3;
    return `${(ms / SECOND).toFixed(digits)} s`;
  }
  const units: [number, string][] = [
    [DAY, "d"],
    [HOUR, "h"],
    [MINUTE, "min"],
    [SECOND, "s"],
  ];
  const words: string[] = [];
  let rest = Math.round(ms);
  for (const [size, name] of units) {
    const whole = Math.floor(rest / size);
    if (whole > 0) words.push(`${whole} ${name}`);
    rest -= whole * size;
  }
  if (step < SECOND && rest > 0) words.push(`${rest} ms`);
  return words.slice(0, most).join(" ");
}
