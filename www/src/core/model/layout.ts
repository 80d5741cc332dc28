import type { TranscriptLayout } from "apex-parts";

/** What the module knows of every message and part without making objects. */
export type Layout = TranscriptLayout;

/** Codes of `layout().statuses`, of which 0 is no call. */
export const STATUS_PENDING = 1;
export const STATUS_RUNNING = 2;
const STATUS_ERROR = 4;
/** It is completed and has failed. */
const STATUS_FAILED = 5;
/** The viewer's own: the module has it as running, in a stream that cannot hold its result. */
export const STATUS_REQUESTED = 6;
/** The names of these codes. */
export const STATUS_NAMES = [
  "",
  "pending",
  "running",
  "completed",
  "error",
  "failed",
  "requested",
] as const;
/** What `layout().exits` has for a part without an exit code. */
export const NO_EXIT = -(2 ** 31);

/** The statuses of a stream that holds no results: nothing in it runs. */
export function withoutResults(statuses: Uint8Array): Uint8Array {
  return statuses.map((status) => (status === STATUS_RUNNING ? STATUS_REQUESTED : status));
}

/** Did a call with this code of `layout().statuses` end badly? */
export function endedBadly(status: number | undefined): boolean {
  return status === STATUS_ERROR || status === STATUS_FAILED;
}

/** How many calls failed, as the core's summary counts them. */
export function failedCalls({ statuses }: Layout): number {
  return statuses.reduce((sum, status) => sum + (endedBadly(status) ? 1 : 0), 0);
}

/** Does a message with these bits of `layout().flags` have an error of its own? */
export function hasError(flags: number | undefined): boolean {
  return ((flags ?? 0) & FLAG_ERROR) !== 0;
}

/** `completed`, `failed (exit 101)`: how the call at this place among all parts stands. */
export function statusWords({ statuses, exits }: Layout, part: number): string {
  const exit = exits[part] ?? NO_EXIT;
  return endWords(STATUS_NAMES[statuses[part] ?? 0] ?? "", exit === NO_EXIT ? undefined : exit);
}

/** A status with the exit code, where the call ended badly and has one. */
export function endWords(status: string, exit: number | undefined): string {
  const isBad = status === "failed" || status === "error";
  return isBad && exit !== undefined && exit !== 0 ? `${status} (exit ${exit})` : status;
}
/** One of the codes of `layout().roles`. */
export const ROLE_USER = 1;
/** Bits of `layout().flags`. */
export const FLAG_ERROR = 1;
export const FLAG_SUMMARY = 2;
