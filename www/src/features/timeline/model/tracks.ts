import type { Axis } from "./axis";
import { MOST_LANES } from "./lanes";

/** The session of a task, drawn beside the one that is shown, whose agent gave the task. */
export interface Track {
  agent: string;
  /** The row of the call that started it, or -1. */
  row: number;
  calls: number;
  /** How many of them failed. */
  failed: number;
  /** Times of its bars; an end that is `NaN` is still open. */
  starts: Float64Array;
  ends: Float64Array;
  ranks: Uint8Array;
}

/** The same with places on the axis. */
export interface PlacedTrack {
  lane: number;
  row: number;
  from: Float64Array;
  to: Float64Array;
  ranks: Uint8Array;
}

/** The lane of each track: that of its agent's name, or a new one while there is room. */
export function lanesOfTracks(tracks: Track[], lanes: string[]): number[] {
  return tracks.map(({ agent }) => {
    const lane = lanes.indexOf(agent);
    if (lane >= 0) return lane;
    return lanes.length < MOST_LANES ? lanes.push(agent) - 1 : lanes.length - 1;
  });
}

export function placeTrack(track: Track, lane: number, axis: Axis): PlacedTrack {
  const place = (time: number) =>
    Number.isNaN(time) ? axis.length : Math.min(axis.length, Math.max(0, axis.at(time)));
  return {
    lane,
    row: track.row,
    from: track.starts.map(place),
    to: track.ends.map((end, i) => Math.max(place(track.starts[i] ?? 0), place(end))),
    ranks: track.ranks,
  };
}
