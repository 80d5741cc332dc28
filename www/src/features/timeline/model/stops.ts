import { RANK_SPAN } from "./ranks";
import { MARK_USER, type Timeline } from "./timeline";

/** Is there something of its own at this place in its lane: a user's word, an error, a call, a text? */
function isStop(timeline: Timeline, message: number, part: number): boolean {
  if (part >= 0) {
    return (timeline.ranks[(timeline.map.firstPart[message] ?? 0) + part] ?? 0) > RANK_SPAN;
  }
  return ((timeline.messageMarks[message] ?? 0) & MARK_USER) !== 0 || timeline.hasError(message);
}

/** The next row in a direction that has something of its own in a lane; -1 where there is none. */
export function nextStop(timeline: Timeline, lane: number, row: number, by: 1 | -1): number {
  const { map, laneOf } = timeline;
  const { rows, messages } = map;
  let { message, part } =
    row < 0
      ? { message: -1, part: 0 }
      : row >= rows
        ? { message: messages, part: -1 }
        : map.place(row);
  for (;;) {
    const isIn = message >= 0 && message < messages && laneOf[message] === lane;
    part += by;
    if (!isIn || part < -1 || part >= map.parts(message)) {
      message += by;
      if (message < 0 || message >= messages) return -1;
      part = by === 1 ? -2 : map.parts(message);
    } else if (isStop(timeline, message, part)) {
      return map.row(message, part);
    }
  }
}

/** The row of the next lane in a direction, of those that have one, that is nearest to a row in time; or -1. */
export function stopInNextLane(timeline: Timeline, lane: number, row: number, by: 1 | -1): number {
  const { from, to } = timeline.span(row);
  const middle = (from + to) / 2;
  for (let other = lane + by; other >= 0 && other < timeline.lanes.length; other += by) {
    const found = nearestStop(timeline, other, middle);
    if (found >= 0) return found;
  }
  return -1;
}

/** The row of a lane that is nearest to a place on the axis; -1 where the lane has none. */
function nearestStop(timeline: Timeline, lane: number, at: number): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (
    let row = nextStop(timeline, lane, -1, 1);
    row >= 0;
    row = nextStop(timeline, lane, row, 1)
  ) {
    const { from, to } = timeline.span(row);
    const away = at < from ? from - at : Math.max(0, at - to);
    if (away >= least) continue;
    least = away;
    best = row;
  }
  return best;
}
