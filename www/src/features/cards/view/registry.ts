import { PART_TYPES, type PartType, type PartView, type ViewOf } from "../../../core/model/parts";
import { agent } from "./agent";
import { compaction } from "./compaction";
import { custom } from "./custom";
import { file } from "./file";
import type { PartCard } from "./part_card";
import { patch } from "./patch";
import { reasoning } from "./reasoning";
import { retry } from "./retry";
import { snapshot } from "./snapshot";
import { stepFinish } from "./step_finish";
import { stepStart } from "./step_start";
import { subtask } from "./subtask";
import { text } from "./text";
import { tool } from "./tool";

/** One card a type of part; worker/registry.ts has what reads the parts for them. */
const CARDS: { [T in PartType]: PartCard<ViewOf<T>> } = {
  text,
  reasoning,
  tool,
  "step-start": stepStart,
  "step-finish": stepFinish,
  file,
  subtask,
  agent,
  compaction,
  retry,
  snapshot,
  patch,
  custom,
};

export function cardOf({ type }: PartView): PartCard {
  return CARDS[type];
}

/** By the codes of the layout: half a million parts are asked for at once. */
const ESTIMATES = PART_TYPES.map((type) => CARDS[type].estimate);

/** A first guess at the height of a part, by its code and its size in bytes. */
export function estimatePart(code: number, size: number): number {
  return (ESTIMATES[code] ?? CARDS.custom.estimate)(size);
}
