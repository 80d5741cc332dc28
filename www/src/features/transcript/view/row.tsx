import { useLayoutEffect, useRef } from "preact/hooks";
import type { CompactionView } from "../../../core/model/compactions";
import type { LoopView } from "../../../core/model/loops";
import type { ProblemView } from "../../../core/model/problems";
import type { Row } from "../../../core/model/rows";
import type { Reveal } from "../../../core/page/context";
import type { RowProps } from "../../../core/page/feature";
import { useOpenDocument, useViewer } from "../../../core/page/hooks";
import { rowName } from "../../../core/page/row_name";
import { Slot, useCards } from "../../../core/page/slot";
import { memo } from "../../../ui/list/memo";
import { CompactPart, isCompact } from "./compact";
import { HiddenBar, hiddenWords, SummaryNote } from "./hidden";
import { InspectButton } from "./inspect_button";
import { MessageHeader } from "./message";

interface RowViewProps {
  index: number;
  /** Its number in the list, from 1. */
  place: number;
  start: number;
  size: number;
  /** How many rows there are; -1 while nobody knows. */
  count: number;
  row: Row | undefined;
  folded: boolean;
  /** What is folded is one line. */
  compact: boolean;
  selected: boolean;
  /** The one row that the Tab key comes to. */
  stop: boolean;
  problems: ProblemView[] | undefined;
  /** The loops that it is part of. */
  loops: LoopView[] | undefined;
  /** What the event that a replay stands at did to it. */
  changed: string | undefined;
  /** The compaction whose hidden messages begin with it. */
  fold: CompactionView | undefined;
  /** A compaction hid it from the model. */
  hidden: boolean;
  /** Another object whenever the row should take the keyboard's focus. */
  focus: Reveal | undefined;
  measure: (element: Element | null) => void;
}

export const RowView = memo(function RowView(props: RowViewProps) {
  const { index, row, selected, focus, measure, problems, fold, hidden } = props;
  const viewer = useViewer();
  const { compactions, repeats } = useOpenDocument();
  const { nameOf } = useCards();
  const element = useRef<HTMLElement>(null);
  const folded = fold !== undefined && compactions.isClosed(fold);
  const loaded = row !== undefined || folded;
  const stretch = repeats.at(index);
  const times = stretch && repeats.isClosed(stretch) ? `, ×${stretch.calls.length}` : "";
  useLayoutEffect(() => {
    // Until its content is here a row keeps its guessed height: measuring it would make the list jump.
    if (loaded) measure(element.current);
  }, [loaded, measure]);
  useLayoutEffect(() => {
    const row = element.current;
    // A control of the row that has the focus keeps it: it is what the person went to.
    if (!focus || !row || row.contains(focused(row))) return;
    row.focus({ preventScroll: true });
  }, [focus]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys that move the selection are the page's (app/keys.ts)
    <article
      ref={element}
      class={`row ${row?.kind === "message" ? "row-message" : "row-part"}`}
      data-index={index}
      data-hidden={hidden ? "true" : undefined}
      data-selected={selected ? "true" : undefined}
      data-changed={props.changed}
      tabIndex={props.stop ? 0 : -1}
      aria-posinset={props.place}
      aria-setsize={props.count}
      aria-label={
        folded ? hiddenWords(fold) : row && `${rowName(row, nameOf)}${times}${hidden ? HIDDEN : ""}`
      }
      aria-busy={!loaded}
      style={{
        transform: `translateY(${props.start}px)`,
        ...(loaded ? { height: "" } : { height: `${props.size}px` }),
      }}
      onClick={() => viewer.select(index)}
      onFocusIn={() => selected || viewer.select(index)}
    >
      {fold && <HiddenBar compaction={fold} folded={folded} />}
      {row && !folded && (
        <div class="row-body">
          <RowContent
            row={row}
            index={index}
            folded={props.folded}
            compact={props.compact}
            problems={problems}
            loops={props.loops}
          />
          {selected && <InspectButton />}
        </div>
      )}
    </article>
  );
});

function focused(within: Element): Element | null {
  const root = within.getRootNode();
  return root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
}

/** The content of a row, in the list and in the comparison. */
export function RowContent(props: RowProps) {
  const { row, index, folded, problems, loops } = props;
  const isNoted = problems !== undefined || loops !== undefined;
  const isLine = props.compact && folded && row.kind === "part" && isCompact(row.view, isNoted);
  return (
    <>
      {row.kind === "message" ? (
        <>
          <MessageHeader row={row} />
          {row.summary && <SummaryNote message={row.message} />}
        </>
      ) : isLine ? (
        <CompactPart row={row} index={index} />
      ) : (
        <Slot name="part" row={row} index={index} folded={folded} />
      )}
      {problems && (
        <ul class="row-problems">
          {problems.slice(0, 3).map((problem) => (
            <li
              key={`${problem.path} ${problem.rule} ${problem.offset}`}
              class={`severity-${problem.severity}`}
            >
              <span class="rule">{problem.rule}</span> {problem.message}
            </li>
          ))}
          {problems.length > 3 && <li>and {problems.length - 3} more</li>}
        </ul>
      )}
      {loops && (
        <ul class="row-loops">
          {loops.map((loop) => (
            <Slot
              name="loop"
              key={`${loop.kind} ${loop.action} ${loop.rows[0]}`}
              loop={loop}
              row={index}
            />
          ))}
        </ul>
      )}
    </>
  );
}

const HIDDEN = ", hidden from the model";
