import { RowFilter } from "../model/filter";
import type { Query } from "../model/query";
import type { RowMap } from "../model/row_map";
import { inBatches } from "./batches";
import { label } from "./fields";
import { type Matches, Matching, MOST_HITS } from "./matches";
import type { OpenTranscript } from "./open_transcript";
import { pause } from "./pause";

/** The worker answers other calls at least this often, in milliseconds. */
const SLICE = 30;

/** What a query finds; undefined where it is not wanted any more. */
export async function matchesOf(
  open: OpenTranscript,
  map: RowMap,
  { filters, terms }: Query,
  isWanted: () => boolean,
): Promise<Matches | undefined> {
  const filter = new RowFilter(
    filters.length > 0 ? open.whole() : open.layout,
    map,
    filters,
    terms.length > 0,
    (m, p) => label(open.part(m, p).type),
  );
  if (terms.length === 0) return rowsOf(map, filter, isWanted);
  const matching = new Matching(open.transcript, map, terms, filter);
  const isOver = await inBatches(open, map.messages, isWanted, (from, to) =>
    matching.look(from, to),
  );
  return isOver ? matching.matches() : undefined;
}

/** Rows that pass filters alone; undefined where they are not wanted any more. */
async function rowsOf(
  map: RowMap,
  filter: RowFilter,
  isWanted: () => boolean,
): Promise<Matches | undefined> {
  const rows: number[] = [];
  let since = performance.now();
  for (let message = 0; message < map.messages; message++) {
    const header = map.header(message);
    const parts = map.parts(message);
    for (let part = -1; part < parts; part++) {
      if (!filter.passes(message, part)) continue;
      if (rows.length === MOST_HITS) return plain(rows, true);
      rows.push(header + part + 1);
    }
    if (message % 64 === 0 && performance.now() - since > SLICE) {
      await pause();
      if (!isWanted()) return undefined;
      since = performance.now();
    }
  }
  return plain(rows, false);
}

/** Rows as they are, without a place in them. */
function plain(rows: number[], capped: boolean): Matches {
  const nowhere = new Uint32Array(rows.length);
  const places = { starts: nowhere, ends: nowhere, fields: nowhere, names: [""] };
  return { rows: Uint32Array.from(rows), ...places, capped };
}
