import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { CHANGED, SAME } from "../../../../../ts/cli/comparison/align.ts";
import type { LoopView } from "../../../core/model/loops";
import type { ProblemView } from "../../../core/model/problems";
import type { Row } from "../../../core/model/rows";
import type { Reveal } from "../../../core/page/context";
import type { RowProps } from "../../../core/page/feature";
import {
  OpenDocumentProvider,
  useOpenDocument,
  useViewer,
  ViewerContext,
} from "../../../core/page/hooks";
import { rowName } from "../../../core/page/row_name";
import { Slot, useCards } from "../../../core/page/slot";
import { DiffBlock } from "../../../ui/diff";
import { Icon } from "../../../ui/icons";
import { memo } from "../../../ui/list/memo";
import type { FieldChange } from "../model/fields";
import type { Comparison, Side } from "../store/compare";
import type { SameStretch } from "../store/stretches";
import { sameWords } from "../store/verdict";

interface PairProps {
  comparison: Comparison;
  pair: number;
  /** Its number in the list, from 1. */
  place: number;
  /** What is the same from it on. */
  stretch: SameStretch | undefined;
  start: number;
  size: number;
  selected: boolean;
  /** The side that the inspector shows. */
  side: Side;
  /** Another object whenever the pair should take the keyboard's focus. */
  focus: Reveal | undefined;
  measure: (element: Element | null) => void;
}

const STATES = ["same", "changed", "first", "second"] as const;

/** A row of the first transcript and the row of the second that it is paired with. */
export function Pair(props: PairProps) {
  const { comparison, pair, measure } = props;
  const { pairs, docs, firstDifference, stretches } = comparison;
  const { stretch } = props;
  const folded = stretch !== undefined && stretches.isClosed(stretch);
  const { compare } = useViewer();
  const element = useRef<HTMLDivElement>(null);
  const state = pairs.states[pair] ?? SAME;
  const changes = useChanges(pair, state === CHANGED);
  const indexes = [pairs.row(0, pair), pairs.row(1, pair)] as const;
  const rows = indexes.map((index, side) => docs[side as Side].rows.get(index));
  const isHere = indexes.every((index, side) => index < 0 || rows[side]) && changes !== undefined;
  const loaded = folded || isHere;
  useLayoutEffect(() => {
    // Until all of it is here it keeps its guessed height: measuring it would make the list jump.
    if (loaded) measure(element.current);
  }, [loaded, measure]);
  const begins = state === CHANGED || state !== (pairs.states[pair - 1] ?? SAME);
  const isFirst = firstDifference !== "" && pair === pairs.differences[0];
  return (
    <div
      ref={element}
      class="pair"
      data-index={pair}
      data-state={STATES[state]}
      data-begins={begins && state !== SAME ? "true" : undefined}
      data-selected={props.selected ? "true" : undefined}
      style={{
        transform: `translateY(${props.start}px)`,
        ...(loaded ? { height: "" } : { height: `${props.size}px` }),
      }}
    >
      {isFirst && (
        <p class="pair-first">
          <span>First difference: {firstDifference}</span>
        </p>
      )}
      {stretch && (
        <Fold
          comparison={comparison}
          stretch={stretch}
          selected={props.selected}
          focus={folded ? props.focus : undefined}
        />
      )}
      {!folded && (
        <div class="pair-cells">
          {([0, 1] as const).map((side) => {
            const doc = docs[side];
            const index = indexes[side];
            const isSelected = props.selected && props.side === side;
            return (
              <ViewerContext.Provider key={side} value={compare.viewerOf(side)}>
                <OpenDocumentProvider doc={doc}>
                  {index < 0 ? (
                    <div class={`cell cell-none cell-${side}`}>
                      <span>Only in the {side === 0 ? "second" : "first"}</span>
                    </div>
                  ) : (
                    <Cell
                      side={side}
                      index={index}
                      row={rows[side]}
                      place={props.place}
                      count={stretches.shown.count}
                      folded={doc.isFolded(index)}
                      problems={doc.problems.get(index)}
                      loops={doc.loopsAt.get(index)}
                      selected={isSelected}
                      focus={isSelected ? props.focus : undefined}
                      state={STATES[state] ?? "same"}
                      onSelect={() => {
                        if (!isSelected) compare.select(pair, side);
                      }}
                    />
                  )}
                </OpenDocumentProvider>
              </ViewerContext.Provider>
            );
          })}
        </div>
      )}
      {changes && changes.length > 0 && (
        <OpenDocumentProvider doc={docs[0]}>
          <Changes changes={changes} index={indexes[0]} />
        </OpenDocumentProvider>
      )}
    </div>
  );
}

