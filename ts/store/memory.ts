// A log of runs in the memory of this process: the contract without a store, for tests and small sites.
import {
  Bells,
  checkBatch,
  checkBytes,
  checkClaim,
  checkPosition,
  checkRunId,
  checkTime,
  detailsOf,
  ENDED_TTL,
  type End,
  follow,
  isEnded,
  MOST_BATCH,
  MOST_RUN,
  nonce,
  none,
  type OwnLog,
  RunStoreError,
  TTL,
  tokenOf,
  WATCH,
} from "./shared.ts";
import type {
  Batch,
  MemoryRunLogOptions,
  Position,
  RunLog,
  RunState,
  RunStoreErrorCode,
} from "./types.ts";

/** How often a follower looks whether its run has expired. */
const LOOK_MS = 1000;

/** A run that is kept. Times are in milliseconds. */
interface Run {
  epoch: number;
  /** The token and the owner of the last claim, how long its lease is, and when it is over. */
  token: string;
  owner: string;
  lease: number;
  until: number;
  position: Position;
  /** The position at which each epoch began. */
  began: Record<number, Position>;
  entries: Batch[];
  /** Bytes that were appended. */
  size: number;
  snapshot?: Uint8Array;
  snapshotAt: Position;
  /** When it was last written, and how long it is kept from then on. */
  touched: number;
  ttl: number;
  isOver?: boolean;
  ended?: End;
  stop?: true;
}

/** The index of the first entry after a position. */
function after(entries: Batch[], position: Position) {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.to ?? 0) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * A log in the memory of this process.
 * @param options - Times in milliseconds, and the size of a run.
 * @returns The log.
 * @example
 * ```ts
 * import { memoryRunLog } from "apex-parts/store";
 *
 * const log = memoryRunLog({ ttlMs: 60_000 });
 * (await log.latest("r1")).state.status; // "none"
 * ```
 */
