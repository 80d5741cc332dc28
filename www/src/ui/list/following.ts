import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { VirtualList } from "./virtual";

/** The list stays at its end while the reader is so near to it, in px. */
const NEAR = 30;
/** How long what the reader asked for stays in view, in ms. */
const ASKED = 300;
/** How long rows may still be measured after the list was put back to a place, in ms. */
const SETTLING = 400;

interface Options {
  /** The list may grow. */
  active: boolean;
  /** Another object: it did. */
  version: object;
  /** One of them is another: the reader unfolded something, or asked for a row. */
  touched: readonly object[];
  /** Another object: its end is to be in view. */
  toEnd: object;
  /** A place is kept while this is true, and come back to when it is not any more. */
  away: boolean;
  /** What stays with a row when its number changes, and back. */
  keyOf: (row: number) => number;
  rowOf: (key: number) => number;
  /** Called with whether something was added below what is in view. */
  onBelow: (below: boolean) => void;
}

interface RowPlace {
  key: number;
  /** How far the row's top is above the top of what is in view. */
  above: number;
}

interface FollowingState {
  pinned: boolean;
  top: number;
  version: object;
  toEnd: object;
  /** How far the page itself had scrolled. */
  moved: number;
  touched: readonly object[];
  asked: number;
  place: RowPlace | undefined;
  left: RowPlace | undefined;
  back: { place: RowPlace; until: number } | undefined;
}

/**
 * Keeps the reader where he is while a list grows: at its end, if that is where he was, and else with
 * the same row at the same height. All of it before anything is painted.
 */
export function useFollowing(
  scroller: RefObject<HTMLElement | null>,
  { virtualizer, plane }: VirtualList,
  options: Options,
): void {
  const { active, version, toEnd, away } = options;
  const kept = useRef<FollowingState>({
    pinned: true,
    top: 0,
    version,
    toEnd,
    moved: 0,
    touched: options.touched,
    asked: 0,
    place: undefined,
    left: undefined,
    back: undefined,
  });
  const latest = useRef(options);
  latest.current = options;

  const end = () => {
    const height = plane.current?.clientHeight ?? 0;
    return Math.max(0, virtualizer.total - height);
  };
  const scrollTo = (top: number) => {
    if (!plane.current || Math.abs(plane.current.scrollTop - top) < 0.5) return;
    virtualizer.jump(top);
    kept.current.top = plane.current.scrollTop;
    kept.current.moved = plane.current.moved;
  };
  /** The first row in view, and where. */
  const here = (): RowPlace | undefined => {
    const top = plane.current?.scrollTop ?? 0;
    const row = virtualizer.at(top);
    return row < 0
      ? undefined
      : { key: latest.current.keyOf(row), above: top - virtualizer.top(row) };
  };
  const bring = ({ key, above }: RowPlace) => {
    const row = latest.current.rowOf(key);
    if (row >= 0 && row < virtualizer.count) scrollTo(Math.max(0, virtualizer.top(row) + above));
  };

  /** Whether the reader is at the end. Rows may be drawn before the scroll event comes. */
  const notice = () => {
    const now = kept.current;
    const top = plane.current?.scrollTop ?? 0;
    // What the list scrolled by itself, because rows found their heights, was not the reader.
    const moved = plane.current?.moved ?? 0;
    const by = top - now.top - (moved - now.moved);
    if (performance.now() < now.asked) {
      now.pinned = false;
    } else if (end() - top <= NEAR) {
      now.pinned = true;
      latest.current.onBelow(false);
    } else if (by < -1 || !latest.current.active) {
      // Only who goes up leaves an end that may have moved away by itself.
      now.pinned = false;
    }
    now.top = top;
    now.moved = moved;
  };

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const follow = () => {
      notice();
      kept.current.place = here();
    };
    const letGo = () => {
      kept.current.back = undefined;
    };
    element.addEventListener("scroll", follow, { passive: true });
    for (const type of ["wheel", "touchstart", "keydown"]) {
      element.addEventListener(type, letGo, { passive: true });
    }
    return () => {
      element.removeEventListener("scroll", follow);
      for (const type of ["wheel", "touchstart", "keydown"]) {
        element.removeEventListener(type, letGo);
      }
    };
  }, [scroller]);

  useLayoutEffect(() => {
    if (away) {
      kept.current.left = here();
      return;
    }
    const { left } = kept.current;
    kept.current.left = undefined;
    if (left) kept.current.back = { place: left, until: performance.now() + SETTLING };
  }, [away]);

  useLayoutEffect(() => {
    const now = kept.current;
    if (options.touched.some((each, i) => each !== now.touched[i]))
      now.asked = performance.now() + ASKED;
    now.touched = options.touched;
    notice();
    if (toEnd !== now.toEnd) {
      now.pinned = true;
      now.asked = 0;
      latest.current.onBelow(false);
    }
    if (now.back && performance.now() < now.back.until) {
      bring(now.back.place);
      now.pinned = end() - (plane.current?.scrollTop ?? 0) <= NEAR;
    } else if (active && now.pinned) {
      scrollTo(end());
    } else if (active && version !== now.version) {
      if (now.place) bring(now.place);
      latest.current.onBelow(true);
    }
    now.version = version;
    now.toEnd = toEnd;
    now.place = here();
  });
}
