import { endWords } from "../../../core/model/layout";
import type { ViewOf } from "../../../core/model/parts";
import { linesOf } from "./estimate";
import type { PartCard } from "./part_card";
import { Card } from "./tools/card";

export const tool: PartCard<ViewOf<"tool">> = {
  View: Card,
  label: ({ tool, status, exit }) => `tool ${tool}, ${endWords(status, exit)}`,
  estimate: (size) => 90 + linesOf(size) * 14,
};
