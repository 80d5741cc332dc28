import type { BodyOf } from "../../../../core/model/tools";
import { searchFacts } from "./facts";
import { json } from "./json";
import type { ToolCard } from "./tool_card";

export const search: ToolCard<BodyOf<"search">> = {
  ...json,
  icon: "search",
  facts: ({ found }) => searchFacts(found),
};
