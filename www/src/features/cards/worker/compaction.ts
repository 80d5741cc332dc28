import type { ViewOf } from "../../../core/model/parts";
import type { PartReader } from "./part_reader";

export const compaction: PartReader<ViewOf<"compaction">> = {
  read: (part) => ({
    type: "compaction",
    auto: part.auto === true,
    overflow: part.overflow === true,
  }),
};
