import type { ViewOf } from "../../../core/model/parts";
import { useViewer } from "../../../core/page/hooks";
import { Foldable } from "../../../ui/foldable";
import { duration } from "../../../ui/format";
import { Icon } from "../../../ui/icons";
import { Markdown } from "./markdown";
import type { PartCard, PartProps } from "./part_card";

export const reasoning: PartCard<ViewOf<"reasoning">> = {
  View: Reasoning,
  label: () => "reasoning",
  // It is folded to its first line until somebody opens it.
  estimate: () => 36,
};

function Reasoning({ view, index, folded, whole }: PartProps<ViewOf<"reasoning">>) {
  const viewer = useViewer();
  const { start, end } = view.time;
  return (
    <Foldable
      class="reasoning"
      onToggle={() => viewer.toggleFold(index)}
      folded={folded}
      fixed={whole}
      head={
        <>
          <Icon name="thought" />
          <span class="fold-title">Reasoning</span>
          {folded && <span class="fold-first">{view.first}</span>}
          {start !== undefined && end !== undefined && (
            <span class="fold-time">{duration(end - start)}</span>
          )}
        </>
      }
    >
      <div class="reasoning-body">
        <Markdown view={view} index={index} />
      </div>
    </Foldable>
  );
}
