import type { Feature } from "../../core/page/feature";
import { Part, partName } from "./view/part";
import { estimatePart } from "./view/registry";

/** How parts and calls of tools are drawn, and read for that in the worker. */
export const cards = {
  slots: { part: Part },
  cards: { nameOf: partName, estimate: estimatePart },
} satisfies Feature;
