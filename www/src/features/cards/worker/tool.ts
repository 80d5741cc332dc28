import type { ViewOf } from "../../../core/model/parts";
import { fields, list } from "../../../core/worker/fields";
import { meaningOfFile } from "../../../core/worker/meaning";
import type { PartReader } from "./part_reader";
import { toolView } from "./tools/tool_view";

export const tool: PartReader<ViewOf<"tool">> = {
  read: (part, place) => toolView(part, place.cleared, place.end()),
  meaning(part) {
    const state = fields(part.state) ?? {};
    const streamed = state.status === "pending" ? state.raw : undefined;
    const files = list(state.attachments).map(meaningOfFile);
    return [
      ...["tool", part.tool, state.status, state.input],
      ...[streamed, state.output, state.error, files],
    ];
  },
};
