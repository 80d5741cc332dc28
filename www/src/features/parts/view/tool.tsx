import { Card } from "../../tools/view/card";
import type { ViewOf } from "../model";
import { linesOf } from "./estimate";
import type { PartCard } from "./part_card";

export const tool: PartCard<ViewOf<"tool">> = {
  View: Card,
  label: ({ tool, status }) => `tool ${tool}, ${status}`,
  estimate: (size) => 90 + linesOf(size) * 14,
};
