import type { ViewOf } from "../../../core/model/parts";
import type { PartReader } from "./part_reader";
import { proseFields } from "./prose";

export const text: PartReader<ViewOf<"text">> = {
  read: (part, place) => ({ type: "text", ...proseFields(part, place) }),
};
