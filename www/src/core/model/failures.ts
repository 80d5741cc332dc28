import { endedBadly, failedCalls, hasError, type Layout } from "./layout";
import type { RowMap } from "./row_map";

/** The rows of the calls that failed, in order: as many as the core's summary counts. */
export function failedCallRows({ statuses }: Layout, map: RowMap): number[] {
  return map.rowsWhere(
    () => false,
    (part) => endedBadly(statuses[part]),
  );
}

/** The rows of the messages of the model that have an error of their own, in order. */
export function errorRows({ flags }: Layout, map: RowMap): number[] {
  return map.rowsWhere(
    (message) => hasError(flags[message]),
    () => false,
  );
}

/** Both, in order: where something went wrong. */
export function failedRows({ flags, statuses }: Layout, map: RowMap): number[] {
  return map.rowsWhere(
    (message) => hasError(flags[message]),
    (part) => endedBadly(statuses[part]),
  );
}

/** What tells how many calls of a transcript failed, and how many messages of the model. */
interface Failing {
  facts: { layout: Layout };
  summary: { failed: number; messageErrors: number } | undefined;
}

/**
 * How many calls failed in all sessions of the file, as the core's summary counts them; until that is there, in the
 * session that is shown.
 */
export function failedIn({ facts, summary }: Failing): number {
  return summary?.failed ?? failedCalls(facts.layout);
}

/** How many messages of the model ended in an error, likewise. */
export function messageErrorsIn({ facts, summary }: Failing): number {
  return summary?.messageErrors ?? facts.layout.flags.filter(hasError).length;
}
