import type { ViewOf } from "../../../core/model/parts";
import { FailureBox } from "../../../ui/failure";
import { clock, count } from "../../../ui/format";
import { Line } from "../../../ui/line";
import { estimateText } from "./estimate";
import type { PartCard } from "./part_card";

export const retry: PartCard<ViewOf<"retry">> = {
  View: ({ view }) => (
    <>
      <Line icon="retry">
        Attempt {count(view.attempt)} failed
        {view.created !== undefined && <span class="quiet">{clock(view.created)}</span>}
      </Line>
      <FailureBox failure={view.error} />
    </>
  ),
  label: () => "retry",
  estimate: estimateText,
};
