import { pause } from "../../../core/worker/pause";
import type { Recording } from "../model";
import { readEvent } from "./event_record";
import type { RecordedEvents } from "./recorded_events";

/** Other calls are answered at least this often, in ms. */
const SLICE = 15;
/** Pauses are played no longer than this, in ms. */
const LONGEST_PAUSE = 2000;
/** Where the events carry no times, or all the same, each is played for this long. */
const EACH = 50;
/** Times are near the beginning or the end of an event: only this many characters of each are searched. */
const LOOKED_AT = 4096;
/** More kinds than these share the last name. */
const KINDS = 500;
const OTHERS = "other";

/** Reads every event once: when it came, and of what kind it is. */
export async function eventColumns(
  events: RecordedEvents,
  isWanted: () => boolean,
): Promise<Recording | undefined> {
  const times = new Float64Array(events.count);
  const kinds = new Uint16Array(events.count);
  const names = new Map<string, number>();
  let since = performance.now();
  for (let event = 1; event <= events.count; event++) {
    const said = events.text(event, Number.POSITIVE_INFINITY);
    times[event - 1] = timeIn(edges(said));
    kinds[event - 1] = codeOf(names, readEvent(said).kind);
    if (event % 64 === 0 && performance.now() - since > SLICE) {
      await pause();
      if (!isWanted()) return undefined;
      since = performance.now();
    }
  }
  return {
    ...played(times),
    ends: events.ends,
    gaps: gapsOf(times),
    kinds,
    kindNames: [...names.keys()],
  };
}

function codeOf(names: Map<string, number>, kind: string): number {
  const known = names.get(kind);
  if (known !== undefined) return known;
  const name = names.size < KINDS ? kind : OTHERS;
  const code = names.get(name) ?? names.size;
  names.set(name, code);
  return code;
}

function edges(said: string): string {
  if (said.length <= 2 * LOOKED_AT) return said;
  return said.slice(0, LOOKED_AT) + said.slice(-LOOKED_AT);
}

/** In JSON inside of a string the quotes are escaped: only fields of the record are found. */
const TIMES =
  /"(?:time|timestamp|created|updated|start|end|completed)":\s*(?:(\d{12,14})\b|"(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d))")/g;

/** The latest of the times in an event, that at which it came; NaN where there is none. */
function timeIn(text: string): number {
  let latest = Number.NaN;
  for (const [, ms, date] of text.matchAll(TIMES)) {
    const time = ms ? Number(ms) : Date.parse(date ?? "");
    if (time >= 0 && !(time < latest)) latest = time;
  }
  return latest;
}

/**
 * The time since the latest one before. An event that carries an older time than that does not say when it
 * came.
 */
function gapsOf(times: Float64Array): Float64Array {
  const latest = risen(times);
  return times.map((time, i) => {
    const gap = time - (latest[i - 1] ?? Number.NaN);
    return gap >= 0 ? gap : Number.NaN;
  });
}

/** From times to moments: pauses are cut short, and events of one time are spread up to the next. */
function played(given: Float64Array): Pick<Recording, "moments" | "real"> {
  const times = risen(given);
  const moments = new Float64Array(times.length);
  const distinct = new Set(times);
  distinct.delete(Number.NaN);
  if (distinct.size < 2) return { moments: moments.map((_, i) => (i + 1) * EACH), real: false };
  let at = 0;
  for (let first = 0; first < times.length; ) {
    let next = first + 1;
    while (next < times.length && Object.is(times[next], times[first])) next++;
    const gap = (times[next] ?? Number.NaN) - (times[first] ?? Number.NaN);
    const length = Math.min(Number.isNaN(gap) ? (next - first) * EACH : gap, LONGEST_PAUSE);
    for (let i = first; i < next; i++) moments[i] = at + (length * (i - first)) / (next - first);
    at += length;
    first = next;
  }
  return { moments, real: true };
}

/** Each with the latest time up to it. */
function risen(times: Float64Array): Float64Array {
  let last = Number.NaN;
  return times.map((time) => {
    if (!Number.isNaN(time) && !(time < last)) last = time;
    return last;
  });
}
