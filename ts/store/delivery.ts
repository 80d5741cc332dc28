// Batches on their way to the log: several at once, in order, sent again after a lost connection, and for a while
// remembered after that, because a store that restarts may have lost what it had acknowledged. Long because one state
// machine sends, mends and remembers.
import {
  codeOf,
  detailsOf,
  type End,
  isStoreError,
  type OwnLog,
  RunStoreError,
  WATCH,
} from "./shared.ts";
import type { Abort, Claim, Position, RunStoreErrorCode } from "./types.ts";

/** Batches on their way at once, and in the queue before writers wait. */
export const MOST_QUEUED: number = 8;
/** How long what is stored is remembered. */
const REPLAY_MS = 5000;

const FINAL: RunStoreErrorCode[] = ["fenced", "ended", "expired", "too_large"];

/** Waits so many milliseconds, or until the signal. */
function waited(ms: number, signal?: Abort) {
  return new Promise<void>((resolve) => {
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
    if (signal?.aborted) return done();
    signal?.addEventListener("abort", done);
  });
}

/** Waits before the next try: longer each time, and never as long as others do. */
export function pause(tries: number, signal?: Abort): Promise<void> {
  return waited(Math.min(1000, 25 * 2 ** tries) * (0.5 + Math.random()), signal);
}

/** Tries for `ms` while the store is not there. */
export async function patiently<T>(ask: () => Promise<T>, ms: number, runId: string): Promise<T> {
  const end = Date.now() + ms;
  for (let tries = 0; ; tries++) {
    try {
      return await ask();
    } catch (error) {
      if (codeOf(error) !== "unavailable") throw error;
      if (Date.now() >= end) throw asUnavailable(error, runId);
    }
    await pause(tries);
  }
}

/** Claims a run as soon as no other holds it: its writer may live for long, so it is asked for again and again. */
export async function untilFree<T>(ask: () => Promise<T>, leaseMs: number): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (codeOf(error) !== "held") throw error;
    }
    // A fraction of the lease, and not longer each time: it is free at once when its writer ends it.
    await waited(Math.min(leaseMs / 10, 1000));
  }
}

function asUnavailable(error: unknown, runId: string) {
  if (isStoreError(error)) return error;
  return new RunStoreError("unavailable", { runId }, { cause: error });
}

/** A claim, and whose it is. */
export type Owned = Claim & { owner: string };

/** What is on its way. */
interface Flight {
  sentAt?: number;
  flight?: Promise<void>;
  isStored?: true;
  /** What it was refused with. */
  problem?: unknown;
}

/** Deltas that go to the log together, and how the run ends with them. */
interface OwnBatch extends Flight {
  at?: undefined;
  from: Position;
  to: Position;
  bytes: Uint8Array;
  end?: End;
  storedAt?: undefined;
}

/** A snapshot of what was pushed before it. */
interface OwnSnapshot extends Flight {
  at: Position;
  from?: undefined;
  to?: undefined;
  bytes: Uint8Array;
  end?: undefined;
}

type Item = OwnBatch | OwnSnapshot;

/** A batch that is stored, whose bytes can be had again. */
interface Kept {
  from: Position;
  to: Position;
  end: End | undefined;
  bytes?: undefined;
  storedAt: number;
}

const isBatch = (item: Item): item is OwnBatch => item.at === undefined;

/** What a delivery tells its writer, and asks it for. */
export interface Listener {
  stop(): void;
  fail(error: RunStoreError): void;
  snapshotLost(): void;
  /** The bytes of a batch that is stored. */
  again(from: Position, to: Position): Uint8Array;
  /** Up to there nobody will ask for them. */
  forget(position: Position): void;
  /** The whole of what was pushed. */
  state(): { at: Position; bytes: Uint8Array; end: End | undefined };
}

export class Delivery {
  position: Position;
  error: RunStoreError | undefined;
  #log: OwnLog;
  #runId: string;
  #claim: Owned;
  #leaseMs: number;
  #on: Listener;
  #items: Item[] = [];
  #sent = 0;
  #bytes = 0;
  #kept: Kept[] = [];
  #isMending = false;
  #isAsking = false;
  #troubleSince: number | undefined;
  #waiting: { isIt: () => boolean; resolve: () => void; reject: (error: unknown) => void }[] = [];
  #storedAt = Date.now();
  #wokeAt = Date.now();
  #timer: ReturnType<typeof setInterval>;
  #unwatch: (() => void) | undefined;

