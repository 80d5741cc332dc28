import type { LoopView } from "../../../core/model/loops";
import type { LoopSpan, Timeline } from "../model/timeline";
import type { Range, TimelineState } from "../store";
import type { Spans } from "./paint";

/** Remembers the last result, and computes again only if an argument is another one. */
export function cached<A extends unknown[], R>(compute: (...args: A) => R): (...args: A) => R {
  let before: A | undefined;
  let result: R;
  return (...args) => {
    if (!before || args.some((arg, i) => !Object.is(arg, before?.[i]))) {
      result = compute(...args);
      before = args;
    }
    return result;
  };
}

/** Where the loops are, for those who have to know it at every frame. */
export function loopSpans(timeline: Timeline, loops: LoopView[] | undefined): LoopSpan[] {
  return timeline.loops(loops ?? []);
}

/** Where that is which is in view in the transcript, and what is selected there. */
export function spansOf(timeline: Timeline, state: TimelineState, selected: number): Spans {
  return {
    view: rowsSpan(timeline, state.store.get().view),
    selected: rowsSpan(timeline, { from: selected, to: selected }),
  };
}

/** The span of a range of rows; undefined if there are no such rows. */
function rowsSpan(timeline: Timeline, { from, to }: Range): Range | undefined {
  const { rows } = timeline.map;
  if (from < 0 || from >= rows) return undefined;
  const span = { ...timeline.span(from) };
  // No screen shows more rows; and what is between the first and the last lies between their spans.
  for (let row = from; row <= Math.min(to, rows - 1, from + 200); row++) {
    const next = timeline.span(row);
    // A message is as long as all of its parts, and most of these are not in view.
    const end = timeline.map.partIndex(row) < 0 && from !== to ? next.from : next.to;
    span.from = Math.min(span.from, next.from);
    span.to = row === from ? end : Math.max(span.to, end);
  }
  return span;
}
