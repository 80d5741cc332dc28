import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { SAME } from "../../../../../ts/cli/comparison/align.ts";
import type { Reveal } from "../../../core/page/context";
import { type Estimate, HEADER } from "../../../core/page/feature";
import { OpenDocumentProvider, useViewer, ViewerContext } from "../../../core/page/hooks";
import { Slot, useCards } from "../../../core/page/slot";
import { useVirtual } from "../../../ui/list/virtual";
import { type Comparison, FOLDED_TYPES } from "../store/compare";
import { CompareBar } from "./bar";
import { Pair } from "./pair";

/** Two transcripts as one list of pairs, so that what belongs together stays side by side. */
export function Compare() {
  const { comparison, shown } = useViewer().compare.store.state;
  if (!comparison) return null;
  return (
    <section class="compare" data-shown={shown} aria-label="Two transcripts side by side">
      <CompareBar comparison={comparison} />
      {/* Heights that were measured for other pairs mean nothing to these. */}
      <Pairs key={comparison.docs.map(({ id }) => id).join()} comparison={comparison} />
    </section>
  );
}

function Pairs({ comparison }: { comparison: Comparison }) {
  const viewer = useViewer();
  const { compare } = viewer;
  const { pairs, docs, stretches } = comparison;
  const { shown } = stretches;
  const { estimate } = useCards();
  const { pair: selected, side, reveal } = compare.store.state;
  const scroller = useRef<HTMLElement>(null);
  const list = useVirtual(scroller, {
    count: shown.count,
    guess: () => shownGuesses(comparison, estimate),
    basis: shown,
    paddingEnd: 160,
    margin: 12,
    keyOf: (item) => shown.row(item),
    itemOf: (pair) => shown.item(pair),
  });
  const { height, virtualizer } = list;
  const items = list.items.map((item) => ({ ...item, index: shown.row(item.index) }));

  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? -1;
  useLayoutEffect(() => {
    for (const each of [0, 1] as const) {
      const rows = [];
      for (let pair = first; pair <= last; ) {
        const isFold = stretches.standsForFold(pair);
        if (!isFold) rows.push(pairs.row(each, pair));
        pair = isFold ? (stretches.at(pair)?.to ?? pair + 1) : pair + 1;
      }
      const known = rows.filter((row) => row >= 0);
      const [start] = known;
      if (start !== undefined) docs[each].rows.want(start, known.at(-1) ?? start);
    }
  }, [pairs, stretches, docs, first, last, shown]);
  const { range } = virtualizer;
  const top = range ? shown.row(range.startIndex) : undefined;
  useEffect(() => {
    if (top === undefined) return;
    compare.top = top;
    const row = pairs.near(0, top);
    if (row >= 0) viewer.store.set({ current: docs[0].map.messageAt(row) });
  }, [viewer, compare, pairs, docs, top]);

  const revealed = useRef<Reveal | undefined>(undefined);
  useEffect(() => {
    if (reveal === revealed.current) return;
    const isFirst = revealed.current === undefined;
    revealed.current = reveal;
    const target = shown.item(selected >= 0 ? selected : compare.top);
    const { range } = virtualizer;
    const inView = !!range && target >= range.startIndex && target <= range.endIndex;
    virtualizer.scrollToIndex(target, { align: inView && !isFirst ? "auto" : "start" });
  }, [virtualizer, compare, shown, reveal, selected]);

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="scroller" ref={scroller} aria-label="Comparison" tabIndex={0}>
      <div class="spacer" style={{ height: `${height}px` }}>
        {items.map(({ index, start, size }) => (
          <Pair
            key={index}
            comparison={comparison}
            pair={index}
            place={shown.item(index) + 1}
            stretch={stretches.at(index)}
            start={start}
            size={size}
            selected={index === selected}
            side={side}
            focus={reveal.focus && index === selected ? reveal : undefined}
            measure={virtualizer.measureElement}
          />
        ))}
      </div>
    </section>
  );
}

/** The row that stands for what is the same, or the bar above it. */
const FOLD = 44;
/** A part that is folded, with the room around it. */
const FOLDED = 44;

/** The same for the pairs that are in the list. */
function shownGuesses(comparison: Comparison, estimate: Estimate): Float32Array {
  const all = guesses(comparison, estimate);
  const { stretches } = comparison;
  const { shown } = stretches;
  for (const { from, ...rest } of stretches.all) {
    all[from] = stretches.isClosed({ from, ...rest }) ? FOLD : FOLD + (all[from] ?? 0);
  }
  return Float32Array.from({ length: shown.count }, (_, item) => all[shown.row(item)] ?? 0);
}

/** The side with more to show gives a pair its height. */
function guesses({ pairs, docs }: Comparison, estimate: Estimate): Float32Array {
  const heights = new Float32Array(pairs.count);
  for (const side of [0, 1] as const) {
    const { map, facts } = docs[side];
    const { types, sizes } = facts.layout;
    let row = 0;
    for (let message = 0; message < map.messages; message++) {
      const end = map.firstPart[message + 1] ?? 0;
      raise(heights, pairs.of(side, row++), HEADER);
      for (let part = map.firstPart[message] ?? 0; part < end; part++, row++) {
        const code = types[part] ?? 255;
        const pair = pairs.of(side, row);
        const isFolded = pairs.states[pair] === SAME && FOLDED_TYPES.includes(code);
        raise(heights, pair, isFolded ? FOLDED : estimate(code, sizes[part] ?? 0));
      }
    }
  }
  return heights;
}

function raise(heights: Float32Array, pair: number, height: number): void {
  if ((heights[pair] ?? 0) < height) heights[pair] = height;
}

/** The inspector of the side that is selected. */
export function CompareInspector() {
  const { compare } = useViewer();
  const { comparison, side } = compare.store.state;
  if (!comparison) return null;
  const doc = comparison.docs[side];
  return (
    <ViewerContext.Provider value={compare.viewerOf(side)}>
      <OpenDocumentProvider doc={doc}>
        <Slot
          name="inspector"
          key={side}
          file={`${side === 0 ? "First" : "Second"}: ${doc.facts.name}`}
        />
      </OpenDocumentProvider>
    </ViewerContext.Provider>
  );
}
