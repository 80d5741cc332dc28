import type { ViewOf } from "../../../core/model/parts";
import type { PartReader } from "./part_reader";
import { proseFields } from "./prose";

export const reasoning: PartReader<ViewOf<"reasoning">> = {
  read: (part, place) => ({ type: "reasoning", ...proseFields(part, place) }),
};
