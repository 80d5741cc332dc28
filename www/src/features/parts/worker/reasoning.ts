import type { ViewOf } from "../model";
import type { PartReader } from "./part_reader";
import { proseFields } from "./prose";

export const reasoning: PartReader<ViewOf<"reasoning">> = {
  read: (part, place) => ({ type: "reasoning", ...proseFields(part, place) }),
  meaning: (part) => ["reasoning", part.text],
};
