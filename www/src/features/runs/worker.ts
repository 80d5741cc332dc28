import type { OpenTranscript } from "../../worker/open_transcript";
import type { LoopView } from "../loops/model";
import { endedBadly } from "../transcript/model/layout";
import { facts } from "../transcript/worker/overview";
import type { RunFacts } from "./model";

/** What the list of runs says of a transcript that was read whole. */
export function runFacts(open: OpenTranscript, name: string, loops: LoopView[]): RunFacts {
  const { title, format, model, status, start, cost, steps } = facts(open, name, 0);
  const busy = open.transcript.summary().time?.busy;
  return {
    title,
    format,
    model,
    status,
    ...(start === undefined ? {} : { start }),
    // A file that tells no step tells no cost either.
    ...(cost > 0 || steps > 0 ? { cost } : {}),
    failed: open.layout.statuses.reduce((sum, each) => sum + (endedBadly(each) ? 1 : 0), 0),
    loops: loops.length,
    ...(busy === undefined ? {} : { busy }),
  };
}
