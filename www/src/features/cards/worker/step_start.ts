import type { ViewOf } from "../../../core/model/parts";
import type { PartReader } from "./part_reader";

export const stepStart: PartReader<ViewOf<"step-start">> = {
  read: (_, place) => ({ type: "step-start", step: place.step() }),
};
