/** Numbers and times as people read them. */

export function duration(ms: number): string {
  // Two times of which one is no real time.
  if (Math.abs(ms) > 8.64e15) return "unknown";
  if (ms < 0) return `−${duration(-ms)}`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 72) return `${hours} h ${minutes % 60} min`;
  return one(Math.round(hours / 24), "day");
}

export function cost(dollars: number): string {
  if (dollars === 0) return "$0";
  return `$${dollars.toFixed(dollars < 0.1 ? 4 : dollars < 10 ? 3 : 2)}`;
}

export function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** 7,260 becomes 7.3k: for places where the exact number is in the tooltip. */
export function brief(value: number): string {
  if (value < 1000) return String(value);
  if (value < 1_000_000) return `${(value / 1000).toFixed(value < 10_000 ? 1 : 0)}k`;
  return `${(value / 1_000_000).toFixed(1)}M`;
}

export function bytes(value: number): string {
  if (value < 1024) return `${value} B`;
  if (value < 1024 ** 2) return `${(value / 1024).toFixed(value < 10_240 ? 1 : 0)} KB`;
  if (value < 1024 ** 3) return `${(value / 1024 ** 2).toFixed(1)} MB`;
  return `${(value / 1024 ** 3).toFixed(1)} GB`;
}

/** `one(2, "line")` is `2 lines`. */
export function one(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
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
