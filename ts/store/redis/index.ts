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
  follow,
  LEASE,
  MOST_BATCH,
  MOST_RUN,
  nonce,
  none,
  RunStoreError,
  TTL,
  tokenOf,
  WATCH,
} from "../shared.ts";
import { adapted } from "./client.ts";
import { APPEND, CLAIM, SNAPSHOT } from "./scripts.ts";
import { Wake } from "./wake.ts";

export { RunStoreError };

const STOPS_MS = 500;
const WAKES = ["block", "spublish", "poll"];
/** Replies of the scripts that are no error. */
const GOOD = new Set(["ok", "stored", "duplicate"]);

const text = (value) => (value === null || value === undefined ? undefined : String(value));
const number = (value) => (value === null ? undefined : Number(String(value)));

const encoder = new TextEncoder();
/** Bytes of one's own: a client's Buffer is a piece of a larger one. */
const plain = (bytes) =>
  typeof bytes === "string" ? encoder.encode(bytes) : new Uint8Array(bytes);
const buffer = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

const hashes = new Map();
/** The hash by which Redis knows a script. */
function hashOf(script) {
  let hash = hashes.get(script);
  if (!hash) {
    const made = crypto.subtle.digest("SHA-1", encoder.encode(script)).then((bytes) => {
      const hex = [...new Uint8Array(bytes)].map((b) => b.toString(16).padStart(2, "0")).join("");
      hashes.set(script, hex);
      return hex;
    });
    hashes.set(script, made);
    hash = made;
  }
  return hash;
}

/** The state of a run, from its hash. */
function stateOf([isOver, leaseLeft, list]) {
  const fields = {};
  for (let i = 0; i < list.length; i += 2) fields[String(list[i])] = String(list[i + 1]);
  const began = {};
  for (const [name, value] of Object.entries(fields)) {
    if (/^c\d+$/.test(name)) began[name.slice(1)] = Number(value);
  }
  const state = {
    status: Number(isOver) === 1 ? "expired" : (fields.end ?? "open"),
    position: Number(fields.pos),
    epoch: Number(fields.epoch),
    leaseMs: Number(String(leaseLeft)),
    snapshotAt: Number(fields.snapAt),
  };
  if (fields.until !== "0") state.owner = fields.owner;
  return { ...state, began };
}

