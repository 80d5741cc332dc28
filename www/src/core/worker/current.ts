import type { RowMaker } from "../../features/transcript/worker/row_maker";
import { LayoutChanges } from "../model/layout_changes";
import type { Growth } from "../model/overview";
import type { Row } from "../model/rows";
import type { OpenTranscript } from "./open_transcript";

/** The transcript that is shown, for the features of the worker that read or replace it. */
export interface CurrentTranscript {
  readonly open: OpenTranscript | undefined;
  readonly maker: RowMaker | undefined;
  /** Rows, details and texts are of this transcript from now on. */
  show(open: OpenTranscript): RowMaker;
}

/** How many rows at the end are sent with a growth if they changed. */
const TAIL = 40;

/** The differences between two states of a transcript, for the page. */
export function growth(
  before: RowMaker | undefined,
  after: RowMaker,
  facts: Growth["facts"],
): Growth {
  if (!before) return { facts, from: 0, all: true };
  const changes = new LayoutChanges(before.shape, after.shape);
  const from = changes.first();
  const { map } = after;
  const rows: [number, Row][] = [];
  for (let row = Math.max(map.rows - TAIL, 0); row < map.rows; row++) {
    const { message, part } = map.place(row);
    if (message < from) continue;
    const changed = part < 0 ? changes.message(message) : changes.part(message, part);
    if (changed) rows.push([row, after.at(row)]);
  }
  return { facts, from, rows };
}
