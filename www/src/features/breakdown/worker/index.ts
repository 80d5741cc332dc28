import type { Calls, Desk } from "../../../core/worker/desk";
import { ofSummedUp } from "../../../core/worker/summed_up";
import { breakdown as breakdownOf, rangeSums } from "./breakdown";

export const breakdown = (desk: Desk): Calls<"breakdown" | "rangeSums"> => ({
  breakdown: (by) => ofSummedUp(desk, (mine, map) => breakdownOf(mine, map, by)),
  rangeSums: (start, end) => ofSummedUp(desk, (mine) => rangeSums(mine, start, end)),
});
