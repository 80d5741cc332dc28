import type { ViewOf } from "../../../core/model/parts";
import { label } from "../../../core/worker/fields";
import type { PartReader } from "./part_reader";

export const agent: PartReader<ViewOf<"agent">> = {
  read: (part) => ({ type: "agent", name: label(part.name, 100) }),
};
