import { endedBadly, FLAG_ERROR, type Layout } from "./layout";
import type { RowMap } from "./row_map";

/** The rows of the calls that ended badly, and of the messages with an error, in order. */
export function failedRows({ flags, statuses }: Layout, map: RowMap): number[] {
  const rows: number[] = [];
  for (let message = 0; message < map.messages; message++) {
    const header = map.header(message);
    if (((flags[message] ?? 0) & FLAG_ERROR) !== 0) rows.push(header);
    const first = map.firstPart[message] ?? 0;
    for (let part = 0; part < map.parts(message); part++) {
      if (endedBadly(statuses[first + part])) rows.push(header + part + 1);
    }
  }
  return rows;
}
