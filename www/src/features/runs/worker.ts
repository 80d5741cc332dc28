import type { OpenTranscript } from "../../worker/open_transcript";
import type { LoopView } from "../loops/model";
import type { Query } from "../search/model/query";
import { matchesOf } from "../search/worker/search";
import { endedBadly } from "../transcript/model/layout";
import type { RowMap } from "../transcript/model/row_map";
import { facts } from "../transcript/worker/overview";
import type { RunFacts, RunHits } from "./model";

/** What the list of runs says of a transcript that was read whole. */
export function runFacts(open: OpenTranscript, name: string, loops: LoopView[]): RunFacts {
  const { title, format, model, status, start } = facts(open, name, 0);
  const { cost, time } = open.transcript.summary();
  return {
    title,
    format,
    model,
    status,
    // Formats without times have messages of the beginning of time.
    ...(start === undefined || start === 0 ? {} : { start }),
    ...(cost === undefined ? {} : { cost }),
    failed: open.layout.statuses.reduce((sum, each) => sum + (endedBadly(each) ? 1 : 0), 0),
    loops: loops.length,
    ...(time === undefined || time.total === 0 ? {} : { busy: time.busy }),
  };
}

/** How often a query hits a transcript; undefined where that is not wanted any more. */
export async function runHits(
  open: OpenTranscript,
  map: RowMap,
  query: Query,
  isWanted: () => boolean,
): Promise<RunHits | undefined> {
  const matches = await matchesOf(open, map, query, isWanted);
  return matches && { count: matches.rows.length, capped: matches.capped };
}
