import type { TimeSplit } from "apex-parts";

/** What sums are taken by. */
export const DIVISIONS = ["tool", "step", "model", "agent", "file"] as const;
export type Division = (typeof DIVISIONS)[number];

/** The sums of a tool, step, model, agent or file. What is not known is undefined. */
export interface BreakdownLine {
  name: string;
  /** The row of a step's message; -1 of everything else. */
  row: number;
  calls: number;
  failed: number;
  ms: number | undefined;
  tokens: number | undefined;
  cost: number | undefined;
}

/** The sums of a stretch of time. What is not known is undefined. */
export interface RangeSums {
  /** Undefined where nothing ran. */
  busy: TimeSplit | undefined;
  calls: number;
  failed: number;
  tokens: number | undefined;
  cost: number | undefined;
}

/** The columns by which a table can be sorted. */
export const COLUMNS = ["calls", "failed", "ms", "tokens", "cost"] as const;
export type BreakdownColumn = (typeof COLUMNS)[number];

/** The lines with the most in a column first; what is not known is last. */
export function sorted(lines: BreakdownLine[], column: BreakdownColumn): BreakdownLine[] {
  const value = (line: BreakdownLine) => line[column] ?? -1;
  return [...lines].sort((a, b) => value(b) - value(a));
}