export function memoryRunLog(options: MemoryRunLogOptions = {}): RunLog {
  const { ttlMs = TTL, endedTtlMs = ENDED_TTL, maxBytes = MOST_RUN, now = Date.now } = options;
  checkTime(ttlMs);
  checkTime(endedTtlMs);
  const runs = new Map<string, Run>();
  const bells = new Bells();
  const watched = new Map<string, () => void>();
  let sweeper = runs.entries();

  function fail(
    code: RunStoreErrorCode,
    runId: string,
    { epoch, owner, position }: { epoch?: number; owner?: string; position?: Position } = {},
  ): never {
    throw new RunStoreError(code, detailsOf({ runId, epoch, owner, position }));
  }

  /** What has expired stays so where the clock is set back: its text is gone. */
  const isExpired = (run: Run) => (run.isOver ||= now() >= run.touched + run.ttl);

  /** Looks at two more runs, so that those nobody asks for any more go too. */
  function sweep() {
    for (let looks = 0; looks < 2; looks++) {
      const { value, done } = sweeper.next();
      if (done) {
        sweeper = runs.entries();
        return;
      }
      find(value[0]);
    }
  }

  /** A run, without its text if that has expired; undefined if there is none. */
  function find(runId: string): Run | undefined {
    const run = runs.get(runId);
    if (!run || !isExpired(run)) return run;
    run.entries = [];
    run.snapshot = undefined;
    // What is left is known for as long again, to tell `expired` from `none`.
    if (now() < run.touched + 2 * run.ttl) return run;
    runs.delete(runId);
    return undefined;
  }

  function known(runId: string): Run {
    checkRunId(runId);
    const run = find(runId);
    if (!run) return fail("unknown_run", runId);
    if (isExpired(run)) fail("expired", runId, run);
    return run;
  }

  function owned(runId: string, token: string): Run {
    const run = known(runId);
    if (run.token !== token) fail("fenced", runId, run);
    return run;
  }

  function stateOf(run: Run): RunState {
    const { epoch, position, snapshotAt, owner, until, began } = run;
    const status = isExpired(run) ? "expired" : (run.ended ?? "open");
    const leaseMs = Math.max(0, until - now());
    const state: RunState = { status, position, epoch, leaseMs, snapshotAt, began: { ...began } };
    if (until > 0) state.owner = owner;
    return state;
  }

  function touch(run: Run) {
    run.touched = now();
    if (!run.ended) run.until = run.touched + run.lease;
  }

  function readNow(runId: string, from: Position, most = MOST_BATCH) {
    checkPosition(from);
    const run = known(runId);
    if (from < run.snapshotAt) fail("trimmed", runId, { position: run.snapshotAt });
    const batches: Batch[] = [];
    let size = 0;
    for (let at = after(run.entries, from); at < run.entries.length; at++) {
      const batch = run.entries[at];
      if (!batch) break;
      size += batch.bytes.length;
      if (batches.length > 0 && size > most) break;
      // A copy: a reader may transfer it to another thread, which empties it here.
      batches.push({ ...batch, bytes: batch.bytes.slice() });
    }
    return { batches, state: stateOf(run) };
  }

  const log: OwnLog = {
    async claim(runId, o) {
      const lease = checkClaim(runId, o);
      sweep();
      let run = find(runId);
      if (run) {
        known(runId);
        if (run.ended) fail("ended", runId, run);
        const isHeld = run.until > now() && run.owner !== o.owner;
        if (isHeld && !o.force) fail("held", runId, run);
      } else {
        run = {
          ...{ epoch: 0, token: "", owner: o.owner, lease, until: 0 },
          ...{ position: 0, began: {}, entries: [], size: 0, snapshotAt: 0 },
          ...{ touched: now(), ttl: ttlMs },
        };
        runs.set(runId, run);
      }
      run.epoch++;
      run.token = tokenOf(run.epoch, nonce());
      run.owner = o.owner;
      run.lease = lease;
      run.until = now() + lease;
      run.began[run.epoch] = run.position;
      bells.get(runId)?.ring();
      const { epoch, token, position, snapshotAt, snapshot } = run;
      const claim = { epoch, token, position, snapshotAt, tookOver: epoch > 1 };
      return snapshot ? { ...claim, snapshot: snapshot.slice() } : claim;
    },

    async append(runId, batch) {
      checkBatch(runId, batch);
      const { from, to, bytes, token, end } = batch;
      const run = owned(runId, token);
      const isAgain = to === run.position && to > (run.began[run.epoch] ?? to);
      if (run.ended) return isAgain && end === run.ended ? "duplicate" : fail("ended", runId, run);
      if (isAgain) return "duplicate";
      if (from !== run.position || to <= from) fail("gap", runId, run);
      if (run.size + bytes.length > maxBytes) fail("too_large", runId, run);
      run.size += bytes.length;
      run.entries.push({ from, to, epoch: run.epoch, bytes: bytes.slice() });
      run.position = to;
      if (end) {
        run.ended = end;
        run.until = 0;
        run.ttl = Math.min(ttlMs, endedTtlMs);
      }
      touch(run);
      sweep();
      bells.get(runId)?.ring();
      return "stored";
    },

    async renew(runId, token) {
      const run = owned(runId, token);
      if (run.ended) fail("ended", runId, run);
      run.until = now() + run.lease;
      return { stop: run.stop === true, position: run.position };
    },

    async release(runId, token) {
      owned(runId, token).until = 0;
    },

    async snapshot(runId, { token, at, bytes }) {
      checkPosition(at);
      checkBytes(runId, bytes, MOST_RUN);
      const run = owned(runId, token);
      if (at < run.snapshotAt) return;
      const index = after(run.entries, at);
      const isStored = at === run.snapshotAt ? at > 0 : run.entries[index - 1]?.to === at;
      if (!isStored) fail("gap", runId, run);
      run.entries.splice(0, index);
      run.snapshot = bytes.slice();
      run.snapshotAt = at;
    },

    async latest(runId) {
      checkRunId(runId);
      const run = find(runId);
      if (!run) return none();
      const { snapshot, snapshotAt } = run;
      const latest = { state: stateOf(run), snapshotAt };
      return snapshot ? { ...latest, snapshot: snapshot.slice() } : latest;
    },

    async read(runId, from, o) {
      return readNow(runId, from, o?.maxBytes);
    },

    follow(runId, from, o) {
      return follow(runId, from, o, (place) => readNow(runId, place, o?.maxBytes), bells, LOOK_MS);
    },

    async requestStop(runId) {
      const run = known(runId);
      if (isEnded(stateOf(run))) return;
      run.stop = true;
      watched.get(run.token)?.();
    },

    async delete(runId) {
      checkRunId(runId);
      runs.delete(runId);
      bells.get(runId)?.ring();
    },

    [WATCH](runId, token, onStop) {
      watched.set(token, onStop);
      const run = runs.get(runId);
      if (run?.stop && run.token === token) onStop();
      return () => watched.delete(token);
    },
  };
  return log;
}
