import { label } from "../../../worker/fields";
import { node } from "../../../worker/values";
import type { ViewOf } from "../model";
import type { PartReader } from "./part_reader";

export const custom: PartReader<ViewOf<"custom">> = {
  read: (part, { whole }) => ({
    type: "custom",
    name: label(part.type, 100) || "no type",
    value: node(whole),
  }),
  meaning(part) {
    const { id: _, messageID: __, sessionID: ___, time: ____, ...rest } = part;
    return rest;
  },
};
