import type { Feature } from "../../core/page/feature";
import type { BreakdownLine, Division, RangeSums } from "./model";
import { Breakdown } from "./view";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** Where time and money went; it sums the transcript up first, if that has not been done. */
    breakdown(by: Division): BreakdownLine[];
    /** The sums of a stretch of time, in milliseconds since the Unix epoch. */
    rangeSums(start: number, end: number): RangeSums;
  }
}

/** Where calls, time, tokens and cost went: a table in the summary. */
export const breakdown = {
  slots: { spent: Breakdown },
} satisfies Feature;
