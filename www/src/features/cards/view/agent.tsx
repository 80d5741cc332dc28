import type { ViewOf } from "../../../core/model/parts";
import { Line } from "../../../ui/line";
import type { PartCard } from "./part_card";

export const agent: PartCard<ViewOf<"agent">> = {
  View: ({ view }) => <Line icon="spark">Agent {view.name}</Line>,
  label: () => "agent",
  estimate: () => 36,
};
