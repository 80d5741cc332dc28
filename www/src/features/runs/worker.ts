import type { OpenTranscript } from "../../worker/open_transcript";
import type { LoopView } from "../loops/model";
import { STATUS_ERROR } from "../transcript/model/layout";
import { facts } from "../transcript/worker/overview";
import type { RunFacts } from "./model";

/** What the list of runs says of a transcript that was read whole. */
export function runFacts(open: OpenTranscript, name: string, loops: LoopView[]): RunFacts {
  const { title, format, model, status, start, cost, steps } = facts(open, name, 0);
  const busy = busyTime(open);
  return {
    title,
    format,
    model,
    status,
    ...(start === undefined ? {} : { start }),
    // A file that tells no step tells no cost either.
    ...(cost > 0 || steps > 0 ? { cost } : {}),
    failed: open.layout.statuses.reduce((sum, each) => sum + (each === STATUS_ERROR ? 1 : 0), 0),
    loops: loops.length,
    ...(busy === undefined ? {} : { busy }),
  };
}

/** How long a model or a tool was at work: what overlaps counts once, what lies between does not. */
function busyTime(open: OpenTranscript): number | undefined {
  const { starts, ends, created, completed, roles } = open.whole();
  const spans: [number, number][] = [];
  const add = (from: number | undefined, to: number | undefined) => {
    if (from !== undefined && to !== undefined && from > 0 && to >= from) spans.push([from, to]);
  };
  for (let part = 0; part < starts.length; part++) add(starts[part], ends[part]);
  for (let message = 0; message < roles.length; message++) {
    add(created[message], completed[message]);
  }
  if (spans.length === 0) return undefined;
  spans.sort(([a], [b]) => a - b);
  let busy = 0;
  let end = 0;
  for (const [from, to] of spans) {
    busy += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return busy;
}
