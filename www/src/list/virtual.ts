import { elementScroll, observeElementOffset, Virtualizer } from "@tanstack/virtual-core";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { ScrollPlane } from "./plane";

export interface VirtualOptions {
  count: number;
  /** A first guess; rows are measured once they are drawn. */
  estimate: (index: number) => number;
  overscan?: number;
  paddingEnd?: number;
  /** Room kept above a row that is scrolled to. */
  margin?: number;
  /** What stays with a row when its number changes. */
  keyOf?: (index: number) => number;
}

export interface VirtualList {
  items: { index: number; start: number; size: number }[];
  /** Height of the spacer that gives the scroll bar its length. */
  height: number;
  virtualizer: Virtualizer<Element, Element>;
  plane: RefObject<ScrollPlane | null>;
}

/** The virtual list of `@tanstack/virtual-core` for Preact, scrolling on a capped plane. */
export function useVirtual(
  scroller: RefObject<HTMLElement | null>,
  options: VirtualOptions,
): VirtualList {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const plane = useRef<ScrollPlane | null>(null);
  const settings = {
    count: options.count,
    estimateSize: options.estimate,
    overscan: options.overscan ?? 6,
    paddingEnd: options.paddingEnd ?? 0,
    ...(options.keyOf ? { getItemKey: options.keyOf } : {}),
    scrollPaddingStart: options.margin ?? 0,
    scrollPaddingEnd: options.margin ?? 0,
    // The plane has what the library reads of an element: see its members.
    getScrollElement: () => plane.current as unknown as Element | null,
    scrollToFn: elementScroll,
    observeElementRect: observeHeight,
    observeElementOffset,
    onChange: () => draw(undefined),
  };
  const [virtualizer] = useState(() => new Virtualizer<Element, Element>(settings));
  virtualizer.setOptions(settings);

  useLayoutEffect(() => {
    if (!scroller.current) return;
    plane.current = new ScrollPlane(scroller.current, () => draw(undefined));
    const unmount = virtualizer._didMount();
    virtualizer._willUpdate();
    draw(undefined);
    return () => {
      unmount();
      plane.current?.dispose();
      plane.current = null;
    };
  }, [scroller, virtualizer]);
  useEffect(() => virtualizer._willUpdate());

  const total = virtualizer.getTotalSize();
  const height = plane.current?.spacer(total) ?? total;
  const shift = plane.current?.shift ?? 0;
  const items = virtualizer
    .getVirtualItems()
    .map(({ index, start, size }) => ({ index, start: start - shift, size }));
  return { items, height, virtualizer, plane };
}

function observeHeight(
  instance: Virtualizer<Element, Element>,
  report: (rect: { width: number; height: number }) => void,
): () => void {
  const { element } = instance.scrollElement as unknown as ScrollPlane;
  const measure = () => report({ width: element.clientWidth, height: element.clientHeight });
  measure();
  const observer = new ResizeObserver(measure);
  observer.observe(element);
  return () => observer.disconnect();
}
