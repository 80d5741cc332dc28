import type { RefObject } from "preact";
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from "preact/hooks";
import { useOpenDocument, usePage, useViewer } from "../../../core/page/hooks";
import { Slot, useCards } from "../../../core/page/slot";
import type { OpenDocument } from "../../../core/store/document";
import { useFollowing } from "../../../ui/list/following";
import { Gradual } from "../../../ui/list/gradual";
import { useInnerStops } from "../../../ui/list/inner_stops";
import { type ScrollBy, ScrollByContext } from "../../../ui/list/scroll_by";
import { useVirtual } from "../../../ui/list/virtual";
import { shownGuesses } from "./heights";
import { RowView } from "./row";

/** The transcript, and what features have over its end. */
export function TranscriptPane() {
  return (
    <>
      <Transcript />
      <Slot name="end" />
    </>
  );
}

/** The parts, as virtual rows: only those in view are elements, and only those near are objects. */
function Transcript() {
  const doc = useOpenDocument();
  // A new transcript starts a new list; heights measured for the old one mean nothing to it.
  // So does another view of it, in which nearly all rows have other heights.
  return <Rows key={`${doc.id} ${doc.dense} ${doc.everyFold}`} doc={doc} />;
}

function Rows({ doc }: { doc: OpenDocument }) {
  const viewer = useViewer();
  const { selected, reveal } = usePage();
  const { toEnd, phase } = viewer.live.store.state;
  const live = phase !== "off";
  const { open: replaying, changes } = viewer.replay.store.state;
  const { estimate } = useCards();
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const scroller = useRef<HTMLDivElement>(null);
  const { map, compactions } = doc;
  const { layout } = doc.facts;
  const { shown } = compactions;
  /** The height of the summary above the rows. */
  const [head, setHead] = useState(0);
  /** Where to scroll to once the rows are below it. */
  const later = useRef<number | undefined>(undefined);
  const steady = useSteady(scroller, compactions.foldState, selected);
  const keyOf = (item: number) => doc.keys.of(shown.row(item));
  const list = useVirtual(scroller, {
    count: shown.count,
    guess: () => shownGuesses(map, layout, compactions, doc, estimate),
    basis: shown,
    paddingStart: head,
    paddingEnd: 160,
    margin: 12,
    keyOf,
    rowOfKey: doc.keys.isPlain ? (row) => (shown.foldedAt(row) ? -1 : shown.item(row)) : undefined,
    itemOf: (row) => shown.item(row),
  });
  const { height, virtualizer, plane } = list;
  const scrollBy: ScrollBy = useCallback(
    (row, pixels) => {
      virtualizer.measureNow(row);
      const by = pixels();
      virtualizer.jump((plane.current?.scrollTop ?? 0) + by);
    },
    [virtualizer, plane],
  );
  const takeHead = (next: number) => {
    setHead(next);
    // What is being read stays where it is.
    const top = plane.current?.scrollTop ?? 0;
    if (top > head) later.current = top + next - head;
  };
  useLayoutEffect(() => {
    if (later.current !== undefined) virtualizer.jump(later.current);
    later.current = undefined;
  });
  useLayoutEffect(() => {
    const anchor = steady();
    if (anchor) virtualizer.jump(virtualizer.top(shown.item(anchor.row)) - anchor.above);
  });
  // In the list they are counted without what is folded away; here they are rows.
  const items = list.items.map((item) => ({ ...item, index: shown.row(item.index) }));
  useFollowing(scroller, list, {
    active: live || replaying,
    version: map,
    touched: [doc.foldState, compactions.ownFoldState, doc.repeats.foldState, reveal],
    toEnd,
    away: replaying,
    keyOf,
    rowOf: (key) => itemOf(doc, key),
    onBelow: (below) => viewer.live.setBelow(below),
  });
  const [gradual] = useState(() => new Gradual(() => draw(undefined)));
  useEffect(() => () => gradual.stop(), [gradual]);
  const rows = items.map(({ index }) => index).filter((row) => doc.rows.get(row));
  const { range } = virtualizer;
  const isIn = (row: number) => inView(range, shown.item(row));
  const drawn = gradual.take(
    [...rows.filter(isIn), ...rows.filter((row) => !isIn(row))].map((row) => ({
      key: doc.keys.of(row),
      // What comes in by itself, a little at a time, never waits.
      weight: live || replaying ? 0 : doc.weightOf(row),
    })),
  );

  const first = items[0]?.index;
  const last = items.at(-1)?.index;
  useLayoutEffect(() => {
    if (first !== undefined && last !== undefined) doc.rows.want(first, last);
  });
  const top = range ? shown.row(range.startIndex) : undefined;
  useEffect(() => {
    if (top !== undefined) viewer.store.set({ current: doc.map.messageAt(top) });
  }, [viewer, doc, top]);
  const bottom = range ? shown.row(range.endIndex) : undefined;
  useEffect(() => {
    if (top !== undefined && bottom !== undefined) viewer.timeline.setView(top, bottom);
  }, [viewer, top, bottom]);

  // The Tab key comes to the selected row, or to the first in view where that is elsewhere.
  const isDrawn = items.some(({ index }) => index === selected);
  const stop = isDrawn ? selected : (top ?? first);
  useInnerStops(scroller, ".row", "[data-selected]");
  const moveByArrows = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by === 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const { target } = event;
    if (!(target instanceof Element) || !target.matches(".row") || !scroller.current) return;
    // A row that goes on beyond what is in view is scrolled through first.
    const row = target.getBoundingClientRect();
    const view = scroller.current.getBoundingClientRect();
    if (by > 0 ? row.bottom > view.bottom : row.top < view.top) return;
    event.preventDefault();
    viewer.move("part", by);
  };

  // Another view of the same transcript begins where the one before was.
  const [begin] = useState(() => (selected < 0 ? viewer.store.get().current : 0));
  useEffect(() => {
    if (begin > 0) virtualizer.scrollToIndex(shown.item(map.header(begin)), { align: "start" });
  }, [begin]);

  // What was to be seen in the transcript before is not what a first press here is about.
  const revealed = useRef(selected < 0 ? reveal : undefined);
  useEffect(() => {
    if (reveal === revealed.current || selected < 0) return;
    revealed.current = reveal;
    const item = shown.item(selected);
    virtualizer.scrollToIndex(item, {
      align: inView(virtualizer.range, item) ? "auto" : "start",
    });
  }, [virtualizer, shown, reveal, selected]);

  return (
    <div
      class="scroller"
      ref={scroller}
      role="feed"
      aria-label="Transcript"
      aria-busy={doc.map.rows === 0}
      tabIndex={items.length > 0 ? -1 : 0}
      data-compact={doc.dense ? "true" : undefined}
      onKeyDown={moveByArrows}
    >
      <div class="spacer" style={{ height: `${height}px` }}>
        <Slot name="head" doc={doc} shift={plane.current?.shift ?? 0} onHeight={takeHead} />
        <ScrollByContext.Provider value={scrollBy}>
          {items.map(({ index, start, size }) => (
            <RowView
              key={doc.keys.of(index)}
              index={index}
              start={start}
              size={size}
              place={shown.item(index) + 1}
              count={doc.growing ? -1 : shown.count}
              row={drawn.has(doc.keys.of(index)) ? doc.rows.get(index) : undefined}
              folded={doc.isFolded(index)}
              compact={doc.dense}
              selected={index === selected}
              stop={index === stop}
              problems={doc.problems.get(index)}
              loops={doc.loopsAt.get(index)}
              changed={changes?.get(index)?.how}
              fold={compactions.foldAt(index)}
              hidden={compactions.hiding(map.messageAt(index)) !== undefined}
              focus={reveal.focus && index === selected ? reveal : undefined}
              measure={virtualizer.measureElement}
            />
          ))}
        </ScrollByContext.Provider>
      </div>
    </div>
  );
}

