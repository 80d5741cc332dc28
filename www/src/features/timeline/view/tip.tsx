import { duration, preciseClock } from "../../../ui/format";
import { loopName } from "../../loops/view";
import { PART_TYPES } from "../../parts/model";
import { ROLE_USER, statusWords } from "../../transcript/model/layout";
import type { OpenDocument } from "../../transcript/store/document";
import { isTime } from "../model/axis";
import type { Timeline } from "../model/timeline";

interface TipProps {
  doc: OpenDocument;
  timeline: Timeline;
  hover: { at: number; row: number };
  x: number;
  width: number;
}

/** The row under the pointer, when it was, and how long it took. */
export function Tip({ doc, timeline, hover, x, width }: TipProps) {
  const { axis } = timeline;
  const isRight = x > width / 2;
  const loops = doc.loopsAt.get(hover.row) ?? [];
  const moment = axis.kind === "time" ? preciseClock(axis.value(hover.at)) : "";
  const title = hover.row < 0 ? moment : nameOf(timeline, hover.row);
  if (!title) return null;
  const notes =
    hover.row < 0 ? [] : [placeOf(timeline, hover.row), ...timesOf(timeline, hover.row)];
  return (
    <div
      class="timeline-tip"
      style={{ transform: `translateX(${Math.round(x)}px) translateX(${isRight ? "-100%" : "0"})` }}
    >
      <strong>{title}</strong>
      {notes.length > 0 && <span>{notes.join(" · ")}</span>}
      {loops.map((loop) => (
        <span key={`${loop.kind} ${loop.action} ${loop.rows[0]}`} class={`loop-${loop.action}`}>
          {loopName(loop)}. {loop.message}
        </span>
      ))}
    </div>
  );
}

function nameOf({ layout, map }: Timeline, row: number): string {
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

function placeOf({ map }: Timeline, row: number): string {
  const { message, part } = map.place(row);
  return part < 0 ? `message ${message}` : `message ${message}, part ${part}`;
}

function timesOf({ layout, map }: Timeline, row: number): string[] {
  const part = map.partIndex(row);
  const { message } = map.place(row);
  const start = (part < 0 ? layout.created[message] : layout.starts[part]) ?? Number.NaN;
  const end = (part < 0 ? layout.completed[message] : layout.ends[part]) ?? Number.NaN;
  if (!isTime(start)) return [];
  return isTime(end) ? [preciseClock(start), duration(end - start)] : [preciseClock(start)];
}
