import type { PartType, PartView, ViewOf } from "../../../core/model/parts";
import type { PartPlace } from "../../../core/worker/cards";
import type { Fields } from "../../../core/worker/fields";
import { agent } from "./agent";
import { compaction } from "./compaction";
import { custom } from "./custom";
import { file } from "./file";
import type { PartReader } from "./part_reader";
import { patch } from "./patch";
import { reasoning } from "./reasoning";
import { retry } from "./retry";
import { snapshot } from "./snapshot";
import { stepFinish } from "./step_finish";
import { stepStart } from "./step_start";
import { subtask } from "./subtask";
import { text } from "./text";
import { tool } from "./tool";

/**
 * One reader a type of part. What draws them is in view/registry.ts: one object for both would pull
 * Preact and all views into the worker, and the reading into the page.
 */
const READERS: { [T in PartType]: PartReader<ViewOf<T>> } = {
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

function readerOf(part: Fields): PartReader {
  const type = typeof part.type === "string" ? part.type : "";
  return Object.hasOwn(READERS, type) ? READERS[type as PartType] : READERS.custom;
}

/** What a row shows of a part. */
export function readPart(part: Fields, place: PartPlace): PartView {
  return readerOf(part).read(part, place);
}
