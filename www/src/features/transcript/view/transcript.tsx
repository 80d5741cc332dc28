import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { useOpenDocument, usePage, useViewer } from "../../../app/hooks";
import { useFollowing } from "../../../ui/list/following";
import { Gradual } from "../../../ui/list/gradual";
import { useVirtual } from "../../../ui/list/virtual";
import type { OpenDocument } from "../store/document";
import { guesses } from "./heights";
import { RowView } from "./row";

/** The parts, as virtual rows: only those in view are elements, and only those near are objects. */
export function Transcript() {
  const doc = useOpenDocument();
  // A new transcript starts a new list; heights measured for the old one mean nothing to it.
  return <Rows key={doc.id} doc={doc} />;
}

function Rows({ doc }: { doc: OpenDocument }) {
  const viewer = useViewer();
  const { selected, reveal } = usePage();
  const { toEnd, phase } = viewer.live.store.state;
  const live = phase !== "off";
  const replaying = viewer.replay.store.state.open;
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const scroller = useRef<HTMLDivElement>(null);
  const { map } = doc;
  const { layout } = doc.facts;
  const list = useVirtual(scroller, {
    count: map.rows,
    guess: () => guesses(map, layout),
    basis: map,
    paddingEnd: 160,
    margin: 12,
    keyOf: doc.keys.of,
  });
  const { items, height, virtualizer } = list;
  useFollowing(scroller, list, {
    active: live || replaying,
    version: map,
    touched: [doc.foldState, reveal],
    toEnd,
    away: replaying,
    keyOf: doc.keys.of,
    rowOf: (key) => doc.keys.row(key),
    onBelow: (below) => viewer.live.setBelow(below),
  });
  const [gradual] = useState(() => new Gradual(() => draw(undefined)));
  useEffect(() => () => gradual.stop(), [gradual]);
  const rows = items.map(({ index }) => index).filter((row) => doc.rows.get(row));
  const { range } = virtualizer;
  const isIn = (row: number) => inView(range, row);
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
  const top = range?.startIndex;
  useEffect(() => {
    if (top !== undefined) viewer.store.set({ current: doc.map.messageAt(top) });
  }, [viewer, doc, top]);
  const bottom = range?.endIndex;
  useEffect(() => {
    if (top !== undefined && bottom !== undefined) viewer.timeline.setView(top, bottom);
  }, [viewer, top, bottom]);

  // What was to be seen in the transcript before is not what a first press here is about.
  const revealed = useRef(selected < 0 ? reveal : undefined);
  useEffect(() => {
    if (reveal === revealed.current || selected < 0) return;
    revealed.current = reveal;
    virtualizer.scrollToIndex(selected, {
      align: inView(virtualizer.range, selected) ? "auto" : "start",
    });
  }, [virtualizer, reveal, selected]);

  return (
    <div
      class="scroller"
      ref={scroller}
      role="feed"
      aria-label="Transcript"
      aria-busy={doc.map.rows === 0}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <div class="spacer" style={{ height: `${height}px` }}>
        {items.map(({ index, start, size }) => (
          <RowView
            key={doc.keys.of(index)}
            index={index}
            start={start}
            size={size}
            count={doc.growing ? -1 : doc.map.rows}
            row={drawn.has(doc.keys.of(index)) ? doc.rows.get(index) : undefined}
            folded={doc.isFolded(index)}
            selected={index === selected}
            problems={doc.problems.get(index)}
            loops={doc.loopsAt.get(index)}
            focus={reveal.focus && index === selected ? reveal : undefined}
            measure={virtualizer.measureElement}
          />
        ))}
      </div>
    </div>
  );
}

/** A row that is in view is not moved, only what is not comes to the top. */
function inView(range: { startIndex: number; endIndex: number } | null, row: number): boolean {
  return !!range && row >= range.startIndex && row <= range.endIndex;
}
