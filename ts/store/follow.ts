// How a log is followed, whatever it is kept in: look, give what there is, wait until something has changed.
import { checkPosition, checkRunId, RunStoreError } from "./errors.ts";
import type { Abort, Batch, Position, RunState } from "./types.ts";

/** Rings when a run has changed; `turn` counts how often. */
export class Bell {
  turn = 0;
  /** How many follow. */
  users = 0;
  /** The id in the store up to which a follower has read, where the store is to be asked for more. */
  declare last?: string;
  #waiting = new Set<() => void>();

  ring(): void {
    this.turn++;
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves when the bell has rung since `turn`, when `signal` aborts, or after `ms`, if given. */
  heard(turn: number, signal?: Abort, ms?: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.turn !== turn || signal?.aborted) return resolve();
      // A process with nothing else to do may end: nobody is left who could write.
      const timer = ms ? setTimeout(() => wake(), ms) : undefined;
      timer?.unref?.();
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal?.addEventListener("abort", wake);
    });
  }
}

/** The bells of the runs that are followed. */
export class Bells {
  #bells = new Map<string, Bell>();

  get(runId: string): Bell | undefined {
    return this.#bells.get(runId);
  }

  get size(): number {
    return this.#bells.size;
  }

  [Symbol.iterator](): IterableIterator<[string, Bell]> {
    return this.#bells[Symbol.iterator]();
  }

  /** The bell of a run, until `leave`. */
  join(runId: string): Bell {
    let bell = this.#bells.get(runId);
    if (!bell) {
      bell = new Bell();
      this.#bells.set(runId, bell);
    }
    bell.users++;
    return bell;
  }

  leave(runId: string): void {
    const bell = this.#bells.get(runId);
    if (bell && --bell.users === 0) this.#bells.delete(runId);
  }
}

/** How a run can end. */
export type End = "done" | "error";

export const isEnded = (state: RunState): state is RunState & { status: End } =>
  state.status === "done" || state.status === "error";

/**
 * Whether a reader at this position, which was written in this epoch, has seen the beginning of what the log now
 * says (RL-9). `began[0]` is where a lost run was created again: what readers have beyond it was not kept.
 */
export function isSound(
  // A log of another's making may not say where epochs began.
  { epoch: current, position: end, began = {} }: RunState,
  position: Position,
  epoch: number,
): boolean {
  if (epoch === current) return !(position > end && began[0] !== undefined);
  return epoch > 0 && epoch < current && (began[epoch + 1] ?? -1) >= position;
}

/** The epoch in which the log wrote this position. */
function epochAt({ epoch, position: end, began }: RunState, position: Position): number {
  if (position > end) return epoch;
  let result = epoch;
  while (result > 1 && began[result - 1] !== undefined && (began[result] ?? -1) >= position)
    result--;
  return result;
}

/** Reads from a position; `turn` is that of the bell before it. */
export type ReadNow = (
  from: Position,
  turn: number,
) => { batches: Batch[]; state: RunState } | Promise<{ batches: Batch[]; state: RunState }>;

/** Follows a run: `read(from, turn)` reads as `RunLog.read` does, `bells` has the run's bell. */
export async function* follow(
  runId: string,
  from: Position,
  { signal }: { signal?: Abort } = {},
  read: ReadNow,
  bells: Bells,
  ms?: number,
): AsyncGenerator<Batch, void, undefined> {
  checkRunId(runId);
  checkPosition(from);
  const bell = bells.join(runId);
  let place = from;
  let epoch: number | undefined;
  let hasRead = false;
  try {
    while (!signal?.aborted) {
      const { turn } = bell;
      const { batches, state } = await read(place, turn);
      if (epoch === undefined) epoch = epochAt(state, place);
      else if (
        !isSound(state, place, epoch) ||
        // What it has ends inside a batch: that is another text, of a claim that was given its number again.
        (hasRead && batches[0] && batches[0].from < place) ||
        (isEnded(state) && place > state.position)
      ) {
        throw new RunStoreError("trimmed", { runId, position: state.position });
      }
      for (const batch of batches) {
        if (signal?.aborted) return;
        place = batch.to;
        epoch = batch.epoch;
        hasRead = true;
        yield batch;
      }
      if (isEnded(state) && place >= state.position) return;
      if (batches.length === 0) await bell.heard(turn, signal, ms);
    }
  } finally {
    bells.leave(runId);
  }
}
