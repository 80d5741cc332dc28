import type { LongText, TextField } from "../../ui/values";
import type { Layout } from "../model/layout";
import { LayoutChanges } from "../model/layout_changes";
import type { Growth } from "../model/overview";
import type { RowMap } from "../model/row_map";
import type { Row } from "../model/rows";
import type { OpenTranscript } from "./open_transcript";

/** Makes rows out of the messages of a transcript (row_maker.ts). */
export interface Rows {
  readonly map: RowMap;
  /** What two states of a transcript are compared by, to find the rows that they share. */
  readonly shape: { layout: Layout; map: RowMap };
  rows(start: number, end: number): Row[];
  at(row: number): Row;
  text(row: number, field: TextField, start: number, end: number): string;
  markdown(row: number, limit: number): { html: string; text: LongText };
}

/** The transcript that is shown, for the features of the worker that read or replace it. */
export interface CurrentTranscript {
  readonly open: OpenTranscript | undefined;
  readonly maker: Rows | undefined;
  /** Rows, details and texts are of this transcript from now on. */
  show(open: OpenTranscript): Rows;
}

/** How many rows at the end are sent with a growth if they changed. */
const TAIL = 40;

/** The differences between two states of a transcript, for the page. */
export function growth(before: Rows | undefined, after: Rows, facts: Growth["facts"]): Growth {
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