  constructor(log: OwnLog, runId: string, claim: Owned, leaseMs: number, on: Listener) {
    this.position = claim.position;
    this.#log = log;
    this.#runId = runId;
    this.#claim = claim;
    this.#leaseMs = leaseMs;
    this.#on = on;
    // Our own logs tell of a stop by themselves.
    this.#unwatch = log[WATCH]?.(runId, claim.token, on.stop);
    const each = leaseMs / 3;
    this.#timer = setInterval(() => this.#tick(each), each);
    this.#timer.unref?.();
  }

  get batches(): number {
    return this.#items.length;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** A batch {from, to, bytes, end?}, or a snapshot {at, bytes} of what was pushed before it. */
  push(item: Item): void {
    if (this.error) return;
    this.#items.push(item);
    // Somebody waits for it: the process must not end before there is an answer.
    this.#timer.ref?.();
    if (item.at === undefined) this.#bytes += item.bytes.length;
    this.#send();
  }

  /** Resolves when `isIt()` is true, which is asked whenever something was stored. */
  until(isIt: () => boolean): Promise<void> {
    if (this.error) return Promise.reject(this.error);
    if (isIt()) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiting.push({ isIt, resolve, reject }));
  }

  idle(): Promise<void> {
    return this.until(() => this.#items.length === 0);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#unwatch?.();
    this.#kept = [];
  }

  /** Ends all: nothing is sent any more, and who waits gets the error. */
  fail(error: unknown): void {
    if (this.error) return;
    this.error = asUnavailable(error, this.#runId);
    this.#items = [];
    this.stop();
    this.#on.fail(this.error);
    this.#notify();
  }

  #notify() {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) {
      if (this.error) one.reject(this.error);
      else if (one.isIt()) one.resolve();
      else this.#waiting.push(one);
    }
  }

