/** A loop that the detector found, with its rows. */
export interface LoopView {
  kind: string;
  action: "interrupt" | "warning";
  repeats: number;
  /** What is wrong and what to do about it. */
  message: string;
  /** The rows of its parts, in order; none where it is about no part, or where they are not found. */
  rows: number[];
}
