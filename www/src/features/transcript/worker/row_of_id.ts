import type { RowMap } from "../../../core/model/row_map";
import { fields, list, text } from "../../../core/worker/fields";
import type { OpenTranscript } from "../../../core/worker/open_transcript";
import { pause } from "../../../core/worker/pause";

/** There is no index of ids, so the messages are read one by one, this long at a time, in ms. */
const SLICE = 30;
/** How many ids are remembered. */
const KEPT = 200;

const known = new WeakMap<OpenTranscript, Map<string, number>>();

/** The row of the part or the message that has this id, or -1. What was found once is remembered. */
export async function rowOfId(
  open: OpenTranscript,
  map: RowMap,
  id: string,
  isOpen: () => boolean,
): Promise<number> {
  const before = known.get(open)?.get(id);
  if (before !== undefined) return before;
  const row = await look(open, map, id, isOpen);
  const all = known.get(open) ?? new Map<string, number>();
  if (all.size < KEPT && isOpen()) known.set(open, all.set(id, row));
  return row;
}

async function look(
  open: OpenTranscript,
  map: RowMap,
  id: string,
  isOpen: () => boolean,
): Promise<number> {
  let since = performance.now();
  for (let message = 0; message < map.messages; message++) {
    const value = fields(open.transcript.message(message));
    if (text(fields(value?.info)?.id) === id) return map.row(message);
    const part = list(value?.parts).findIndex((each) => text(fields(each)?.id) === id);
    if (part >= 0) return map.row(message, part);
    if (performance.now() - since > SLICE) {
      await pause();
      if (!isOpen()) return -1;
      since = performance.now();
    }
  }
  return -1;
}
