import { estimatePart } from "../../parts/view/registry";
import type { Layout } from "../model/layout";
import type { RowMap } from "../model/row_map";

/** The usual height of a message's header, in pixels. */
export const HEADER = 52;

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
