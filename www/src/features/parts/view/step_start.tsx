import { count } from "../../../ui/format";
import type { ViewOf } from "../model";
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
