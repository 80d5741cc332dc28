import { label } from "../../../worker/fields";
import type { ViewOf } from "../model";
import type { PartReader } from "./part_reader";

export const snapshot: PartReader<ViewOf<"snapshot">> = {
  read: (part) => ({ type: "snapshot", snapshot: label(part.snapshot) }),
  meaning: () => ["snapshot"],
};
