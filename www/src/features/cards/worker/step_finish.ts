import type { ViewOf } from "../../../core/model/parts";
import { label, number } from "../../../core/worker/fields";
import { tokens } from "../../../core/worker/values";
import type { PartReader } from "./part_reader";

export const stepFinish: PartReader<ViewOf<"step-finish">> = {
  read: (part, place) => ({
    type: "step-finish",
    step: place.step(),
    reason: label(part.reason, 60),
    cost: number(part.cost) ?? 0,
    tokens: tokens(part.tokens),
  }),
};
