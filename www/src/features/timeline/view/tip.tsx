import { loopName } from "../../../core/model/loops";
import type { OpenDocument } from "../../../core/store/document";
import { preciseClock } from "../../../ui/format";
import type { Timeline } from "../model/timeline";
import { nameOf, notesOf, useObject } from "./words";

interface TipProps {
  doc: OpenDocument;
  timeline: Timeline;
  hover: { at: number; row: number };
  x: number;
  width: number;
}

/** The row under the pointer, what it is about, when it was, and how long it took. */
export function Tip({ doc, timeline, hover, x, width }: TipProps) {
  const { axis } = timeline;
  const isRight = x > width / 2;
  const loops = doc.loopsAt.get(hover.row) ?? [];
  const moment = axis.kind === "time" ? preciseClock(axis.value(hover.at)) : "";
  const object = useObject(doc, hover.row);
  const title = hover.row < 0 ? moment : nameOf(timeline, hover.row);
  if (!title) return null;
  const notes = hover.row < 0 ? [] : notesOf(timeline, hover.row);
  return (
    <div
      class="timeline-tip"
      style={{ transform: `translateX(${Math.round(x)}px) translateX(${isRight ? "-100%" : "0"})` }}
    >
      <strong>{title}</strong>
      {object && <span class="timeline-object">{object}</span>}
      {notes.length > 0 && <span>{notes.join(" · ")}</span>}
      {loops.map((loop) => (
        <span key={`${loop.kind} ${loop.action} ${loop.rows[0]}`} class={`loop-${loop.action}`}>
          {loopName(loop)}. {loop.message}
        </span>
      ))}
    </div>
  );
}
