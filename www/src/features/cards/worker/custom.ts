import type { ViewOf } from "../../../core/model/parts";
import { type Fields, fields, label } from "../../../core/worker/fields";
import { node } from "../../../core/worker/values";
import type { PartReader } from "./part_reader";

export const custom: PartReader<ViewOf<"custom">> = {
  read(part, { whole }) {
    const all = fields(whole);
    return {
      type: "custom",
      name: label(part.type, 100) || "no type",
      value: node(all ? content(all) : whole),
    };
  },
};

/** Its head names the type, and of ids nobody reads, nor what is kept for the way back: the inspector has them. */
function content(part: Fields): Fields {
  const { type: _, id: __, messageID: ___, sessionID: ____, opencode2: _____, ...rest } = part;
  return rest;
}
