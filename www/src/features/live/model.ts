import type { Growth, Overview } from "../transcript/model/overview";

/** A live transcript of which nothing has come yet. */
export interface LiveBegun {
  stream: number;
  facts: Overview;
}

/** How a live transcript goes on, or why it does not. */
export type LiveNews =
  | { kind: "grown"; growth: Growth }
  | { kind: "ended"; growth: Growth }
  | { kind: "broken"; growth: Growth; message: string };
