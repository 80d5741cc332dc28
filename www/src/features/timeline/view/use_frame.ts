import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useViewer } from "../../../core/page/hooks";
import { forgetColours } from "./paint";

/** Draws when the page's state or the timeline's has changed, once a frame, and with the colours now in use. */
export function useFrame(draw: () => void): void {
  const viewer = useViewer();
  const latest = useRef(draw);
  latest.current = draw;
  const schedule = useRef(() => {});
  useEffect(() => {
    let frame = 0;
    schedule.current = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        latest.current();
      });
    };
    const recolour = () => {
      forgetColours();
      schedule.current();
    };
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", recolour);
    const changed = () => schedule.current();
    const stops = [viewer.store.watch(changed), viewer.timeline.store.watch(changed)];
    return () => {
      cancelAnimationFrame(frame);
      dark.removeEventListener("change", recolour);
      for (const stop of stops) stop();
    };
  }, [viewer]);
  useEffect(() => schedule.current());
}

/** An element's width in whole pixels, kept up with. */
export function useWidth<E extends HTMLElement>() {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => setWidth(Math.floor(current.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return { element, width };
}
