import type { BodyOf } from "../../../../core/model/tools";
import { webFacts } from "./facts";
import { json } from "./json";
import type { ToolCard } from "./tool_card";

export const web: ToolCard<BodyOf<"web">> = {
  ...json,
  icon: "globe",
  facts: ({ answer }) => webFacts(answer),
};
