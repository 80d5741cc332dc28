import { RANK_ERROR, RANK_SPAN, RANKS } from "./ranks";
import type { Timeline } from "./timeline";

/** What each pixel of each lane shows. */
export interface Bins {
  width: number;
  lanes: number;
  /** The highest rank in a pixel; lane by lane, `width` each. */
  ranks: Uint8Array;
  marks: Uint8Array;
}

/**
 * Puts a range of the timeline into pixels. Every part costs the same however wide it is: only its
 * two edges are noted, and summed up at the end. `merged` lays all lanes over each other.
 */
export function bin(
  timeline: Timeline,
  range: { from: number; to: number },
  width: number,
  merged = false,
): Bins {
  const { map, laneOf, messageFrom, messageTo, messageMarks, from, to, ranks, marks } = timeline;
  const lanes = merged ? 1 : timeline.lanes.length;
  const stride = width + 1;
  const edges = new Int32Array(lanes * RANKS * stride);
  const bins = { width, lanes, ...fresh(lanes * width) };
  const scale = width / Math.max(Number.MIN_VALUE, range.to - range.from);
  const pixel = (place: number) =>
    Math.min(width - 1, Math.max(0, Math.floor((place - range.from) * scale)));

  const bar = (lane: number, rank: number, begin: number, end: number) => {
    const left = pixel(begin);
    // A bar that ends where a pixel begins is not in that pixel.
    const right = Math.max(left, Math.ceil((Math.min(end, range.to) - range.from) * scale) - 1);
    const base = (lane * RANKS + rank) * stride;
    edges[base + left] = (edges[base + left] ?? 0) + 1;
    edges[base + right + 1] = (edges[base + right + 1] ?? 0) - 1;
  };
  const mark = (lane: number, what: number, place: number) => {
    if (place < range.from || place > range.to) return;
    const at = lane * width + pixel(place);
    bins.marks[at] = (bins.marks[at] ?? 0) | what;
  };

  for (let message = 0; message < map.messages; message++) {
    const begin = messageFrom[message] ?? 0;
    const end = messageTo[message] ?? 0;
    if (end < range.from || begin > range.to) continue;
    const lane = merged ? 0 : (laneOf[message] ?? 0);
    bar(lane, RANK_SPAN, begin, end);
    if (timeline.hasError(message) && end <= range.to) bar(lane, RANK_ERROR, end, end);
    const what = messageMarks[message] ?? 0;
    if (what !== 0) mark(lane, what, begin);
    const last = map.firstPart[message + 1] ?? 0;
    for (let part = map.firstPart[message] ?? 0; part < last; part++) {
      const rank = ranks[part] ?? 0;
      const left = from[part] ?? 0;
      const right = to[part] ?? 0;
      if (right < range.from || left > range.to) continue;
      if (rank > RANK_SPAN) bar(lane, rank, left, right);
      const also = marks[part] ?? 0;
      if (also !== 0) mark(lane, also, left);
    }
  }
  for (const track of timeline.tracks) {
    track.ranks.forEach((rank, i) => {
      const left = track.from[i] ?? 0;
      const right = track.to[i] ?? 0;
      if (right < range.from || left > range.to) return;
      bar(merged ? 0 : track.lane, rank, left, right);
    });
  }
  sumUp(edges, bins);
  return bins;
}

/** The pixels that contain a row of a list. */
export function binRows(
  timeline: Timeline,
  rows: Uint32Array,
  range: { from: number; to: number },
  width: number,
): Uint8Array {
  const pixels = new Uint8Array(width);
  const scale = width / Math.max(Number.MIN_VALUE, range.to - range.from);
  for (const row of rows) {
    if (row >= timeline.map.rows) continue;
    const { from } = timeline.span(row);
    if (from < range.from || from > range.to) continue;
    pixels[Math.min(width - 1, Math.floor((from - range.from) * scale))] = 1;
  }
  return pixels;
}

function fresh(size: number): { ranks: Uint8Array; marks: Uint8Array } {
  return { ranks: new Uint8Array(size), marks: new Uint8Array(size) };
}

function sumUp(edges: Int32Array, { lanes, width, ranks }: Bins): void {
  for (let lane = 0; lane < lanes; lane++) {
    for (let rank = RANK_SPAN; rank < RANKS; rank++) {
      const base = (lane * RANKS + rank) * (width + 1);
      let open = 0;
      for (let x = 0; x < width; x++) {
        open += edges[base + x] ?? 0;
        if (open > 0) ranks[lane * width + x] = rank;
      }
    }
  }
}
