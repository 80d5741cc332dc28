import { TRANSCRIPT_FORMATS } from "apex-parts";
import type { Calls, Desk } from "../../../core/worker/desk";
import { open } from "./opening";
import { rowOfId } from "./row_of_id";

export const transcript = (
  desk: Desk,
): Calls<"open" | "close" | "formats" | "rows" | "text" | "markdown" | "rowOfId"> => ({
  open: (source) => open(desk, source),
  close() {
    desk.turn++;
    desk.leave();
  },
  formats: () => [...TRANSCRIPT_FORMATS],
  rows: (start, end) => desk.rows.rows(start, end),
  text: (row, field, start, end) => desk.rows.text(row, field, start, end),
  markdown: (row, limit) => desk.rows.markdown(row, limit),
  rowOfId: async (id) => {
    await desk.reading;
    const mine = desk.transcript;
    return rowOfId(mine, desk.rows.map, id, () => desk.open === mine);
  },
});
