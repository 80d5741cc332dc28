import type { RowMap } from "../../../core/model/row_map";
import { label } from "../../../core/worker/fields";
import type { OpenTranscript } from "../../../core/worker/open_transcript";
import type { BreakdownLine, Division, RangeSums } from "../model";

const of = (session: string | undefined) => (session === undefined ? "" : ` of ${label(session)}`);

/** Where time and money went in the open transcript, which has been summed up. */
export function breakdown(
  { transcript }: OpenTranscript,
  map: RowMap,
  by: Division,
): BreakdownLine[] {
  const isTimed = (transcript.summary().time?.total ?? 0) > 0;
  return transcript
    .breakdown(by)
    .map(({ name, message, session, calls, failed, ms, tokens, cost }) => ({
      name: message === undefined ? label(name) : `message ${message}${of(session)}`,
      // The rows are those of the main session.
      row: message === undefined || session !== undefined ? -1 : map.row(message),
      calls,
      failed,
      ms: isTimed ? ms : undefined,
      tokens,
      cost,
    }));
}

/** The sums of a stretch of time, in milliseconds since the Unix epoch. */
export function rangeSums(open: OpenTranscript, start: number, end: number): RangeSums {
  const split = open.transcript.timeSplit({ start, end });
  // Where neither the model, a tool nor a person was busy there is nothing to divide.
  const busy = split && split.busy + split.waiting > 0 ? split : undefined;
  const sums: RangeSums = { busy, calls: 0, failed: 0, tokens: undefined, cost: undefined };
  for (const { calls, failed, tokens, cost } of open.transcript.breakdown("agent", {
    start,
    end,
  })) {
    sums.calls += calls;
    sums.failed += failed;
    if (tokens !== undefined) sums.tokens = (sums.tokens ?? 0) + tokens;
    if (cost !== undefined) sums.cost = (sums.cost ?? 0) + cost;
  }
  return sums;
}
