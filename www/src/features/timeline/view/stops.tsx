import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { usePage, useViewer } from "../../../core/page/hooks";
import type { OpenDocument } from "../../../core/store/document";
import { agentName } from "../../../ui/agents";
import { nextStop, stopInNextLane } from "../model/stops";
import type { Timeline } from "../model/timeline";
import { nameOf, notesOf, useObject } from "./words";

/** What has the focus is at least so wide, in pixels. */
const LEAST = 8;

interface LaneStopsProps {
  doc: OpenDocument;
  timeline: Timeline;
  width: number;
}

/**
 * The lanes for the keyboard: one stop for the Tab key. The arrows move along a lane and between lanes, Home and
 * End to its ends; Enter selects what has the focus in the transcript.
 */
export function LaneStops({ doc, timeline, width }: LaneStopsProps) {
  const viewer = useViewer();
  const state = viewer.timeline;
  const { range } = state.store.state;
  const { selected, current } = usePage();
  const element = useRef<HTMLDivElement>(null);
  const [moved, setMoved] = useState(-1);
  const takesFocus = useRef(false);
  const row = stopOf(timeline, moved, selected, current);
  const object = useObject(doc, row);
  useLayoutEffect(() => {
    if (takesFocus.current) element.current?.focus({ preventScroll: true });
    takesFocus.current = false;
  }, [row]);
  if (row < 0 || width === 0) return null;
  const lane = timeline.laneOf[timeline.map.messageAt(row)] ?? 0;
  const span = timeline.span(row);
  const x = (at: number) => ((at - range.from) / (range.to - range.from)) * width;
  const left = Math.min(Math.max(0, x(span.from)), width - LEAST);
  const right = Math.min(width, Math.max(x(span.to), left + LEAST));
  const words = [nameOf(timeline, row), ...(object ? [object] : []), ...notesOf(timeline, row)];

  const point = (at: number) => {
    const { from, to } = timeline.span(at);
    const inLane = timeline.laneOf[timeline.map.messageAt(at)] ?? 0;
    state.show(...inSight(state.store.get().range, from, to));
    state.store.set({
      hover: { at: (from + Math.min(to, from + range.to - range.from)) / 2, lane: inLane, row: at },
    });
  };
  const move = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const next = target(event.key, timeline, lane, row);
    if (next === undefined) return;
    event.preventDefault();
    if (next < 0 || next === row) return;
    takesFocus.current = true;
    setMoved(next);
    point(next);
  };

  return (
    <div
      class="timeline-stops"
      data-crowded={timeline.lanes.length > 3 ? "true" : undefined}
      role="listbox"
      aria-label="Lanes: left and right move along a lane, up and down between lanes, Enter selects"
    >
      <div
        key={row}
        ref={element}
        class="timeline-stop"
        role="option"
        tabIndex={0}
        aria-selected={row === selected}
        aria-label={`${words.join(", ")}, lane ${agentName(timeline.lanes[lane] ?? "")}`}
        style={{
          "--lane-number": String(lane),
          left: `${left}px`,
          width: `${right - left}px`,
        }}
        onFocus={() => point(row)}
        onBlur={() => state.leave()}
        onKeyDown={(event) => {
          if (event.key !== "Enter" && event.key !== " ") return move(event);
          event.preventDefault();
          viewer.store.set({ pane: "transcript" });
          viewer.select(row, { reveal: true });
        }}
      />
    </div>
  );
}

/** What the Tab key comes to: where one was, else what is selected, else what is in view in the transcript. */
function stopOf(timeline: Timeline, moved: number, selected: number, current: number): number {
  const { map, laneOf } = timeline;
  if (moved >= 0 && moved < map.rows) return moved;
  const from = selected >= 0 && selected < map.rows ? selected : map.header(current);
  const lane = laneOf[map.messageAt(from)] ?? 0;
  const next = nextStop(timeline, lane, from - 1, 1);
  return next >= 0 ? next : nextStop(timeline, lane, from, -1);
}

function target(key: string, timeline: Timeline, lane: number, row: number): number | undefined {
  switch (key) {
    case "ArrowRight":
      return nextStop(timeline, lane, row, 1);
    case "ArrowLeft":
      return nextStop(timeline, lane, row, -1);
    case "ArrowDown":
      return stopInNextLane(timeline, lane, row, 1);
    case "ArrowUp":
      return stopInNextLane(timeline, lane, row, -1);
    case "Home":
      return nextStop(timeline, lane, -1, 1);
    case "End":
      return nextStop(timeline, lane, timeline.map.rows, -1);
    default:
      return undefined;
  }
}

/** The range that shows a span: the one that is shown, where it does already. */
function inSight(range: { from: number; to: number }, from: number, to: number): [number, number] {
  if (to >= range.from && from <= range.to) return [range.from, range.to];
  const width = range.to - range.from;
  const start = (from + Math.min(to, from + width)) / 2 - width / 2;
  return [start, start + width];
}
