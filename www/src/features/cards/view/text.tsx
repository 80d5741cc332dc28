import type { ViewOf } from "../../../core/model/parts";
import { useViewer } from "../../../core/page/hooks";
import { one } from "../../../ui/format";
import { estimateText } from "./estimate";
import { Markdown } from "./markdown";
import type { PartCard, PartProps } from "./part_card";

export const text: PartCard<ViewOf<"text">> = {
  View: Text,
  label: () => "text",
  estimate: estimateText,
};

function Text({ view, index, folded }: PartProps<ViewOf<"text">>) {
  const viewer = useViewer();
  if (folded) {
    return (
      <button type="button" class="folded-text" onClick={() => viewer.toggleFold(index)}>
        {view.first || "Empty text"}
        <span class="quiet">{one(view.text.lines, "line")}</span>
      </button>
    );
  }
  return (
    <>
      {(view.synthetic || view.ignored) && (
        <p class="text-notes">
          {view.synthetic && <span class="chip">synthetic</span>}
          {view.ignored && <span class="chip">ignored by the model</span>}
        </p>
      )}
      <Markdown view={view} index={index} />
    </>
  );
}
