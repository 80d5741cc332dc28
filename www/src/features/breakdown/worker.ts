import { label } from "../../worker/fields";
import type { OpenTranscript } from "../../worker/open_transcript";
import type { RowMap } from "../transcript/model/row_map";
import type { BreakdownLine, Division } from "./model";

/** Where time and money went in the open transcript, which has been summed up. */
export function breakdown(
  { transcript }: OpenTranscript,
  map: RowMap,
  by: Division,
): BreakdownLine[] {
  return transcript.breakdown(by).map(({ name, message, calls, failed, ms, tokens, cost }) => ({
    name: message === undefined ? label(name) : `message ${message}`,
    row: message === undefined ? -1 : map.row(message),
    calls,
    failed,
    ms,
    tokens,
    cost,
  }));
}
