import type { ViewOf } from "../../../core/model/parts";
import { count } from "../../../ui/format";
import type { PartCard } from "./part_card";

export const stepStart: PartCard<ViewOf<"step-start">> = {
  View: ({ view }) => (
    <div class="step-start">
      <span>Step {count(view.step)}</span>
    </div>
  ),
  label: ({ step }) => `step ${step}`,
  estimate: () => 28,
};
