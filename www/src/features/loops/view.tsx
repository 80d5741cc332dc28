import { type LoopView, loopName } from "../../core/model/loops";
import { useOpenDocument, useViewer } from "../../core/page/hooks";
import type { Repeats } from "../../core/store/repeats";
import { count, one } from "../../ui/format";
import { Icon } from "../../ui/icons";

/** More calls of a folded stretch have one mark together. */
const MARKED = 100;

/**
 * Says of a row that it is part of a loop. The last row has the verdict's words; so has the one row that stands
 * for repeats that are folded, with a mark for each of them.
 */
export function LoopMark({ loop, row }: { loop: LoopView; row: number }) {
  const viewer = useViewer();
  const { repeats } = useOpenDocument();
  const { action, message, rows } = loop;
  const at = rows.indexOf(row);
  const isLast = at === rows.length - 1;
  // Two transcripts side by side have all their rows.
  const stretch = viewer.store.state.beside ? undefined : repeats.at(row);
  const own = stretch && rows.includes(stretch.calls[1] ?? -1) ? stretch : undefined;
  const isClosed = own !== undefined && repeats.isClosed(own);
  const isTold = isLast || isClosed;
  return (
    <li class={`row-loop loop-${action}`} title={isTold ? undefined : message}>
      <span class="loop-badge">
        <Icon name="retry" />
        {loopName(loop)}
      </span>{" "}
      {own && isClosed && <Calls calls={own.calls} />}
      {own && isClosed && <FoldRepeats stretch={own} isClosed />}
      <span class={isTold ? "loop-words loop-verdict" : "loop-words"}>
        {isTold ? message : `${count(at + 1)} of ${count(rows.length)}`}
        {!isTold && <span class="hidden">. {message}</span>}
      </span>
      {own && !isClosed && <FoldRepeats stretch={own} isClosed={false} />}
    </li>
  );
}

/** At the first of calls that repeat: folds the others away, so that one row stands for all. */
function FoldRepeats({ stretch, isClosed }: { stretch: Repeats; isClosed: boolean }) {
  const viewer = useViewer();
  const calls = count(stretch.calls.length);
  return (
    <button
      type="button"
      class="loop-fold"
      aria-expanded={!isClosed}
      onClick={() => viewer.folding.toggleRepeats(stretch)}
    >
      {isClosed ? `show all ${calls}` : `Fold ${calls} repeats`}
    </button>
  );
}

/** A mark for each of the calls that one row stands for: it unfolds them and goes there. */
function Calls({ calls }: { calls: number[] }) {
  const viewer = useViewer();
  const more = calls.length - MARKED;
  return (
    <ol class="loop-calls" aria-label={one(calls.length, "equal call")}>
      {calls.slice(0, MARKED).map((call, i) => {
        const name = `Call ${count(i + 1)} of ${count(calls.length)}`;
        return (
          <li key={call}>
            <button
              type="button"
              class="loop-call"
              aria-label={name}
              title={name}
              onClick={(event) => {
                event.stopPropagation();
                viewer.folding.showRepeats(call);
                viewer.jump(call);
              }}
            >
              {i + 1}
            </button>
          </li>
        );
      })}
      {more > 0 && <li class="quiet">and {count(more)} more</li>}
    </ol>
  );
}
