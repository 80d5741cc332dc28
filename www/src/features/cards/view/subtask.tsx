import type { ViewOf } from "../../../core/model/parts";
import { useViewer } from "../../../core/page/hooks";
import { agentName } from "../../../ui/agents";
import { Foldable } from "../../../ui/foldable";
import { Icon } from "../../../ui/icons";
import { estimateText } from "./estimate";
import { Markdown } from "./markdown";
import type { PartCard, PartProps } from "./part_card";

export const subtask: PartCard<ViewOf<"subtask">> = {
  View: Subtask,
  label: () => "subtask",
  estimate: estimateText,
};

function Subtask({ view, index, folded, whole }: PartProps<ViewOf<"subtask">>) {
  const viewer = useViewer();
  return (
    <Foldable
      class="card"
      onToggle={() => viewer.toggleFold(index)}
      folded={folded}
      fixed={whole}
      head={
        <>
          <Icon name="branch" />
          <span class="fold-title">Subtask</span>
          <span class="fold-first">{view.description}</span>
          <span class="quiet">{agentName(view.agent)}</span>
        </>
      }
    >
      <div class="card-body">
        {view.command && <p class="quiet">{view.command}</p>}
        <Markdown view={view} index={index} />
      </div>
    </Foldable>
  );
}
