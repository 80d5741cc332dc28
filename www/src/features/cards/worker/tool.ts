import type { ViewOf } from "../../../core/model/parts";
import type { PartReader } from "./part_reader";
import { toolView } from "./tools/tool_view";

export const tool: PartReader<ViewOf<"tool">> = {
  read: (part, place) => toolView(part, place.cleared, place.end()),
};
