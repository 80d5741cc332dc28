// What a reader of a run has to do, one step after the other: begin anew, take a batch, end. Troubles on the way
// (the store is away, the text was trimmed or taken back) are waited out or become a new beginning.
import { pause } from "./delivery.ts";
import { codeOf, type End, isEnded, isSound, MOST_BATCH, RunStoreError } from "./shared.ts";
import type { Abort, Batch, Position, RunLog, RunState } from "./types.ts";

/** How long a store may be away. */
const PATIENCE_MS = 10_000;
/** A reader that takes longer over a step is asked how far behind it is. */
const SLOW_MS = 50;

/** A position, and the epoch in which it was written. */
export interface Place {
  position: Position;
  epoch: number;
}

/** NDJSON, and the place at its end. */
export interface Piece extends Place {
  bytes: Uint8Array;
  isSnapshot?: true;
}

/** Begin anew with these pieces, read in this state. */
export interface ResetStep extends Place {
  reset: Piece[];
  state: RunState;
  batch?: undefined;
  end?: undefined;
}

/** Take a batch. */
export interface BatchStep extends Place {
  batch: Batch;
  reset?: undefined;
  end?: undefined;
}

/** The run has ended. */
export interface EndStep extends Place {
  end: End;
  reset?: undefined;
  batch?: undefined;
}

export type Step = ResetStep | BatchStep | EndStep;

/** The state of a run that there is. */
export function present(runId: string, state: RunState): RunState {
  if (state.status === "none") throw new RunStoreError("unknown_run", { runId });
  if (state.status === "expired") throw new RunStoreError("expired", { runId });
  return state;
}

/** All that is stored: pieces of NDJSON, each with the place at its end; and the state in which they were read. */
async function whole(log: RunLog, runId: string): Promise<ResetStep> {
  const { state, snapshot, snapshotAt } = await log.latest(runId);
  present(runId, state);
  let seen = state;
  let { epoch } = state;
  let position = snapshotAt;
  const pieces: Piece[] = snapshot ? [{ bytes: snapshot, position, epoch, isSnapshot: true }] : [];
  while (position < state.position) {
    const { batches, state: now } = await log.read(runId, position);
    if (batches.length === 0) break;
    seen = now;
    epoch = now.epoch;
    for (const { to, bytes } of batches) {
      pieces.push({ bytes, position: to, epoch });
      position = to;
    }
  }
  return { reset: pieces, state: seen, position, epoch };
}

/** The steps of a reader. `from`: the place {position, epoch} that it has; `isLive`: skips what it is too far behind for. */
export async function* steps(
  log: RunLog,
  runId: string,
  { from, isLive = false, signal }: { from?: Place; isLive?: boolean; signal?: Abort },
): AsyncGenerator<Step, void, undefined> {
  let place = from;
  let isKnown = from !== undefined;
  let troubleSince: number | undefined;
  let tries = 0;
  const works = () => {
    isKnown = true;
    troubleSince = undefined;
    tries = 0;
  };
  while (!signal?.aborted) {
    try {
      if (!place) {
        const step = await whole(log, runId);
        works();
        place = { position: step.position, epoch: step.epoch };
        yield step;
        continue;
      }
      const { batches, state } = await log.read(runId, place.position);
      works();
      // Its text was taken back, or ends inside a batch of another; or its id was never one of this run.
      const [first] = batches;
      const last = batches.at(-1);
      if ((first && first.from < place.position) || !isSound(state, place.position, place.epoch)) {
        place = undefined;
        continue;
      }
      const size = batches.reduce((sum, { bytes }) => sum + bytes.length, 0);
      // A read gives 1 MB: what is beyond is more than that behind.
      if (isLive && size > MOST_BATCH / 2 && last && last.to < state.position) {
        place = undefined;
        continue;
      }
      for (const batch of batches) {
        place = { position: batch.to, epoch: batch.epoch ?? state.epoch };
        yield { batch, ...place };
      }
      if (batches.length > 0) continue;
      if (isEnded(state)) {
        yield { end: state.status, ...place };
        return;
      }
      for await (const batch of log.follow(runId, place.position, { signal })) {
        works();
        const epoch: number = batch.epoch ?? place.epoch;
        // It was ahead of the log, which another has written otherwise.
        if (batch.from < place.position) {
          place = undefined;
          break;
        }
        // Another writer's: looks first whether it went on from there.
        if (epoch !== place.epoch) break;
        place = { position: batch.to, epoch };
        const at = Date.now();
        yield { batch, ...place };
        if (isLive && Date.now() - at > SLOW_MS) break;
      }
    } catch (error) {
      if (signal?.aborted) return;
      const code = codeOf(error);
      if (code === "trimmed") {
        place = undefined;
        continue;
      }
      // A run that a store lost is created again by its writer.
      if (code !== "unavailable" && !(code === "unknown_run" && isKnown)) throw error;
      troubleSince ??= Date.now();
      if (Date.now() - troubleSince >= PATIENCE_MS) throw error;
      await pause(tries++, signal);
    }
  }
}
