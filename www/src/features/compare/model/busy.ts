import type { Layout } from "../../transcript/model/layout";

const ASSISTANT = 2;
/** Calls of these tools wait for a person. */
const WAITING: ReadonlySet<string> = new Set(["question", "ask", "askuserquestion"]);

type Interval = [start: number, end: number];

/**
 * The time in ms in which the model or a tool was at work, whatever ran at once counted once; undefined
 * where no message and no call says when it began and ended.
 */
export function busyTime(layout: Layout): number | undefined {
  const { roles, created, completed, starts, ends, tools, toolNames } = layout;
  const work: Interval[] = [];
  const waits: Interval[] = [];
  roles.forEach((role, message) => {
    if (role === ASSISTANT) add(work, created[message], completed[message]);
  });
  tools.forEach((tool, part) => {
    if (tool === 0) return;
    const isWait = WAITING.has((toolNames[tool - 1] ?? "").toLowerCase());
    add(isWait ? waits : work, starts[part], ends[part]);
  });
  if (work.length === 0) return undefined;
  return length([...work, ...waits]) - length(waits);
}

function add(intervals: Interval[], start = Number.NaN, end = Number.NaN): void {
  if (end >= start) intervals.push([start, end]);
}

/** Of all together, overlaps counted once. */
function length(intervals: Interval[]): number {
  let sum = 0;
  let reached = Number.NEGATIVE_INFINITY;
  for (const [start, end] of intervals.sort((a, b) => a[0] - b[0])) {
    if (end <= reached) continue;
    sum += end - Math.max(start, reached);
    reached = end;
  }
  return sum;
}
