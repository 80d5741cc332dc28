import { PART_TYPES } from "../../parts/model";
import type { Layout } from "../model/layout";
import type { RowMap } from "../model/row_map";

const HEIGHTS: Partial<Record<(typeof PART_TYPES)[number], number>> = {
  reasoning: 36,
  "step-start": 28,
  "step-finish": 32,
  compaction: 40,
  patch: 36,
  snapshot: 36,
  agent: 36,
};

/** The height of a message's header, mostly. */
export const HEADER = 52;

/** A first guess at the height of a part, by its code and its size in bytes. */
export function estimatePart(code: number, size: number): number {
  const type = PART_TYPES[code];
  const fixed = type && HEIGHTS[type];
  if (fixed) return fixed;
  const lines = Math.min(40, Math.ceil(size / 90));
  return type === "tool" ? 90 + lines * 14 : 24 + lines * 22;
}

/** First guesses at the heights of all rows, so that the scroll bar hardly moves. */
export function guesses(map: RowMap, { types, sizes }: Layout): Float32Array {
  const all = new Float32Array(map.rows);
  let row = 0;
  for (let message = 0; message < map.messages; message++) {
    all[row++] = HEADER;
    const end = map.firstPart[message + 1] ?? 0;
    for (let part = map.firstPart[message] ?? 0; part < end; part++) {
      all[row++] = estimatePart(types[part] ?? 255, sizes[part] ?? 0);
    }
  }
  return all;
}