  #send() {
    while (!this.#isMending && this.#sent < MOST_QUEUED) {
      const item = this.#items[this.#sent];
      if (!item) return;
      this.#sent++;
      item.sentAt = Date.now();
      item.flight = this.#deliver(item);
    }
  }

  /** Never rejects. */
  async #deliver(item: Item) {
    const { token, epoch } = this.#claim;
    const { at, from, to, bytes, end } = item;
    try {
      if (at !== undefined) await this.#log.snapshot(this.#runId, { token, at, bytes });
      else await this.#log.append(this.#runId, detailsOf({ from, to, epoch, bytes, token, end }));
      item.isStored = true;
      this.#settle();
    } catch (error) {
      item.problem = error;
      this.#mend(error);
    }
  }

  #settle() {
    let isAny = false;
    for (let item = this.#items[0]; item?.isStored; item = this.#items[0]) {
      this.#sent--;
      this.#items.shift();
      this.#stored(item);
      isAny = true;
    }
    if (!isAny) return;
    this.#troubleSince = undefined;
    if (this.#items.length === 0) this.#timer.unref?.();
    this.#forget();
    this.#notify();
    this.#send();
  }

  #stored(item: Item) {
    this.#storedAt = Date.now();
    if (!isBatch(item)) return;
    const { from, to, bytes, end } = item;
    this.position = to;
    this.#bytes -= bytes.length;
    this.#kept.push({ from, to, end, storedAt: this.#storedAt });
  }

  #forget() {
    const old = Date.now() - REPLAY_MS;
    let last: Kept | undefined;
    while (this.#kept[0] && this.#kept[0].storedAt <= old) last = this.#kept.shift();
    if (last) this.#on.forget(last.to);
  }

  /** Asks the log where it is, and goes on from there, when all that is on its way has come back. */
  async #mend(error: unknown) {
    if (this.#isMending || this.error) return;
    this.#isMending = true;
    try {
      const sent = this.#items.slice(0, this.#sent);
      await Promise.all(sent.map(({ flight }) => flight));
      if (this.error) return;
      const problems: unknown[] = sent.flatMap(({ problem }) => problem ?? []);
      this.#rewind(await this.#whereabouts(problems.find(isFinal) ?? error));
    } catch (error) {
      this.fail(error);
    }
    this.#isMending = false;
    this.#notify();
    if (!this.error) this.#send();
  }

  async #whereabouts(first: unknown) {
    if (isFinal(first)) throw first;
    const isFirst = this.#troubleSince === undefined;
    this.#troubleSince ??= Date.now();
    let error = first;
    for (let tries = 0; !this.error; tries++) {
      if (!isFirst || tries > 0 || codeOf(first) === "unavailable") await pause(tries);
      this.#wake();
      if (Date.now() - this.#troubleSince >= this.#leaseMs) throw error;
      try {
        return await this.#ask();
      } catch (caught) {
        if (isFinal(caught)) throw caught;
        error = caught;
        if (codeOf(caught) !== "unknown_run") continue;
      }
      try {
        return await this.#recreate(error);
      } catch (caught) {
        if (codeOf(caught) !== "unavailable") throw caught;
        error = caught;
      }
    }
    throw this.error;
  }

  /** The log's position. */
  async #ask() {
    const { token, epoch } = this.#claim;
    try {
      const { stop, position } = await this.#log.renew(this.#runId, token);
      if (stop) this.#on.stop();
      return position;
    } catch (error) {
      const last = this.#items.filter(isBatch).findLast(({ end }) => end);
      if (codeOf(error) !== "ended" || !last?.end) throw error;
      const { from, to, bytes, end } = last;
      // Our own end, whose reply was lost, is a duplicate.
      await this.#log.append(this.#runId, { from, to, epoch, bytes, token, end });
      return to;
    }
  }

  /** A store that lost the run gets it again, if it can be told of it. */
  async #recreate(error: unknown) {
    if (typeof this.#log.recreate !== "function") throw error;
    const { token, epoch } = this.#claim;
    const claim = { token, epoch, owner: this.#claim.owner, leaseMs: this.#leaseMs };
    const state = this.#on.state();
    await this.#log.recreate(this.#runId, { ...claim, ...state });
    return state.at;
  }

  /** Makes the queue begin where the log is. */
  #rewind(position: Position) {
    const isLost = !this.#items.every(isBatch);
    const batches = [...this.#kept, ...this.#items.filter(isBatch)];
    const at = batches.findIndex(({ to }) => to > position);
    const rest = at < 0 ? [] : batches.slice(at);
    const start = rest[0]?.from ?? position;
    if (start !== position || (rest.length === 0 && position < this.position)) {
      throw new RunStoreError("gap", { runId: this.#runId, position });
    }
    this.#kept = [];
    for (const { from, to, end, storedAt = Date.now() } of batches.slice(
      0,
      at < 0 ? undefined : at,
    )) {
      this.#kept.push({ from, to, end, storedAt });
    }
    this.#items = rest.map(({ from, to, bytes, end }) => {
      return { from, to, bytes: bytes ?? this.#on.again(from, to), end };
    });
    this.#bytes = this.#items.reduce((all, { bytes }) => all + bytes.length, 0);
    this.#sent = 0;
    this.position = position;
    if (isLost) this.#on.snapshotLost();
  }

  /**
   * While the process was paused, or after its clock jumped, it was not the store that was away: that time does not
   * count. What happened to the claim meanwhile, the store says.
   */
  #wake() {
    const time = Date.now();
    const slept = time - this.#wokeAt - this.#leaseMs / 3;
    this.#wokeAt = time;
    // A timer that is late by no more than that is one of a busy process.
    if (slept <= this.#leaseMs / 3) return;
    for (const item of this.#items) if (item.sentAt !== undefined) item.sentAt += slept;
    if (this.#troubleSince !== undefined) this.#troubleSince += slept;
  }

  /** Keeps the lease, hears of a stop, and notices a store that does not answer or has lost something. */
  async #tick(each: number) {
    this.#forget();
    this.#wake();
    const time = Date.now();
    const oldest = this.#sent > 0 ? this.#items[0]?.sentAt : undefined;
    if (time - Math.min(oldest ?? time, this.#troubleSince ?? time) > this.#leaseMs + each) {
      return this.fail(new RunStoreError("unavailable", { runId: this.#runId }));
    }
    if (this.#isMending || this.#isAsking) return;
    if (this.#unwatch && time - this.#storedAt < each) return;
    this.#isAsking = true;
    const isIdle = this.#items.length === 0;
    const before = this.position;
    try {
      const { stop, position } = await this.#log.renew(this.#runId, this.#claim.token);
      if (stop) this.#on.stop();
      if (!isIdle || position >= before || this.#isMending) return;
      // The store has lost what it had acknowledged.
      this.#mend(new RunStoreError("gap", { runId: this.#runId, position }));
    } catch (error) {
      if (isIdle && codeOf(error) !== "ended") this.#mend(error);
    } finally {
      this.#isAsking = false;
    }
  }
}

const isFinal = (error: unknown) => FINAL.includes(codeOf(error));
