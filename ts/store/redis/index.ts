// A log of runs in Redis Streams, over the program's own client: what `apex-parts/store/redis` exports.
import {
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
  LEASE,
  MOST_BATCH,
  MOST_RUN,
  nonce,
  none,
  type OwnLog,
  RunStoreError,
  TTL,
  tokenOf,
  WATCH,
  type Watch,
} from "../shared.ts";
import type { Batch, Position, RunLog, RunState, RunStoreErrorCode } from "../types.ts";
import { adapted, type Bulk, type Command } from "./client.ts";
import { APPEND, CLAIM, SNAPSHOT } from "./scripts.ts";
import type { RedisLike, RedisRunLog, RedisRunLogOptions } from "./types.ts";
import { Wake } from "./wake.ts";

export type * from "./types.ts";
export { RunStoreError };

const STOPS_MS = 500;
const WAKES = ["block", "spublish", "poll"];
/** Replies of the scripts that are no error. */
const GOOD = new Set(["ok", "stored", "duplicate"]);

/** What Redis has, or has not: a script's `false` is null. */
type Maybe = Bulk | null | undefined;
/** What a script says of an error: where the run is, its claim, and whether it is to stop. */
type Said = [position?: Maybe, epoch?: Maybe, owner?: Maybe, stop?: Maybe];
/** A run: whether it is over, how long its lease runs, and its hash as a list. */
type State = [isOver: Bulk, leaseLeft: Bulk, list: Bulk[]];
/** What the scripts answer after the code. */
type Claimed = [position: Bulk, epoch: Bulk, snapshotAt: Bulk, snapshot: string | Buffer | null];
type Latest = [state: State, snapshot: string | Buffer | null];
type Found = [state: State, batches: [Bulk, Bulk, Bulk, string | Buffer][]];

const text = (value: Maybe) => (value === null || value === undefined ? undefined : String(value));
const number = (value: Bulk) => Number(String(value));
const numberIn = (value: Maybe) =>
  value === null || value === undefined ? undefined : number(value);

const encoder = new TextEncoder();
/** Bytes of one's own: a client's Buffer is a piece of a larger one. */
const plain = (bytes: string | Uint8Array) =>
  typeof bytes === "string" ? encoder.encode(bytes) : new Uint8Array(bytes);
const buffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

const hashes = new Map<string, string | Promise<string>>();
/** The hash by which Redis knows a script. */
function hashOf(script: string): string | Promise<string> {
  let hash = hashes.get(script);
  if (!hash) {
    const promise = crypto.subtle.digest("SHA-1", encoder.encode(script)).then((bytes) => {
      const hex = [...new Uint8Array(bytes)].map((b) => b.toString(16).padStart(2, "0")).join("");
      hashes.set(script, hex);
      return hex;
    });
    hashes.set(script, promise);
    hash = promise;
  }
  return hash;
}

/** The state of a run, from its hash. */
function stateOf([isOver, leaseLeft, list]: State): RunState {
  const fields: { [name: string]: string } = {};
  for (let i = 0; i < list.length; i += 2) fields[String(list[i])] = String(list[i + 1]);
  const began: Record<number, Position> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (/^c\d+$/.test(name)) began[Number(name.slice(1))] = Number(value);
  }
  // A cast: only `append` and `recreate` write it.
  const ended = fields.end as End | undefined;
  const state: RunState = {
    status: Number(isOver) === 1 ? "expired" : (ended ?? "open"),
    position: Number(fields.pos),
    epoch: Number(fields.epoch),
    leaseMs: Number(String(leaseLeft)),
    snapshotAt: Number(fields.snapAt),
    began,
  };
  if (fields.until !== "0" && fields.owner !== undefined) state.owner = fields.owner;
  return state;
}

/**
 * A log in Redis Streams. Runs of several processes are in one log if `prefix` is the same.
 * @param client - The program's own client, connected.
 * @param options - Times in milliseconds, the names of keys, and how followers are woken.
 * @returns The log.
 * @example
 * ```ts
 * import { type RedisLike, redisRunLog } from "apex-parts/store/redis";
 *
 * // `client` is the program's own, of node-redis or ioredis, connected.
 * const runLog = (client: RedisLike) => redisRunLog(client, { prefix: "chat:", ttlMs: 3_600_000 });
 * typeof runLog; // "function"
 * ```
 */
