import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { ScrollPlane } from "./scroll_plane";
import { type VirtualOptions, VirtualRows } from "./virtual_rows";

export interface VirtualList {
  items: { index: number; start: number; size: number }[];
  /** Height of the spacer that gives the scroll bar its length. */
  height: number;
  virtualizer: VirtualRows;
  plane: RefObject<ScrollPlane | null>;
}

/** The virtual list of `@tanstack/virtual-core` for Preact, scrolling on a capped plane. */
export function useVirtual(
  scroller: RefObject<HTMLElement | null>,
  options: VirtualOptions,
): VirtualList {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const plane = useRef<ScrollPlane | null>(null);
  const [virtualizer] = useState(
    () =>
      new VirtualRows(
        () => plane.current,
        () => draw(undefined),
      ),
  );
  virtualizer.update(options);

  useLayoutEffect(() => {
    if (!scroller.current) return;
    plane.current = new ScrollPlane(scroller.current, () => draw(undefined));
    const unmount = virtualizer.mount();
    draw(undefined);
    return () => {
      unmount();
      plane.current?.dispose();
      plane.current = null;
    };
  }, [scroller, virtualizer]);
  useEffect(() => virtualizer.drawn());

  const { total } = virtualizer;
  const height = plane.current?.spacer(total) ?? total;
  const shift = plane.current?.shift ?? 0;
  const items = virtualizer.items.map((item) => ({ ...item, start: item.start - shift }));
  return { items, height, virtualizer, plane };
}
