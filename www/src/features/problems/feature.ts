import type { Feature } from "../../core/page/feature";
import { Damage } from "./view/damage";
import { Problems, ProblemWords } from "./view/problems";

/** What is wrong with the file. */
export const problems = {
  slots: { bar: Damage, problem: ProblemWords },
  panes: { problems: { View: Problems } },
} satisfies Feature;