export function redisRunLog(client: RedisLike, options: RedisRunLogOptions = {}): RedisRunLog {
  // Its methods do not need `this`: a program may wrap single ones.
  const { prefix = "apex:", ttlMs = TTL, leaseMs = LEASE, wait, blocking } = options;
  const redis = adapted(client);
  const { wake = redis.isCluster ? "spublish" : "block" } = options;
  if (!WAKES.includes(wake)) throw new TypeError(`wake must be one of ${WAKES.join(", ")}`);
  const lease = checkTime(leaseMs);
  const ttl = String(checkTime(ttlMs));
  const endedTtl = String(Math.min(Number(ttl), checkTime(options.endedTtlMs ?? ENDED_TTL)));
  // The braces make a run one slot of a cluster; one at the beginning would end that. A half surrogate is not UTF-8,
  // where each would be the same. Such ids are written as JSON, and those that begin as JSON does.
  const key = (runId: string, kind: string) =>
    `${prefix}{${/^["}]|\p{Cs}/u.test(runId) ? JSON.stringify(runId) : runId}}:${kind}`;
  const keyOf = (runId: string) => key(runId, "d");
  const channelOf = (runId: string) => key(runId, "w");
  const bells = new Wake(redis, { prefix, wake, blocking, keyOf, channelOf });
  /** The writers of this process: token → run, and how to stop it. */
  const watched = new Map<string, { runId: string; onStop: () => void }>();
  const stopsKey = `${prefix}stops`;
  let stopsTimer: ReturnType<typeof setInterval> | undefined;
  let stopsId = "-";
  const reads = new Map<string, { name: string; read: ReturnType<typeof readNow> }>();
  for (const script of [CLAIM, APPEND, SNAPSHOT]) hashOf(script);

  /**
   * Runs a script for a run; its reply: the code and what the script says with it. All that fails on the way is
   * `unavailable`.
   */
  async function run<Rest extends unknown[]>(
    script: string,
    runId: string,
    ...args: (string | number | Uint8Array)[]
  ): Promise<[code: Bulk, ...rest: Rest]> {
    const rest = [
      ...["3", keyOf(runId), key(runId, "m"), key(runId, "s")],
      ...args.map((arg) => (typeof arg === "number" ? String(arg) : arg)),
    ];
    const send = (...command: Command) =>
      redis.send<[Bulk, ...Rest]>(keyOf(runId), [...command, ...rest], true);
    try {
      let hash = hashOf(script);
      // Only the first call has to wait for it: batches must be sent in their order.
      if (typeof hash !== "string") hash = await hash;
      return await send("EVALSHA", hash).catch((error: unknown) => {
        if (!/NOSCRIPT/.test(String(error))) throw error;
        return send("EVAL", script);
      });
    } catch (cause) {
      throw new RunStoreError("unavailable", { runId }, { cause });
    }
  }

  /** The rest of a reply, whose code is not an error. */
  function good<Rest extends unknown[]>(
    runId: string,
    [code, ...rest]: [code: Bulk, ...rest: Rest],
  ): Rest {
    const name = String(code);
    if (GOOD.has(name)) return rest;
    // Casts: the other codes are those of errors, and with them a script says where the run is.
    const [position, epoch, owner] = rest as unknown[] as Said;
    const details = { runId, position: numberIn(position), epoch: numberIn(epoch) };
    throw new RunStoreError(
      name as RunStoreErrorCode,
      detailsOf({ ...details, owner: text(owner) }),
    );
  }

  /** A script for who has a token. */
  async function owned(
    script: string,
    op: string,
    runId: string,
    token: string,
    ...args: (string | number | Uint8Array)[]
  ) {
    checkRunId(runId);
    const [, epoch = "", nonce = ""] = /^(\d+)\.(.*)$/s.exec(token) ?? [];
    const reply = await run<Said>(script, runId, op, epoch, nonce, ...args);
    const [position, , , stop] = good(runId, reply);
    if (Number(stop) === 1) watched.get(token)?.onStop();
    return {
      code: String(reply[0]),
      position: Number(String(position)),
      stop: Number(stop) === 1,
    };
  }

  async function replicated(runId: string, { replicas, ms }: { replicas: number; ms: number }) {
    let count: Bulk;
    try {
      count = await redis.send(keyOf(runId), ["WAIT", String(replicas), String(ms)]);
    } catch (cause) {
      throw new RunStoreError("unavailable", { runId }, { cause });
    }
    if (Number(count) >= replicas) return;
    const message = `only ${count} of ${replicas} replicas have the batch`;
    throw new RunStoreError("unavailable", { runId }, { message });
  }

  async function readNow(runId: string, from: Position, most: number = MOST_BATCH) {
    checkRunId(runId);
    checkPosition(from);
    const [state, found] = good(runId, await run<Found>(CLAIM, runId, "read", from, most));
    const batches: Batch[] = found.map(([from, to, epoch, bytes]) => ({
      from: number(from),
      to: number(to),
      epoch: number(epoch),
      bytes: plain(bytes),
    }));
    const read = { batches, state: stateOf(state) };
    bells.seen(runId, batches.at(-1)?.to ?? read.state.position);
    return read;
  }

  /** One read for all that follow a run from the same place. */
  function readShared(runId: string, from: Position, turn: number, most?: number) {
    const name = `${from} ${most} ${turn} ${runId}`;
    let entry = reads.get(runId);
    if (entry?.name !== name) {
      const one = { name, read: readNow(runId, from, most) };
      entry = one;
      reads.set(runId, one);
      const forget = () => reads.get(runId) === one && reads.delete(runId);
      one.read.then(() => bells.get(runId) ?? forget(), forget);
    }
    return entry.read;
  }

  async function* followed(runId: string, from: Position, o: Parameters<RunLog["follow"]>[2]) {
    try {
      yield* follow(runId, from, o, (at, turn) => readShared(runId, at, turn, o?.maxBytes), bells);
    } finally {
      if (!bells.get(runId)) reads.delete(runId);
    }
  }

  /** Looks for all writers of the process at once which of them are to stop. */
  async function hearStops() {
    try {
      const list: [id: Bulk, fields: Bulk[]][] = await redis.send(stopsKey, [
        "XRANGE",
        stopsKey,
        stopsId,
        "+",
      ]);
      const last = list.at(-1);
      if (!last) return;
      stopsId = String(last[0]).replace(/\d+$/, (count) => String(Number(count) + 1));
      const names = new Set(list.map(([, fields]) => String(fields[1])));
      for (const [token, { runId }] of watched) {
        // The run itself says whether it is this claim that was meant.
        if (names.has(keyOf(runId))) log.renew(runId, token).catch(() => {});
      }
    } catch {
      // The next look is soon.
    }
  }

  /** A stop is looked for as long as a writer of this process may hear of it. */
  const watch: Watch = (runId, token, onStop) => {
    watched.set(token, { runId, onStop });
    stopsTimer ??= setInterval(hearStops, STOPS_MS);
    stopsTimer.unref?.();
    return () => {
      watched.delete(token);
      if (watched.size > 0) return;
      clearInterval(stopsTimer);
      stopsTimer = undefined;
    };
  };
  watch.leaseMs = lease;

  const log: RedisRunLog & OwnLog = {
    async claim(runId, o) {
      const ms = checkClaim(runId, o, lease);
      const token = nonce();
      const args = ["claim", o.owner, ms, o.force ? "1" : "", token, ttl];
      const reply = await run<Claimed>(CLAIM, runId, ...args);
      const [pos, number_, snapAt, snapshot] = good(runId, reply);
      const epoch = number(number_);
      const claim = {
        epoch,
        token: tokenOf(epoch, token),
        position: number(pos),
        snapshotAt: number(snapAt),
        tookOver: epoch > 1,
      };
      return snapshot ? { ...claim, snapshot: plain(snapshot) } : claim;
    },

    async append(runId, batch) {
      checkBatch(runId, batch);
      const { from, to, bytes, token, end = "" } = batch;
      const args = [from, to, buffer(bytes), end, end ? endedTtl : ttl, MOST_RUN];
      const channel = wake === "spublish" ? channelOf(runId) : "";
      const { code } = await owned(APPEND, "append", runId, token, ...args, channel);
      if (wait) await replicated(runId, wait);
      // A cast: `append` has these two codes that are no error.
      return code as "stored" | "duplicate";
    },

    async renew(runId, token) {
      const { stop, position } = await owned(APPEND, "renew", runId, token);
      return { stop, position };
    },

    async release(runId, token) {
      await owned(APPEND, "release", runId, token);
    },

    async snapshot(runId, { token, at, bytes }) {
      checkPosition(at);
      checkBytes(runId, bytes, MOST_RUN);
      await owned(SNAPSHOT, "snapshot", runId, token, at, buffer(bytes));
    },

    async latest(runId) {
      checkRunId(runId);
      const [code, state, snapshot] = await run<Latest>(CLAIM, runId, "latest");
      if (String(code) === "unknown_run") return none();
      const read = stateOf(state);
      const latest = { state: read, snapshotAt: read.snapshotAt };
      return snapshot ? { ...latest, snapshot: plain(snapshot) } : latest;
    },

    read: (runId, from, o) => readNow(runId, from, o?.maxBytes),

    follow: followed,

    async requestStop(runId) {
      checkRunId(runId);
      good(runId, await run(APPEND, runId, "stop"));
      const add: Command = ["XADD", stopsKey, "MAXLEN", "1000", "*", "r", keyOf(runId)];
      try {
        await redis.send(stopsKey, add);
        await redis.send(stopsKey, ["PEXPIRE", stopsKey, "60000"]);
      } catch {
        // The run has it: the writer hears of it with its next append or renewal.
      }
    },

    async delete(runId) {
      checkRunId(runId);
      await run(CLAIM, runId, "delete");
    },

    async recreate(runId, { token, epoch, owner, leaseMs: ms = lease, at, bytes, end = "" }) {
      checkRunId(runId);
      checkPosition(at);
      checkBytes(runId, bytes, MOST_RUN);
      const nonce = String(token).slice(String(epoch).length + 1);
      const args = [owner, ms, epoch, nonce, end ? endedTtl : ttl, at, buffer(bytes), end];
      good(runId, await run(CLAIM, runId, "recreate", ...args));
    },

    [WATCH]: watch,
  };
  return log;
}
