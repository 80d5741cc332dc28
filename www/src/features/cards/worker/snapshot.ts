import type { ViewOf } from "../../../core/model/parts";
import { label } from "../../../core/worker/fields";
import type { PartReader } from "./part_reader";

export const snapshot: PartReader<ViewOf<"snapshot">> = {
  read: (part) => ({ type: "snapshot", snapshot: label(part.snapshot) }),
};
