import type { ViewOf } from "../../../core/model/parts";
import { cost, count } from "../../../ui/format";
import type { PartCard, PartProps } from "./part_card";

export const stepFinish: PartCard<ViewOf<"step-finish">> = {
  View: StepFinish,
  label: ({ step }) => `step ${step} finished`,
  estimate: () => 32,
};

function StepFinish({ view }: PartProps<ViewOf<"step-finish">>) {
  const { tokens } = view;
  const all: [number, string][] = [
    [tokens.input, "in"],
    [tokens.output, "out"],
    [tokens.reasoning, "reasoning"],
    [tokens.cacheRead, "cached"],
    [tokens.cacheWrite, "to cache"],
  ];
  // A file that tells neither has zeros here.
  const isTold = all.some(([value]) => value > 0);
  return (
    <div class="step-finish">
      <span class="step-end">
        Step {count(view.step)} finished
        {view.reason && <span class="quiet">{view.reason}</span>}
      </span>
      {view.cost > 0 && <span class="step-cost">{cost(view.cost)}</span>}
      {all
        .filter(([value], i) => value > 0 || (isTold && i < 2))
        .map(([value, name]) => (
          <span key={name} class="step-tokens">
            {count(value)} <span class="quiet">{name}</span>
          </span>
        ))}
    </div>
  );
}