/** A log in Redis. Its methods do not need `this`: a program may wrap single ones. */
export function redisRunLog(client, options = {}) {
  const { prefix = "apex:", ttlMs = TTL, leaseMs = LEASE, wait, blocking } = options;
  const redis = adapted(client);
  const { wake = redis.isCluster ? "spublish" : "block" } = options;
  if (!WAKES.includes(wake)) throw new TypeError(`wake is one of ${WAKES.join(", ")}`);
  const lease = checkTime(leaseMs);
  const ttl = String(checkTime(ttlMs));
  const endedTtl = String(Math.min(Number(ttl), checkTime(options.endedTtlMs ?? ENDED_TTL)));
  // The braces make a run one slot of a cluster; one at the beginning would end that. A half surrogate is not UTF-8,
  // where each would be the same. Such ids are written as JSON, and those that begin as JSON does.
  const key = (runId, kind) =>
    `${prefix}{${/^["}]|\p{Cs}/u.test(runId) ? JSON.stringify(runId) : runId}}:${kind}`;
  const keyOf = (runId) => key(runId, "d");
  const channelOf = (runId) => key(runId, "w");
  const bells = new Wake(redis, { prefix, wake, blocking, keyOf, channelOf });
  /** The writers of this process: token → run, and how to stop it. */
  const watched = new Map();
  const stopsKey = `${prefix}stops`;
  let stopsTimer;
  let stopsId = "-";
  const reads = new Map();
  for (const script of [CLAIM, APPEND, SNAPSHOT]) hashOf(script);

  /** Runs a script for a run; its reply. All that fails on the way is `unavailable`. */
  async function run(script, runId, ...args) {
    const keys = ["d", "m", "s"].map((kind) => key(runId, kind));
    const rest = [
      "3",
      ...keys,
      ...args.map((arg) => (typeof arg === "number" ? String(arg) : arg)),
    ];
    try {
      let hash = hashOf(script);
      // Only the first call has to wait for it: batches must be sent in their order.
      if (typeof hash !== "string") hash = await hash;
      return await redis.send(keys[0], ["EVALSHA", hash, ...rest], true).catch((error) => {
        if (!/NOSCRIPT/.test(error?.message)) throw error;
        return redis.send(keys[0], ["EVAL", script, ...rest], true);
      });
    } catch (cause) {
      throw new RunStoreError("unavailable", { runId }, { cause });
    }
  }

  /** The rest of a reply, whose code is not an error. */
  function good(runId, [code, ...rest]) {
    const name = String(code);
    if (GOOD.has(name)) return [name, ...rest];
    const [position, epoch, owner] = rest;
    const details = { runId, position: number(position ?? null), epoch: number(epoch ?? null) };
    throw new RunStoreError(name, detailsOf({ ...details, owner: text(owner) }));
  }

  /** A script for who has a token. */
  async function owned(script, op, runId, token, ...args) {
    checkRunId(runId);
    const [, epoch, nonce] = /^(\d+)\.(.*)$/s.exec(token) ?? [undefined, "", ""];
    const reply = good(runId, await run(script, runId, op, epoch, nonce, ...args));
    const [, position, , , stop] = reply;
    if (Number(stop) === 1) watched.get(token)?.onStop();
    return { code: reply[0], position: Number(String(position)), stop: Number(stop) === 1 };
  }

  async function replicated(runId) {
    const { replicas, ms } = wait;
    const args = ["WAIT", String(replicas), String(ms)];
    let count;
    try {
      count = await redis.send(keyOf(runId), args);
    } catch (cause) {
      throw new RunStoreError("unavailable", { runId }, { cause });
    }
    if (Number(count) >= replicas) return;
    const message = `only ${count} of ${replicas} replicas have the batch`;
    throw new RunStoreError("unavailable", { runId }, { message });
  }

  async function readNow(runId, from, most = MOST_BATCH) {
    checkRunId(runId);
    checkPosition(from);
    const [, state, found] = good(runId, await run(CLAIM, runId, "read", from, most));
    const batches = found.map(([from, to, epoch, bytes]) => ({
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
  function readShared(runId, from, turn, most) {
    const name = `${from} ${most} ${turn} ${runId}`;
    let found = reads.get(runId);
    if (found?.name !== name) {
      found = { name, read: readNow(runId, from, most) };
      reads.set(runId, found);
      const forget = () => reads.get(runId) === found && reads.delete(runId);
      found.read.then(() => bells.get(runId) ?? forget(), forget);
    }
    return found.read;
  }

  async function* followed(runId, from, o) {
    try {
      yield* follow(runId, from, o, (at, turn) => readShared(runId, at, turn, o?.maxBytes), bells);
    } finally {
      if (!bells.get(runId)) reads.delete(runId);
    }
  }

  /** Looks for all writers of the process at once which of them are to stop. */
  async function hearStops() {
    try {
      const list = await redis.send(stopsKey, ["XRANGE", stopsKey, stopsId, "+"]);
      if (list.length === 0) return;
      const last = String(list.at(-1)[0]);
      stopsId = last.replace(/\d+$/, (count) => Number(count) + 1);
      const names = new Set(list.map(([, fields]) => String(fields[1])));
      for (const [token, { runId }] of watched) {
        // The run itself says whether it is this claim that was meant.
        if (names.has(keyOf(runId))) log.renew(runId, token).catch(() => {});
      }
    } catch {
      // The next look is soon.
    }
  }

  const log = {
    async claim(runId, o) {
      const ms = checkClaim(runId, o, lease);
      const made = nonce();
      const args = ["claim", o.owner, ms, o.force ? "1" : "", made, ttl];
      const [, pos, number_, snapAt, snapshot] = good(runId, await run(CLAIM, runId, ...args));
      const epoch = number(number_);
      const claim = {
        epoch,
        token: tokenOf(epoch, made),
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
      if (wait) await replicated(runId);
      return code;
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
      const [code, state, snapshot] = await run(CLAIM, runId, "latest");
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
      const add = ["XADD", stopsKey, "MAXLEN", "1000", "*", "r", keyOf(runId)];
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
      const made = String(token).slice(String(epoch).length + 1);
      const args = [owner, ms, epoch, made, end ? endedTtl : ttl, at, buffer(bytes), end];
      good(runId, await run(CLAIM, runId, "recreate", ...args));
    },

    [WATCH](runId, token, onStop) {
      watched.set(token, { runId, onStop });
      stopsTimer ??= setInterval(hearStops, STOPS_MS);
      stopsTimer.unref?.();
      return () => {
        watched.delete(token);
        if (watched.size > 0) return;
        clearInterval(stopsTimer);
        stopsTimer = undefined;
      };
    },
  };
  log[WATCH].leaseMs = lease;
  return log;
}
