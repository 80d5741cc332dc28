import { ROLE_USER, statusWords } from "../../../core/model/layout";
import { PART_TYPES } from "../../../core/model/parts";
import type { Row } from "../../../core/model/rows";
import type { OpenDocument } from "../../../core/store/document";
import { useAnswer } from "../../../ui/answer";
import { duration, preciseClock } from "../../../ui/format";
import { isTime } from "../model/axis";
import type { Timeline } from "../model/timeline";

/** A pointer that only passes over a call does not ask for it. */
const PAUSE = 40;

/** What the row is: `bash, failed (exit 101)`. */
export function nameOf({ layout, map }: Timeline, row: number): string {
  const part = map.partIndex(row);
  if (part < 0) {
    const { message } = map.place(row);
    return layout.roles[message] === ROLE_USER ? "User" : "Message";
  }
  const type = PART_TYPES[layout.types[part] ?? 255] ?? "custom part";
  if (type !== "tool") return type;
  const name = layout.toolNames[(layout.tools[part] ?? 0) - 1] ?? "tool";
  const status = statusWords(layout, part);
  return status ? `${name}, ${status}` : name;
}

/** Where it is and when it was: `message 1, part 2`, `20:30:00.000`, `1.5 s`. */
export function notesOf(timeline: Timeline, row: number): string[] {
  const { message, part } = timeline.map.place(row);
  const place = part < 0 ? `message ${message}` : `message ${message}, part ${part}`;
  return [place, ...timesOf(timeline, row)];
}

function timesOf({ layout, map }: Timeline, row: number): string[] {
  const part = map.partIndex(row);
  const { message } = map.place(row);
  const start = (part < 0 ? layout.created[message] : layout.starts[part]) ?? Number.NaN;
  const end = (part < 0 ? layout.completed[message] : layout.ends[part]) ?? Number.NaN;
  if (!isTime(start)) return [];
  return isTime(end) ? [preciseClock(start), duration(end - start)] : [preciseClock(start)];
}

/** What a call is about, or the first words of a text; empty until that is known. */
export function useObject(doc: OpenDocument, row: number): string {
  const here = row < 0 ? undefined : doc.rows.get(row);
  const question = row >= 0 && here === undefined ? `${doc.id} ${row}` : undefined;
  // Not by way of the rows in view: those would have to go for it.
  const fetched = useAnswer(question, () => doc.client.call("rows", row, row + 1), PAUSE);
  return objectIn(here ?? (fetched?.question === question ? fetched?.value[0] : undefined));
}

function objectIn(row: Row | undefined): string {
  if (row?.kind !== "part") return "";
  const { view } = row;
  if (view.type === "tool") return view.object ?? "";
  return view.type === "text" || view.type === "reasoning" ? view.first : "";
}
