// Numbers, sizes, costs and times as people read them: the same words in the command and in the viewer.

/** `1,234`. Not always by `toLocaleString`, whose first call in a process takes longer than reading most files. */
export const count = (value: number): string =>
  Number.isSafeInteger(value)
    ? String(value).replace(/\B(?=(?:\d{3})+$)/g, ",")
    : value.toLocaleString("en-US");

/** `1 line`, `2,000 lines` */
export const plural = (value: number, noun: string, several = `${noun}s`): string =>
  `${count(value)} ${value === 1 ? noun : several}`;

/** `950 B`, `1.2 kB`, `12.0 MB`: of 1,000 bytes each, with one decimal. */
export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  let [size, unit] = [value / 1000, "kB"];
  for (const next of ["MB", "GB"]) {
    // 999.95 would be written as 1000.0.
    if (size < 999.95) break;
    [size, unit] = [size / 1000, next];
  }
  return `${size.toFixed(1)} ${unit}`;
}

/** `$0.0123`, `$1.234`, `$486.06`; `$0` of nothing. */
export function dollars(amount: number): string {
  if (amount === 0) return "$0";
  return `$${amount.toFixed(amount < 0.1 ? 4 : amount < 10 ? 3 : 2)}`;
}

/** The longest time that a date can have. More is the difference of two times of which one is not real. */
const LONGEST = 8.64e15;

/** `350 ms`, `1.2 s`, `3 min 5 s`, `2 h 4 min`, `5 days`; of a time in milliseconds. */
export function duration(ms: number): string {
  if (Math.abs(ms) > LONGEST) return "unknown";
  if (ms < 0) return `−${duration(-ms)}`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 72 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return plural(Math.round(minutes / 1440), "day");
}

/** `claude-sonnet-4-5 +1`: the model that did the most, and how many others there are; an empty string of none. */
export function modelWords([first = "", ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} +${count(others.length)}`;
}

/** `+1,960 −93`: lines that were added and removed; an empty string where that is not known. */
export function changed({ added, removed }: { added?: number; removed?: number }): string {
  return added === undefined || removed === undefined ? "" : `+${count(added)} −${count(removed)}`;
}
