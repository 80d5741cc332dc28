import type { RowMap } from "../../../core/model/row_map";
import type { HitList } from "../model/hits";

/** The list of results for the rows of hits; computed here, so that the page need not go over all of them. */
export function listing(rows: Uint32Array, map: RowMap): HitList {
  const distinct = new Uint32Array(rows.length);
  const messages = new Uint32Array(rows.length);
  const counts = new Uint32Array(rows.length);
  const lines = new Int32Array(2 * rows.length);
  let found = 0;
  let own = -1;
  let line = 0;
  let last = -1;
  let end = -1;
  for (let hit = 0; hit < rows.length; hit++) {
    const row = rows[hit] ?? 0;
    if (row > end) {
      const message = map.messageAt(row);
      end = map.header(message) + map.parts(message);
      messages[++own] = message;
      lines[line++] = -1 - message;
    }
    if (row !== last) distinct[found++] = row;
    last = row;
    lines[line++] = hit;
    counts[own] = (counts[own] ?? 0) + 1;
  }
  return {
    rows,
    distinct: distinct.slice(0, found),
    lines: lines.slice(0, line),
    messages: messages.slice(0, own + 1),
    counts: counts.slice(0, own + 1),
  };
}
