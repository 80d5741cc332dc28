import type { LoopView } from "../../core/model/loops";
import type { RowMap } from "../../core/model/row_map";
import { inBatches } from "../../core/worker/batches";
import type { Calls, Desk } from "../../core/worker/desk";
import { type Fields, fields, label, list, number } from "../../core/worker/fields";
import type { OpenTranscript } from "../../core/worker/open_transcript";
import type { Searching } from "../../core/worker/searching";

/** In a session that has ended, the number of its calls alone is not a loop. */
const FINISHED = { maxIterations: Number.MAX_SAFE_INTEGER };
/** The most loops that the page shows. */
const SHOWN = 1000;

/**
 * The loops of a transcript, with the rows of all their parts; undefined once it is not wanted any more. It
 * is done in batches, and waits while a search runs.
 */
async function findLoops(
  open: OpenTranscript,
  map: RowMap,
  searching: Searching,
  isWanted: () => boolean,
): Promise<LoopView[] | undefined> {
  const { transcript } = open;
  const look = (_from: number, to: number) => {
    transcript.lookForLoops(to, FINISHED);
    looked = to;
    return true;
  };
  let looked = 0;
  while (looked < map.messages) {
    await searching.over();
    const goesOn = () => isWanted() && !searching.isRunning;
    await inBatches(open, map.messages, goesOn, look, looked);
    if (!isWanted()) return undefined;
  }
  const found = transcript.loops(FINISHED).slice(0, SHOWN);
  return found.map((loop) => view(fields(loop) ?? {}, map));
}

function view(loop: Fields, map: RowMap): LoopView {
  return {
    kind: loop.kind as LoopView["kind"],
    action: loop.suggestedAction === "interrupt" ? "interrupt" : "warning",
    repeats: number(loop.repeats) ?? 0,
    message: label(loop.message, 1000),
    rows: list(loop.places)
      .map((place) => rowOf(list(place), map))
      .filter((row) => row >= 0),
  };
}

/** Those of other sessions have no rows. */
function rowOf([message, part]: unknown[], map: RowMap): number {
  return map.row(number(message) ?? -1, number(part) ?? -1);
}

export const loops = (desk: Desk): Calls<"loops"> => ({
  loops: () =>
    desk.inSteps((mine, isWanted) => findLoops(mine, desk.rows.map, desk.searching, isWanted)),
});
