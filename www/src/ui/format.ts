/** Numbers and times as people read them; those that the command prints too are its own. */
export {
  bytes,
  changed,
  count,
  dollars as cost,
  duration,
  modelWords,
  plural as one,
} from "../../../ts/cli/units.ts";

/** 7,260 becomes 7.3k: for places where the exact number is in the tooltip. */
export function brief(value: number): string {
  if (value < 1000) return String(value);
  if (value < 1_000_000) return `${(value / 1000).toFixed(value < 10_000 ? 1 : 0)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

const CLOCK = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});
const FULL = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

/** Times far outside the calendar come out of broken files; they are shown as the number they are. */
function valid(ms: number): boolean {
  return Math.abs(ms) <= 8.64e15;
}

/** Whether a time is one of a clock: times below this count from 0. */
export const isClock = (ms: number): boolean => ms >= 1e10;

export function clock(ms: number): string {
  return valid(ms) ? CLOCK.format(ms) : String(ms);
}

export function preciseClock(ms: number): string {
  if (!valid(ms)) return String(ms);
  const fraction = String(new Date(ms).getMilliseconds()).padStart(3, "0");
  return `${CLOCK.format(ms)}.${fraction}`;
}

export function date(ms: number): string {
  return valid(ms) ? FULL.format(ms) : String(ms);
}

const MINUTE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** For lists, in which seconds only take room. */
export function minute(ms: number): string {
  return valid(ms) ? MINUTE.format(ms) : String(ms);
}

/** A path as its folder and its last part. */
export function splitPath(path: string): [folder: string, name: string] {
  const cut = path.lastIndexOf("/") + 1;
  return [path.slice(0, cut), path.slice(cut)];
}
