import { useMemo, useRef, useState } from "preact/hooks";
import { useViewer } from "../../../core/page/hooks";
import { type Line, pointsOf } from "../model/lines";
import { CachedPicture, type LineColours, paintLine, prepare } from "./paint";
import { useFrame } from "./use_frame";

type PlotKind = "context" | "cost";

const COLOURS: Record<PlotKind, LineColours> = {
  context: { line: "--accent", ground: "--accent-soft" },
  cost: { line: "--text-quiet", ground: "--hover" },
};
/** The highest value stays so far below the top, as a share of it. */
const ROOM = 1.08;

/** A small line under the lanes, along the same axis. */
export function Plot({ line, width, kind }: { line: Line; width: number; kind: PlotKind }) {
  const { store } = useViewer().timeline;
  const element = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [picture] = useState(() => new CachedPicture());
  const most = useMemo(
    () => line.values.reduce((most, value) => Math.max(most, value), 0) * ROOM || 1,
    [line],
  );
  useFrame(() => {
    if (!canvas.current || !element.current || width === 0) return;
    const { range } = store.get();
    const height = element.current.clientHeight;
    const context = prepare(canvas.current, width, height);
    if (!context) return;
    picture.onto(context, width, height, [line, range], (own) =>
      paintLine(own, pointsOf(line, range), { range, most, width, height }, COLOURS[kind]),
    );
  });
  return (
    <div class="timeline-plot" data-line={kind} ref={element} aria-hidden="true">
      <canvas ref={canvas} />
    </div>
  );
}
