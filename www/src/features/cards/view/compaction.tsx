import type { CompactionView } from "../../../core/model/compactions";
import type { ViewOf } from "../../../core/model/parts";
import { useOpenDocument, useViewer } from "../../../core/page/hooks";
import { count, one } from "../../../ui/format";
import type { PartCard, PartProps } from "./part_card";

export const compaction: PartCard<ViewOf<"compaction">> = {
  View: Compaction,
  label: () => "compaction",
  estimate: () => 84,
};

function Compaction({ view, index, whole }: PartProps<ViewOf<"compaction">>) {
  const viewer = useViewer();
  const { compactions, map, growing } = useOpenDocument();
  const found = compactions.startedBy(map.messageAt(index));
  const folded = found && compactions.isClosed(found);
  return (
    <div class="compaction-part">
      <div class="compaction">
        <span>{view.auto ? "Compacted automatically here" : "Compacted by hand here"}</span>
      </div>
      <ul class="compaction-facts">
        {factsOf(view, found, growing).map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
        {found && found.hidden > 0 && !whole && !viewer.store.state.beside && (
          <li>
            <button type="button" onClick={() => viewer.toggleHidden(found)}>
              {folded ? "Unfold what it hid" : "Fold what it hid"}
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}

/** What it came to, each in a few words. */
function factsOf(
  { overflow }: ViewOf<"compaction">,
  found: CompactionView | undefined,
  growing: boolean,
): string[] {
  const cause = overflow ? ["after the context had overflowed"] : [];
  if (!found) return [...cause, growing ? "not finished yet" : "not finished: nothing is hidden"];
  const { hidden, calls, kept, before, after } = found;
  const what = [one(hidden, "message"), ...(calls > 0 ? [one(calls, "call")] : [])].join(", ");
  return [
    ...cause,
    hidden > 0 ? `${what} hidden` : "nothing more hidden",
    kept > 0 ? `${one(kept, "message")} kept verbatim` : "none kept verbatim",
    ...(before !== undefined && after !== undefined
      ? [`${count(before)} tokens before, ${count(after)} after`]
      : before !== undefined
        ? [`${count(before)} tokens before`]
        : after !== undefined
          ? [`${count(after)} tokens after`]
          : []),
  ];
}
