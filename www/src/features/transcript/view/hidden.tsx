import type { CompactionView } from "../../../core/model/compactions";
import { useOpenDocument, useViewer } from "../../../core/page/hooks";
import { clock, date, isClock, one } from "../../../ui/format";
import { Icon } from "../../../ui/icons";

/** `Compacted: 42 messages, 31 calls, hidden from the model` */
export function hiddenWords({ hidden, calls }: CompactionView): string {
  const all = [one(hidden, "message"), ...(calls > 0 ? [one(calls, "call")] : [])];
  return `Compacted: ${all.join(", ")}, hidden from the model`;
}

/** The head of the fold over what a compaction hid, above the first of those messages. */
export function HiddenBar({ compaction, folded }: { compaction: CompactionView; folded: boolean }) {
  const viewer = useViewer();
  const { time } = compaction;
  return (
    <div class="hidden-bar" data-folded={folded ? "true" : "false"}>
      <button
        type="button"
        class="fold-head"
        aria-expanded={!folded}
        onClick={() => viewer.toggleHidden(compaction)}
      >
        <span class="fold-mark">
          <Icon name="chevron" />
        </span>
        <Icon name="fold" />
        <span class="hidden-words">{hiddenWords(compaction)}</span>
        {time !== undefined && isClock(time) && (
          <time class="fold-time" title={date(time)}>
            {clock(time)}
          </time>
        )}
      </button>
    </div>
  );
}

/** Says of a summary what it stands for. */
export function SummaryNote({ message }: { message: number }) {
  const { compactions } = useOpenDocument();
  const compaction = compactions.summarisedBy(message);
  if (!compaction) return null;
  const isHidden = compactions.hiding(message) !== undefined;
  return (
    <p class="summary-note">
      {isHidden ? "Until the next compaction the model saw" : "The model sees"} this in place of
      everything above that is hidden.
    </p>
  );
}
