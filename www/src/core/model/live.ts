import type { Growth, Overview } from "./overview";

/** A live transcript of which nothing has come yet. */
export interface LiveBegun {
  stream: number;
  facts: Overview;
  /** Why nothing can come yet, in a sentence. */
  trouble?: string | undefined;
}

/** How a live transcript goes on, or why it does not. */
export type LiveNews =
  | { kind: "grown"; growth: Growth }
  | { kind: "ended"; growth: Growth }
  /** It is asked for again by itself; with what went wrong, where that failed before. */
  | { kind: "lost"; message: string }
  | { kind: "back" }
  | { kind: "broken"; growth: Growth; message: string };
