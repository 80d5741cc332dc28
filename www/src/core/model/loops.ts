import type { LoopKind } from "apex-parts";
import { count } from "../../ui/format";

/** A loop that the detector found, with its rows. */
export interface LoopView {
  kind: LoopKind;
  action: "interrupt" | "warning";
  repeats: number;
  /** What is wrong and what to do about it. */
  message: string;
  /** The rows of its parts, in order; none where it is about no part, or where they are not found. */
  rows: number[];
}

/** What repeats, by the detector's kinds of loops. */
const LOOP_WORDS: Readonly<Record<LoopKind, string>> = {
  exact_repeat: "the same call",
  exact_error: "the same failing call",
  cycle: "the same round of calls",
  interleaved_repeat: "the same call in between",
  same_error: "the same error",
  near_repeat: "nearly the same call",
  stagnation: "the same result",
  no_progress_read: "the same content read",
  duplicate_fanout: "the same call at once",
  chanting: "the same passage",
  monologue: "the same answer",
  repeated_reasoning: "the same reasoning",
  context_loop: "compaction after compaction",
  max_iterations: "very many calls",
};

/** `loop: the same call ×3` */
export function loopName({ kind, repeats }: LoopView): string {
  return `loop: ${LOOP_WORDS[kind]} ×${count(repeats)}`;
}