/** A row, and how far below the top of what is in view it was. */
interface Anchor {
  row: number;
  above: number;
}

/**
 * When something is folded or unfolded: the selected row, or the first in view where that is elsewhere, so that
 * it stays where it is. Undefined where nothing was.
 */
function useSteady(
  scroller: RefObject<HTMLElement | null>,
  folds: object,
  selected: number,
): () => Anchor | undefined {
  const before = useRef(folds);
  const anchor = useRef<Anchor | undefined>(undefined);
  if (before.current !== folds) {
    before.current = folds;
    anchor.current = anchorIn(scroller.current, selected);
  }
  return () => {
    const found = anchor.current;
    anchor.current = undefined;
    return found;
  };
}

function anchorIn(scroller: HTMLElement | null, selected: number): Anchor | undefined {
  if (!scroller) return undefined;
  const view = scroller.getBoundingClientRect();
  let first: Anchor | undefined;
  for (const element of scroller.querySelectorAll(".row[data-index]")) {
    const { top, bottom } = element.getBoundingClientRect();
    if (bottom <= view.top || top >= view.bottom) continue;
    const here = { row: Number(element.getAttribute("data-index")), above: top - view.top };
    if (here.row === selected) return here;
    if (!first || here.above < first.above) first = here;
  }
  // At the very top nothing is above what could move it.
  return scroller.scrollTop > 0 ? first : undefined;
}

/** The place in the list of the row with a key, or -1. */
function itemOf(doc: OpenDocument, key: number): number {
  const row = doc.keys.row(key);
  return row < 0 || row >= doc.map.rows ? -1 : doc.compactions.shown.item(row);
}

/** A row that is in view is not moved, only what is not comes to the top. */
function inView(range: { startIndex: number; endIndex: number } | null, row: number): boolean {
  return !!range && row >= range.startIndex && row <= range.endIndex;
}
