import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { VirtualRows } from "./virtual_rows";

interface RovingOptions {
  items: { index: number }[];
  virtualizer: VirtualRows;
  count: number;
  /** The item that Tab comes to first, where it is drawn. */
  start: number;
  /** Items that are only headings are passed over. */
  isStop?: (index: number) => boolean;
}

/** Of the element around the items; each that can take the focus has its number as `data-roving`. */
interface Roving {
  /** The one item with `tabIndex` 0. */
  stop: number;
  onKeyDown: (event: KeyboardEvent) => void;
  onFocusIn: (event: FocusEvent) => void;
  onFocusOut: (event: FocusEvent & { currentTarget: EventTarget }) => void;
}

/** A virtual list as one stop for the Tab key, in which the arrows, Home and End move. */
export function useRoving(
  scroller: RefObject<HTMLElement | null>,
  { items, virtualizer, count, start, isStop = () => true }: RovingOptions,
): Roving {
  const [at, setAt] = useState<number>();
  /** The item that takes the focus once it is drawn. */
  const wanted = useRef<number | undefined>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    const item = scroller.current?.querySelector<HTMLElement>(`[data-roving="${wanted.current}"]`);
    if (!item) return;
    wanted.current = undefined;
    item.focus({ preventScroll: true });
  });
  const drawn = new Set(items.map(({ index }) => index).filter(isStop));
  const first = virtualizer.range?.startIndex ?? 0;
  const inView = [...drawn].find((index) => index >= first) ?? -1;
  const stop = [at, start].find((index) => index !== undefined && drawn.has(index)) ?? inView;
  return {
    stop,
    onKeyDown(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const here = indexOf(event.target);
      if (here < 0) return;
      const next = target(event.key, here, count, isStop);
      if (next === undefined) return;
      event.preventDefault();
      if (next < 0) return;
      wanted.current = next;
      setAt(next);
      virtualizer.scrollToIndex(next, { align: "auto" });
    },
    onFocusIn(event) {
      const here = indexOf(event.target);
      if (here >= 0) setAt(here);
    },
    onFocusOut(event) {
      const { currentTarget, relatedTarget } = event;
      const isInside =
        currentTarget instanceof Element &&
        relatedTarget instanceof Element &&
        currentTarget.contains(relatedTarget);
      // The item that was left may scroll away; who comes back begins where the page is then.
      if (!isInside && wanted.current === undefined) setAt(undefined);
    },
  };
}

/** The item that a key leads to; undefined for other keys, -1 where there is none. */
function target(
  key: string,
  here: number,
  count: number,
  isStop: (index: number) => boolean,
): number | undefined {
  const from = { ArrowDown: here, ArrowUp: here, Home: -1, End: count }[key];
  if (from === undefined) return undefined;
  const by = key === "ArrowDown" || key === "Home" ? 1 : -1;
  for (let index = from + by; index >= 0 && index < count; index += by) {
    if (isStop(index)) return index;
  }
  return -1;
}

function indexOf(target: EventTarget | null): number {
  const item = target instanceof Element ? target.closest("[data-roving]") : null;
  return item ? Number(item.getAttribute("data-roving")) : -1;
}
