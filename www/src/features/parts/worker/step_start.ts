import type { ViewOf } from "../model";
import type { PartReader } from "./part_reader";

export const stepStart: PartReader<ViewOf<"step-start">> = {
  read: (_, place) => ({ type: "step-start", step: place.step() }),
  meaning: () => ["step-start"],
};
