import type { Row } from "../../core/model/rows";
import type { Feature } from "../../core/page/feature";
import type { LongText, TextField } from "../../ui/values";
import { MessageFacts } from "./view/message";
import { RowContent } from "./view/row";
import { TranscriptPane } from "./view/transcript";

/** What the page can ask of this feature in the worker. */
declare module "../../core/rpc" {
  interface WorkerCalls {
    /** Rows `start` up to, not including, `end`. */
    rows(start: number, end: number): Row[];
    /** A piece of a long text. */
    text(row: number, field: TextField, start: number, end: number): string;
    /** The text of a part as HTML, for up to `limit` units of it. */
    markdown(row: number, limit: number): { html: string; text: LongText };
    /** The row of the part or message with this id, or -1. */
    rowOfId(id: string): number;
  }
}

/** The rows of the open transcript, as a list. */
export const transcript = {
  slots: { row: RowContent, message: MessageFacts },
  panes: { main: { View: TranscriptPane } },
} satisfies Feature;
