import { endedBadly, FLAG_ERROR, type Layout } from "./layout";
import type { RowMap } from "./row_map";

/** The rows of the calls that ended badly, and of the messages with an error, in order. */
export function failedRows({ flags, statuses }: Layout, map: RowMap): number[] {
  return map.rowsWhere(
    (message) => ((flags[message] ?? 0) & FLAG_ERROR) !== 0,
    (part) => endedBadly(statuses[part]),
  );
}
