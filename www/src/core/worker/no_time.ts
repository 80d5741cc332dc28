import { number } from "./fields";

/**
 * The time that the module gives to what has none in its file. What has exactly this time has none: nothing
 * that is shown is computed with it.
 */
export const NO_TIME = Date.now();

/** A time in milliseconds; undefined where the file has none. */
export function time(value: unknown): number | undefined {
  const ms = number(value);
  return ms === NO_TIME ? undefined : ms;
}

/** Takes the times out of a column that no file has. */
export function withoutNoTime(column: Float64Array): void {
  for (let i = 0; i < column.length; i++) if (column[i] === NO_TIME) column[i] = Number.NaN;
}
