import { useOpenDocument, useViewer } from "../../app/hooks";
import { count } from "../../ui/format";
import { Icon } from "../../ui/icons";
import type { LoopView } from "./model";

/** Says of a row that it is part of a loop; its last row has the verdict's words. */
export function LoopMark({ loop, row }: { loop: LoopView; row: number }) {
  const { action, message, rows } = loop;
  const at = rows.indexOf(row);
  const isLast = at === rows.length - 1;
  return (
    <li class={`row-loop loop-${action}`} title={isLast ? undefined : message}>
      <span class="loop-badge">
        <Icon name="retry" />
        {loopName(loop)}
      </span>{" "}
      <span>
        {isLast ? message : `${count(at + 1)} of ${count(rows.length)}`}
        {!isLast && <span class="hidden">. {message}</span>}
      </span>
      <FoldRepeats row={row} />
    </li>
  );
}

/** At the first of calls that repeat: folds the others away, so that one row stands for all. */
function FoldRepeats({ row }: { row: number }) {
  const viewer = useViewer();
  const { repeats } = useOpenDocument();
  const stretch = repeats.at(row);
  // Two transcripts side by side have all their rows.
  if (!stretch || viewer.compare.store.state.comparison) return null;
  const isClosed = repeats.isClosed(stretch);
  return (
    <button
      type="button"
      class="loop-fold"
      aria-expanded={!isClosed}
      onClick={() => viewer.folding.toggleRepeats(stretch)}
    >
      {isClosed ? `×${count(stretch.calls)}: show all` : `Fold ${count(stretch.calls)} repeats`}
    </button>
  );
}

/** `loop: exact_repeat ×3` */
export function loopName({ kind, repeats }: LoopView): string {
  return `loop: ${kind} ×${count(repeats)}`;
}
