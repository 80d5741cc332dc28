import type { ViewOf } from "../model";
import type { PartCard } from "./part_card";

export const compaction: PartCard<ViewOf<"compaction">> = {
  View: ({ view }) => (
    <div class="compaction">
      <span>{view.auto ? "Compacted automatically here" : "Compacted here"}</span>
    </div>
  ),
  label: () => "compaction",
  estimate: () => 40,
};
