import { inBatches } from "../../worker/batches";
import { type Fields, fields, label, list, number, text } from "../../worker/fields";
import type { OpenTranscript } from "../../worker/open_transcript";
import { pause } from "../../worker/pause";
import { isSearching, searched } from "../search/worker/search";
import type { RowMap } from "../transcript/model/row_map";
import type { LoopView } from "./model";

/** In a session that has ended, the number of its calls alone is not a loop. */
const FINISHED = { maxIterations: Number.MAX_SAFE_INTEGER };
/** The most loops that the page shows. */
const SHOWN = 1000;
/** Messages whose parts are looked through at a time … */
const BATCH = 50;
/** … and this many in all before the message that closed a loop. */
const BACK = 5_000;

/**
 * The loops of a transcript, with the rows of their parts; undefined once it is not wanted any more. It
 * is done in batches, and waits while a search runs.
 */
export async function findLoops(
  open: OpenTranscript,
  map: RowMap,
  isWanted: () => boolean,
): Promise<LoopView[] | undefined> {
  const { transcript } = open;
  /** After which message each loop was seen, in the order of the loops. */
  const seen: number[] = [];
  const look = (_from: number, to: number) => {
    const count = transcript.lookForLoops(to, FINISHED);
    while (seen.length < count) seen.push(to);
    looked = to;
    return true;
  };
  let looked = 0;
  while (looked < map.messages) {
    await searched();
    const goesOn = () => isWanted() && !isSearching();
    await inBatches(open, map.messages, goesOn, look, looked);
    if (!isWanted()) return undefined;
  }
  const found = transcript.loops(FINISHED).slice(0, SHOWN);
  const loops = found.map((loop) => fields(loop) ?? {});
  const rows = new Map<string, number>();
  for (const [i, loop] of loops.entries()) {
    const wanted = new Set(idsOf(loop).filter((id) => !rows.has(id)));
    const end = seen[i] ?? 0;
    // Those that were seen in no row are of other sessions.
    for (let to = end; to > 0 && wanted.size > 0 && end - to < BACK; to -= BATCH) {
      const from = Math.max(0, to - BATCH);
      for (const [n, message] of transcript.messages(from, to).entries()) {
        for (const [part, value] of list(fields(message)?.parts).entries()) {
          const id = text(fields(value)?.id);
          if (id !== undefined && wanted.delete(id)) rows.set(id, map.row(from + n, part));
        }
      }
      await pause();
      if (!isWanted()) return undefined;
    }
  }
  return loops.map((loop) => view(loop, rows));
}

function view(loop: Fields, rows: Map<string, number>): LoopView {
  return {
    kind: label(loop.kind, 40),
    action: loop.suggestedAction === "interrupt" ? "interrupt" : "warning",
    repeats: number(loop.repeats) ?? 0,
    message: label(loop.message, 1000),
    rows: idsOf(loop)
      .map((id) => rows.get(id) ?? -1)
      .filter((row) => row >= 0)
      .sort((a, b) => a - b),
  };
}

function idsOf(loop: Fields): string[] {
  return list(loop.partIDs).filter((id) => typeof id === "string");
}
