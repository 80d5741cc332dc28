import { useRef, useState } from "preact/hooks";
import { useViewer } from "../../../core/page/hooks";
import type { OpenDocument } from "../../../core/store/document";
import { duration } from "../../../ui/format";
import { TOUCH, useMedia } from "../../../ui/media";
import { bin, binRows } from "../model/bins";
import type { Timeline } from "../model/timeline";
import type { Range, TimelineState } from "../store";
import { CachedPicture, paintMinimap, paintSelected, paintView, prepare } from "./paint";
import { cached, loopSpans, spansOf } from "./timeline_spans";
import { useFrame, useWidth } from "./use_frame";

const HEIGHT = 24;
const TOUCHED = 44;
/** How near to an edge of the brush one takes hold of it, in pixels. */
const GRIP = 6;

/** The whole at a glance, with a brush over what the lanes show. */
export function Minimap({ doc, timeline }: { doc: OpenDocument; timeline: Timeline | undefined }) {
  const viewer = useViewer();
  const state = viewer.timeline;
  const tall = useMedia(TOUCH) ? TOUCHED : HEIGHT;
  const canvas = useRef<HTMLCanvasElement>(null);
  const { element, width } = useWidth<HTMLDivElement>();
  const binsOf = useRef(cached(bin)).current;
  const loopsOf = useRef(cached(loopSpans)).current;
  const hitsOf = useRef(cached(binRows)).current;
  const wholeOf = useRef(cached((length: number): Range => ({ from: 0, to: length }))).current;
  const [picture] = useState(() => new CachedPicture());
  // Read here, so that the picture is drawn again when they are known.
  const { loops: seen } = doc;

  useFrame(() => {
    if (!canvas.current || width === 0) return;
    const context = prepare(canvas.current, width, tall);
    if (!context || !timeline) return;
    const whole = wholeOf(timeline.axis.length);
    const bins = binsOf(timeline, whole, width, true);
    const hits = hitsOf(timeline, state.store.get().ticks, whole, width);
    const loops = loopsOf(timeline, seen);
    const spans = spansOf(timeline, state, viewer.store.get().selected);
    paintView(context, spans, whole, width, tall);
    picture.onto(context, width, tall, [bins, hits, loops], (own) =>
      paintMinimap(own, { bins, whole, height: tall, hits, loops }),
    );
    paintSelected(context, spans, whole, width, tall);
  });

  return (
    <div class="minimap" ref={element}>
      <div class="minimap-picture" aria-hidden="true">
        <canvas ref={canvas} />
      </div>
      {timeline && width > 0 && <Brush timeline={timeline} width={width} />}
    </div>
  );
}

function Brush({ timeline, width }: { timeline: Timeline; width: number }) {
  const state = useViewer().timeline;
  const range = state.store.state.range;
  const { length } = timeline.axis;
  const perPixel = length / width;
  const left = range.from / perPixel;
  const right = Math.max(left + 4, range.to / perPixel);
  const isWhole = range.from <= 0 && range.to >= length;

  const take = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (event.button !== 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    const place = (x: number) => (x - box.left) * perPixel;
    const at = event.clientX - box.left;
    const edge = Math.abs(at - left) <= GRIP ? "from" : Math.abs(at - right) <= GRIP ? "to" : "";
    // Beside the brush: it comes there first, and is then moved.
    if (!edge && (at < left || at > right)) {
      state.moveTo(place(event.clientX) - (range.to - range.from) / 2);
    }
    const { range: held } = state.store.get();
    const begin = place(event.clientX);
    const drag = (move: PointerEvent) => {
      const here = place(move.clientX);
      if (edge === "from") state.show(Math.min(here, held.to), held.to);
      else if (edge === "to") state.show(held.from, Math.max(here, held.from));
      else state.moveTo(held.from + here - begin);
    };
    event.currentTarget.setPointerCapture(event.pointerId);
    follow(event.currentTarget, drag);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the slider inside of it has the keys
    <div
      class="brush-ground"
      onPointerDown={take}
      onDblClick={() => state.fit()}
      data-whole={isWhole ? "true" : undefined}
    >
      <div class="brush-shade" style={{ left: "0", width: `${left}px` }} />
      <div class="brush-shade" style={{ left: `${right}px`, right: "0" }} />
      <div
        class="brush"
        style={{ left: `${left}px`, width: `${right - left}px` }}
        role="slider"
        tabIndex={0}
        aria-label="Visible part of the timeline: arrows move it, plus and minus zoom"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round((range.from + range.to) / 2 / perPixel / (width / 100))}
        aria-valuetext={rangeWords(timeline, range)}
        onKeyDown={(event) => {
          if (event.ctrlKey || event.metaKey || event.altKey) return;
          const run = keys(timeline)[event.key];
          if (!run) return;
          event.preventDefault();
          run(state);
        }}
      >
        <span class="brush-grip" />
        <span class="brush-grip" />
      </div>
    </div>
  );
}

function keys(timeline: Timeline): Record<string, (state: TimelineState) => void> {
  const on = (state: TimelineState) => state.move(0.1);
  const back = (state: TimelineState) => state.move(-0.1);
  const closer = (state: TimelineState) => state.zoom(0.5);
  return {
    ArrowRight: on,
    ArrowUp: on,
    ArrowLeft: back,
    ArrowDown: back,
    PageDown: (state) => state.move(1),
    PageUp: (state) => state.move(-1),
    Home: (state) => state.moveTo(0),
    End: (state) => state.moveTo(timeline.axis.length),
    "+": closer,
    "=": closer,
    "-": (state) => state.zoom(2),
  };
}

/** Calls `move` for the pointer's moves until it is released. */
function follow(element: HTMLElement, move: (event: PointerEvent) => void): void {
  const stop = () => {
    element.removeEventListener("pointermove", move);
    element.removeEventListener("pointerup", stop);
    element.removeEventListener("pointercancel", stop);
  };
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", stop);
  element.addEventListener("pointercancel", stop);
}

function rangeWords({ axis, map }: Timeline, { from, to }: Range): string {
  if (axis.kind === "rows") {
    const last = Math.max(0, Math.ceil(to) - 1);
    return `messages ${map.messageAt(Math.floor(from))} to ${map.messageAt(last)}`;
  }
  const since = (place: number) => duration(axis.value(place) - axis.start);
  return `${since(from)} to ${since(to)} of ${duration(axis.end - axis.start)}`;
}
