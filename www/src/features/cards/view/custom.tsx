import type { ViewOf } from "../../../core/model/parts";
import { Json } from "../../../ui/json";
import { estimateText } from "./estimate";
import type { PartCard } from "./part_card";

export const custom: PartCard<ViewOf<"custom">> = {
  View: ({ view }) => (
    <section class="card custom">
      <header class="card-head">
        <strong>{view.name}</strong>
        <span class="quiet">custom part</span>
      </header>
      <div class="card-body">
        <Json value={view.value} label={`Part of type ${view.name}`} />
      </div>
    </section>
  ),
  label: ({ name }) => name,
  estimate: estimateText,
};
