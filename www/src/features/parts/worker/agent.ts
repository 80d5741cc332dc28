import { label } from "../../../worker/fields";
import type { ViewOf } from "../model";
import type { PartReader } from "./part_reader";

export const agent: PartReader<ViewOf<"agent">> = {
  read: (part) => ({ type: "agent", name: label(part.name, 100) }),
  meaning: (part) => ["agent", part.name],
};
