import type { ViewOf } from "../../../core/model/parts";
import { Line } from "../../../ui/line";
import type { PartCard } from "./part_card";

export const snapshot: PartCard<ViewOf<"snapshot">> = {
  View: ({ view }) => (
    <Line icon="camera">
      Snapshot <code>{view.snapshot.slice(0, 12)}</code>
    </Line>
  ),
  label: () => "snapshot",
  estimate: () => 36,
};
