import { useEffect, useRef, useState } from "preact/hooks";
import { useViewer } from "../../../core/page/hooks";
import type { OpenDocument } from "../../../core/store/document";
import { bin } from "../model/bins";
import type { Lines } from "../model/lines";
import { ticksOf } from "../model/ticks";
import type { Timeline } from "../model/timeline";
import { CachedPicture, LABELS, paintLanes, paintSelected, paintSpans, prepare } from "./paint";
import { Plot } from "./plot";
import { LaneStops } from "./stops";
import { TimelineGestures } from "./timeline_gestures";
import { cached, loopSpans, spansOf } from "./timeline_spans";
import { Tip } from "./tip";
import { useFrame, useWidth } from "./use_frame";

interface TimelineLanesProps {
  doc: OpenDocument;
  timeline: Timeline | undefined;
  lines: Lines | undefined;
}

/** The lanes and the lines under them, which share the axis, the pointer and its moves. */
export function TimelineLanes({ doc, timeline, lines }: TimelineLanesProps) {
  const viewer = useViewer();
  const { element, width } = useWidth<HTMLDivElement>();
  const lanes = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const binsOf = useRef(cached(bin)).current;
  const loopsOf = useRef(cached(loopSpans)).current;
  const [picture] = useState(() => new CachedPicture());
  // Read here, so that the picture is drawn again when they are known.
  const { loops: seen } = doc;

  useFrame(() => {
    if (!canvas.current || !lanes.current || width === 0) return;
    const { range } = viewer.timeline.store.get();
    const count = timeline?.lanes.length ?? 1;
    const height = lanes.current.clientHeight;
    const context = prepare(canvas.current, width, height);
    if (!context || !timeline) return;
    const { axis, map } = timeline;
    const bins = binsOf(timeline, range, width);
    const loops = loopsOf(timeline, seen);
    const spans = spansOf(timeline, viewer.timeline, viewer.store.get().selected);
    const below = height - LABELS;
    paintSpans(context, spans, range, width, below);
    picture.onto(context, width, height, [bins, loops], (own) =>
      paintLanes(own, {
        bins,
        range,
        lane: below / count,
        ticks: ticksOf(axis, map, range, width),
        cuts: axis.breaks.map(({ at }) => ({ from: at, to: at + axis.breakWidth })),
        loops,
      }),
    );
    paintSelected(context, spans, range, width, below);
  });

  useEffect(() => {
    if (!element.current || !timeline || width === 0) return;
    const gestures = new TimelineGestures(
      element.current,
      viewer.timeline,
      (row) => viewer.jump(row),
      timeline,
      () => {
        const height = (lanes.current?.clientHeight ?? LABELS) - LABELS;
        return height / timeline.lanes.length;
      },
    );
    return () => gestures.dispose();
  }, [viewer, timeline, element, width]);

  return (
    <div class="timeline-stage" ref={element}>
      <div
        class="timeline-lanes"
        ref={lanes}
        aria-hidden="true"
        data-axis={timeline?.axis.kind}
        data-crowded={(timeline?.lanes.length ?? 1) > 3 ? "true" : undefined}
        style={{ "--lanes": String(timeline?.lanes.length ?? 1) }}
      >
        <canvas ref={canvas} />
      </div>
      {lines && lines.context.at.length > 0 && (
        <Plot line={lines.context} width={width} kind="context" />
      )}
      {lines && lines.cost.at.length > 0 && <Plot line={lines.cost} width={width} kind="cost" />}
      {timeline && <LaneStops doc={doc} timeline={timeline} width={width} />}
      {timeline && <Chosen width={width} />}
      {timeline && <Cursor doc={doc} timeline={timeline} width={width} />}
    </div>
  );
}

/** The stretch that was chosen for its sums. */
function Chosen({ width }: { width: number }) {
  const { chosen, range } = useViewer().timeline.store.state;
  if (!chosen) return null;
  const x = (at: number) => ((at - range.from) / (range.to - range.from)) * width;
  const [from, to] = [Math.max(0, x(chosen.from)), Math.min(width, x(chosen.to))];
  if (to <= from) return null;
  return (
    <div class="timeline-overlay" aria-hidden="true">
      <div
        class="timeline-chosen"
        style={{ transform: `translateX(${from}px)`, width: `${to - from}px` }}
      />
    </div>
  );
}

/** A line under the pointer, through the lanes and the lines, and what is there. */
function Cursor({
  doc,
  timeline,
  width,
}: {
  doc: OpenDocument;
  timeline: Timeline;
  width: number;
}) {
  const { store } = useViewer().timeline;
  const hover = store.state.hover;
  const range = store.state.range;
  if (!hover) return null;
  const x = ((hover.at - range.from) / (range.to - range.from)) * width;
  return (
    <div class="timeline-overlay" aria-hidden="true">
      <div class="timeline-cursor" style={{ transform: `translateX(${Math.round(x)}px)` }} />
      <Tip doc={doc} timeline={timeline} hover={hover} x={x} width={width} />
    </div>
  );
}
