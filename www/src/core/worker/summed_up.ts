import type { RowMap } from "../model/row_map";
import { inBatches } from "./batches";
import type { Desk } from "./desk";
import type { OpenTranscript } from "./open_transcript";
import type { Searching } from "./searching";

/**
 * Has the module sum up a transcript, in batches, and waits while a search runs; false once it is not wanted any
 * more. One that has grown is summed up from its beginning: what its last messages say has changed.
 */
async function sumUp(
  open: OpenTranscript,
  map: RowMap,
  searching: Searching,
  isWanted: () => boolean,
): Promise<boolean> {
  const { transcript } = open;
  let looked = 0;
  const look = (_from: number, to: number) => {
    looked = transcript.summarize(to);
    return true;
  };
  while (looked < map.messages) {
    await searching.over();
    const goesOn = () => isWanted() && !searching.isRunning;
    await inBatches(open, map.messages, goesOn, look, looked);
    if (!isWanted()) return false;
  }
  return true;
}

/** What can be asked once the module has summed up the open transcript. */
export function ofSummedUp<T>(
  desk: Desk,
  ask: (mine: OpenTranscript, map: RowMap) => T,
): Promise<T> {
  return desk.inSteps(async (mine, isWanted) => {
    const { map } = desk.rows;
    return (await sumUp(mine, map, desk.searching, isWanted)) ? ask(mine, map) : undefined;
  });
}
