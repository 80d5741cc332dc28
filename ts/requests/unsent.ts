// Of what nothing is sent.
import { isObject } from "../tools/boundary.ts";

export const isBlank = (text: string): boolean => !/\S/.test(text);

/** Parts of which a provider gets nothing. */
const UNSENT: Set<string> = new Set([
  "step-start",
  "step-finish",
  "snapshot",
  "patch",
  "retry",
  "agent",
]);
export const isUnsent = (type: string): boolean => UNSENT.has(type);

/** Whether the output of a call was cleared. */
export const isCleared = (state: unknown): boolean =>
  isObject(state) && isObject(state.time) && Number.isFinite(state.time.compacted);