interface FoldProps {
  comparison: Comparison;
  stretch: SameStretch;
  selected: boolean;
  focus: Reveal | undefined;
}

/** The row that stands for what is the same on both sides, or once that is open, the bar above it. */
function Fold({ comparison, stretch, selected, focus }: FoldProps) {
  const { compare } = useViewer();
  const { stretches } = comparison;
  const element = useRef<HTMLButtonElement>(null);
  const folded = stretches.isClosed(stretch);
  useLayoutEffect(() => {
    if (focus) element.current?.focus({ preventScroll: true });
  }, [focus]);
  return (
    <button
      ref={element}
      type="button"
      class="pair-fold"
      aria-expanded={!folded}
      data-selected={selected && folded ? "true" : undefined}
      onClick={() => {
        stretches.toggle(stretch);
        if (folded) compare.select(stretch.from, compare.store.get().side);
      }}
    >
      <span class="pair-fold-mark">
        <Icon name="chevron" />
      </span>
      {sameWords(stretch)}
    </button>
  );
}

interface CellProps {
  side: Side;
  index: number;
  row: Row | undefined;
  place: number;
  count: number;
  folded: boolean;
  problems: ProblemView[] | undefined;
  loops: LoopView[] | undefined;
  selected: boolean;
  focus: Reveal | undefined;
  state: string;
  onSelect: () => void;
}

const NAMES: Record<string, string> = {
  changed: ", differs",
  first: ", only in the first",
  second: ", only in the second",
};

function Cell(props: CellProps) {
  const { side, index, row, selected, focus, onSelect } = props;
  const { nameOf } = useCards();
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (focus) element.current?.focus({ preventScroll: true });
  }, [focus]);
  const name = row && `${side === 0 ? "First" : "Second"}: ${rowName(row, nameOf)}`;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys that move the selection are the page's (app/keys.ts)
    <article
      ref={element}
      class={`cell cell-${side} ${row?.kind === "message" ? "cell-message" : "cell-part"}`}
      data-selected={selected ? "true" : undefined}
      tabIndex={selected ? 0 : -1}
      aria-posinset={props.place}
      aria-setsize={props.count}
      aria-label={name && `${name}${NAMES[props.state] ?? ""}`}
      aria-busy={!row}
      onClick={onSelect}
      onFocusIn={onSelect}
    >
      {row && (
        <Content
          row={row}
          index={index}
          folded={props.folded}
          problems={props.problems}
          loops={props.loops}
        />
      )}
    </article>
  );
}

const Content = memo(function Content(props: RowProps) {
  return <Slot name="row" {...props} />;
});

/** What the two sides say differently, word by word. */
function Changes({ changes, index }: { changes: FieldChange[]; index: number }) {
  const doc = useOpenDocument();
  return (
    <section class="pair-changes" aria-label="What differs">
      {changes.map(({ name, diff }) => (
        <div key={`${doc.id} ${name}`}>
          <h3 class="card-label">{name} differs</h3>
          {diff ? (
            <DiffBlock row={index} name={`beside ${name}`} diff={diff} whole={false} />
          ) : (
            <p class="tool-note">It is too long to be compared here: more than 200 KB.</p>
          )}
        </div>
      ))}
    </section>
  );
}

/** Undefined while they are looked for; a pair that did not change has none. */
function useChanges(pair: number, isChanged: boolean): FieldChange[] | undefined {
  const { compare } = useViewer();
  const [changes, setChanges] = useState<FieldChange[]>();
  useEffect(() => {
    if (!isChanged) return;
    let current = true;
    compare.changes(pair).then(
      (found) => current && setChanges(found),
      // Both sides can be read all the same.
      () => current && setChanges([]),
    );
    return () => {
      current = false;
    };
  }, [compare, pair, isChanged]);
  return isChanged ? changes : NONE;
}

const NONE: FieldChange[] = [];
