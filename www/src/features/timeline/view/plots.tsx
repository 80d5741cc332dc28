import { useEffect, useRef, useState } from "preact/hooks";
import { useViewer } from "../../../app/hooks";
import type { Line } from "../model/lines";
import type { Plot, PlotKind } from "./plot";
import { useFrame } from "./use_frame";

/** A small line under the lanes. What draws it is loaded once there is one to be drawn. */
export function PlotSlot({ line, width, kind }: { line: Line; width: number; kind: PlotKind }) {
  const { store } = useViewer().timeline;
  const element = useRef<HTMLDivElement>(null);
  const [plot, setPlot] = useState<Plot>();
  useEffect(() => {
    let gone = false;
    let made: Plot | undefined;
    void import("./plot").then(
      ({ Plot }) => {
        if (gone || !element.current) return;
        made = new Plot(element.current, kind);
        setPlot(made);
      },
      // The values stand beside it in words.
      (error) => console.error(error),
    );
    return () => {
      gone = true;
      made?.dispose();
    };
  }, [kind]);
  useFrame(() => {
    const { range } = store.get();
    if (plot && width > 0) plot.draw(line, range, width);
  });
  return <div class="timeline-plot" data-line={kind} ref={element} aria-hidden="true" />;
}
