// Writes one message of a run to its log, from deltas or from a provider's own bytes. Long because one state machine
// takes what is pushed, numbers it and cuts it into batches.
import {
  type AssemblerOptions,
  DeltaAssembler,
  type Message,
  type MessageDelta,
} from "apex-parts:glue";
import { Delivery, MOST_QUEUED, type Owned, patiently, untilFree } from "./delivery.ts";
import { batches, joined, Numbering, PIECE, sizeOf } from "./ndjson.ts";
import {
  check,
  checkRunId,
  checkTime,
  type End,
  LEASE,
  MOST_BATCH,
  nonce,
  type OwnLog,
  RunStoreError,
  WATCH,
} from "./shared.ts";
import type { Abort, Claim, Position, RunLog, RunWriterOptions, StreamFormat } from "./types.ts";

/** Bytes since the last snapshot, below which none is cut. */
const SNAPSHOT_BYTES = 32 << 10;
/** Bytes that are not stored, above which `push` waits. */
const MOST_BYTES = 1 << 20;

/** How the message has ended, if it has. */
function endOf({ status }: DeltaAssembler): End | undefined {
  return status === "done" || status === "error" ? status : undefined;
}

/** What a writer begins with. */
interface Before {
  state: DeltaAssembler;
  /** Bytes since the last snapshot, and of it. */
  since: number;
  snapshotSize: number;
}

/** The options of a writer, each of them there. */
interface Options {
  format: StreamFormat;
  leaseMs: number;
  flushMs: number;
  flushBytes: number;
}

/** What the run ends with. */
type Failure = { errorCode: string; message?: string; retryable?: boolean };

/** The deltas that a writer makes by itself: a run may fail before it has begun. */
type LastDelta =
  | { kind: "start"; payload: { modelId: string; requestId: string } }
  | { kind: "error"; payload: Failure };

/** The state of the log that was claimed: an assembler, and the bytes since its snapshot. */
async function stateOf(
  log: RunLog,
  runId: string,
  { snapshot, snapshotAt, position }: Claim,
  leaseMs: number,
): Promise<Before> {
  const options: AssemblerOptions = { onDuplicate: "ignore" };
  const state = snapshot
    ? DeltaAssembler.restore(snapshot, options)
    : new DeltaAssembler({ ...options, format: "delta" });
  let since = 0;
  for (let at = snapshotAt; at < position; ) {
    const read = await patiently(() => log.read(runId, at), leaseMs, runId);
    if (read.batches.length === 0) throw new RunStoreError("gap", { runId, position: at });
    for (const { to, bytes } of read.batches) {
      state.pushBytes(bytes);
      since += bytes.length;
      at = to;
    }
  }
  state.takeDeltas();
  return { state, since, snapshotSize: snapshot?.length ?? 0 };
}

/**
 * Writes one message of a run. What is thrown by the log and is final, is thrown by every later call.
 * @example
 * ```ts
 * import { memoryRunLog, RunReader, RunWriter } from "apex-parts/store";
 *
 * const log = memoryRunLog();
 * const writer = await RunWriter.open(log, "r1");
 * const timestamp = new Date().toISOString();
 * await writer.push({ runId: "r1", seq: 1, timestamp, kind: "start", payload: { modelId: "m", requestId: "q" } });
 * await writer.push({ runId: "r1", seq: 2, timestamp, kind: "text", payload: { textDelta: "Hello" } });
 * await writer.push({ runId: "r1", seq: 3, timestamp, kind: "done", payload: { finishReason: "stop" } });
 * await writer.end();
 * await writer.close();
 * const reader = await RunReader.open(log, "r1");
 * (await reader.result()).parts; // [{ kind: "text", payload: { text: "Hello" } }]
 * reader.free();
 * ```
 */
export class RunWriter {
  /**
   * Claims the run. Throws as `claim` does.
   * @param log - The log.
   * @param runId - The id of the run.
   * @param options - Who writes, the format of the bytes, and times in milliseconds.
   * @returns The writer.
   */
  static async open(
    log: RunLog,
    runId: string,
    options: RunWriterOptions = {},
  ): Promise<RunWriter> {
    checkRunId(runId);
    const { owner = nonce(), format = "delta", flushMs = 40, flushBytes = 16 << 10 } = options;
    const own: OwnLog = log;
    const leaseMs = checkTime(options.leaseMs ?? own[WATCH]?.leaseMs ?? LEASE);
    checkTime(flushMs);
    checkTime(flushBytes);
    // Throws where the format is none, before anything is claimed.
    new DeltaAssembler({ format }).free();
    const ask = () => patiently(() => log.claim(runId, { owner, leaseMs }), leaseMs, runId);
    const claim = await (options.wait ? untilFree(ask, leaseMs) : ask());
    try {
      const before = await stateOf(log, runId, claim, leaseMs);
      return new RunWriter(
        log,
        runId,
        { ...claim, owner },
        { format, leaseMs, flushMs, flushBytes },
        before,
      );
    } catch (error) {
      await log.release(runId, claim.token).catch(() => {});
      throw error;
    }
  }

  #log: RunLog;
  #runId: string;
  #claim: Owned;
  #options: Options;
  /** What is stored and what will be, as one message; numbered as in the log. */
  #state: DeltaAssembler;
  /** Reads bytes into deltas. */
  #source: DeltaAssembler | undefined;
  #numbering: Numbering;
  #delivery: Delivery;
  /** Made when somebody asks for it: of many writers that wait, most are not asked. */
  #abort: AbortController | undefined;
  #isStopped = false;
  #reason: unknown;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** About how much was pushed since deltas were last taken. */
  #raw = 0;
  /** Deltas that were taken, not yet in a batch. */
  #taken: Uint8Array[] = [];
  #takenBytes = 0;
  #queued: Position;
  #since: number;
  #snapshotSize: number;
  #isWaiting = false;
  #ending: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  private constructor(
    log: RunLog,
    runId: string,
    claim: Owned,
    options: Options,
    { state, since, snapshotSize }: Before,
  ) {
    this.#log = log;
    this.#runId = runId;
    this.#claim = claim;
    this.#options = options;
    this.#state = state;
    this.#since = since;
    this.#snapshotSize = snapshotSize;
    this.#queued = claim.position;
    this.#numbering = new Numbering(claim.position);
    // What is taken from now on can be had again.
    state.storeForget(claim.position);
    this.#delivery = new Delivery(log, runId, claim, options.leaseMs, {
      stop: () => this.#stop(),
      fail: (error) => this.#stop(error),
      snapshotLost: () => {
        this.#since = Number.POSITIVE_INFINITY;
      },
      // The first batch begins at 0, with a delta that may have the number 0.
      again: (from, to) => this.#state.storeAgain(from || Number.NEGATIVE_INFINITY, to),
      forget: (position) => this.#state.storeForget(position),
      state: () => {
        this.#flush(true);
        const end = endOf(this.#state);
        return { at: this.#queued, bytes: this.#state.snapshot(), end };
      },
    });
  }

  get epoch(): number {
    return this.#claim.epoch;
  }

  /** Another wrote before: `position` says how far, `preview()` what. */
  get tookOver(): boolean {
    return this.#claim.tookOver;
  }

  /** Aborts when the run is to stop, and when nothing can be written any more: pass it to `fetch`. */
  get signal(): Abort {
    if (!this.#abort) {
      this.#abort = new AbortController();
      if (this.#isStopped) this.#abort.abort(this.#reason);
    }
    return this.#abort.signal;
  }

  /** How far the message is stored. */
  get position(): Position {
    return this.#delivery.position;
  }

  /**
   * Adds bytes of the provider's stream, cut anywhere. Resolves when there is room for more.
   * @param chunk - The next bytes, in the format of the options.
   * @returns Nothing, when there is room for more.
   */
  async pushBytes(chunk: Uint8Array): Promise<void> {
    this.#check();
    this.#source ??= this.#newSource();
    // JavaScript may give an ArrayBuffer; and what is no bytes, the assembler refuses.
    const bytes: Uint8Array = chunk instanceof ArrayBuffer ? new Uint8Array(chunk) : chunk;
    let at = 0;
    do {
      // Not more at once: what is joined must not be too large.
      const piece = bytes?.length > PIECE ? bytes.subarray(at, at + PIECE) : bytes;
      at += PIECE;
      try {
        this.#source.pushBytes(piece);
      } finally {
        this.#raw += piece?.length ?? 0;
        this.#plan();
      }
    } while (at < bytes.length);
    return this.#room();
  }

  /**
   * Adds a delta, which keeps its `seq`; one that is stored already is dropped. Resolves as `pushBytes` does.
   * @param delta - The delta.
   * @returns Nothing, when there is room for more.
   */
  async push(delta: MessageDelta): Promise<void> {
    this.#check();
    const size = sizeOf(delta);
    if (size > MOST_BATCH) {
      throw new RunStoreError("too_large", { runId: this.#runId, position: this.position });
    }
    // What is joined must not be too large; and what bytes said comes first.
    if (this.#source || this.#raw + size > Math.min(this.#options.flushBytes, PIECE)) this.#take();
    this.#state.push(delta);
    this.#raw += size;
    this.#plan();
    return this.#room();
  }

  /**
   * The message as far as it was pushed.
   * @returns The message so far.
   */
  preview(): Message {
    if (!this.#delivery.error && !this.#closing) this.#take();
    return this.#state.preview();
  }

  /**
   * Ends the run as its message ends; without `done` with the error `incomplete`. Resolves when that is stored.
   * @returns Nothing, when it is stored.
   */
  async end(): Promise<void> {
    if (this.#closing) throw this.#over();
    this.#ending ??= this.#finish(() => {
      this.#source?.end();
      this.#take();
      if (!endOf(this.#state)) this.#pushError({ errorCode: "incomplete" });
    });
    return this.#ending;
  }

  /**
   * Ends the run with an error. Resolves when that is stored.
   * @param error - The code, and what to tell.
   * @returns Nothing, when it is stored.
   */
  async fail(error: { errorCode: string; message?: string; retryable?: boolean }): Promise<void> {
    const { errorCode, message, retryable } = error;
    check(typeof errorCode === "string", "an errorCode");
    if (this.#ending || this.#closing) throw this.#over();
    try {
      this.#take();
    } catch {
      // What cannot be read is not what the run ends with.
    }
    if (endOf(this.#state)) throw this.#over();
    this.#ending = this.#finish(() => this.#pushError({ errorCode, message, retryable }));
    return this.#ending;
  }

  /**
   * Stores what was pushed and gives the run up, unless it has ended; releases the memory.
   * @returns Nothing, when it is stored.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close() {
    try {
      if (this.#ending) await this.#ending.catch(() => {});
      else if (!this.#delivery.error) {
        this.#flush(true);
        await this.#delivery.idle();
        // If it cannot be given up, it lapses, or is not ours any more.
        await this.#log.release(this.#runId, this.#claim.token).catch(() => {});
      }
    } finally {
      this.#leave();
      this.#state.free();
    }
  }

  async #finish(last: () => void) {
    if (this.#delivery.error) throw this.#delivery.error;
    try {
      last();
      this.#flush(true);
      await this.#delivery.idle();
    } finally {
      this.#leave();
    }
  }

  #stop(reason?: unknown) {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#reason = reason;
    this.#abort?.abort(reason);
  }

  #leave() {
    clearTimeout(this.#timer);
    this.#delivery.stop();
    this.#source?.free();
    this.#source = undefined;
  }

  #over() {
    return new RunStoreError("ended", { runId: this.#runId, position: this.position });
  }

  #check() {
    if (this.#delivery.error) throw this.#delivery.error;
    if (this.#ending || this.#closing) throw this.#over();
  }

  #newSource() {
    const { format } = this.#options;
    if (format === "delta" && this.#state.status !== "empty") {
      this.#take();
      // Deltas that follow a `start` which is stored.
      return DeltaAssembler.restore(this.#state.snapshot(), { onDuplicate: "ignore" });
    }
    if (format === "delta") return new DeltaAssembler({ format, onDuplicate: "ignore" });
    return new DeltaAssembler({ format, runId: this.#deltasRunId() });
  }

  /** A stream has one runId: that of the deltas which are stored, if there are any. */
  #deltasRunId() {
    return this.#state.status === "empty" ? this.#runId : this.#state.preview().runId;
  }

  #pushError(failure: Failure) {
    const timestamp = new Date().toISOString();
    const runId = this.#deltasRunId();
    const push = (what: LastDelta) => {
      this.#state.push({ runId, seq: this.#last + 1, timestamp, ...what });
      this.#take();
    };
    if (this.#state.status === "empty") {
      push({ kind: "start", payload: { modelId: "", requestId: "" } });
    }
    // As JSON has it: without what is undefined.
    push({ kind: "error", payload: JSON.parse(JSON.stringify(failure)) });
  }

  /** The `seq` of the last delta that was taken. */
  get #last() {
    const taken = this.#taken.at(-1);
    return (taken && batches(this.#runId, taken).at(-1)?.to) ?? this.#queued;
  }

  /** Takes the deltas of what was pushed. */
  #take() {
    const bytes = this.#source?.takeDeltas();
    if (bytes && bytes.length > 0) {
      // Given deltas keep their numbers.
      const isGiven = this.#options.format === "delta";
      const isStarted = this.#state.status !== "empty";
      for (const group of isGiven ? [bytes] : this.#numbering.groups(bytes, isStarted)) {
        this.#state.pushBytes(group);
        this.#keep();
      }
    }
    this.#keep();
    this.#raw = 0;
  }

  #keep() {
    const bytes = this.#state.takeDeltas();
    if (bytes.length === 0) return;
    this.#taken.push(bytes);
    this.#takenBytes += bytes.length;
  }

  /** Flushes when enough was pushed, or soon. */
  #plan() {
    const { flushBytes, flushMs } = this.#options;
    if (this.#raw >= Math.min(flushBytes, PIECE)) this.#take();
    if (this.#takenBytes >= flushBytes) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), flushMs);
  }

  #unstored() {
    return this.#delivery.bytes + this.#takenBytes + this.#raw;
  }

  #room() {
    const { batches } = this.#delivery;
    if (batches <= MOST_QUEUED && this.#unstored() <= MOST_BYTES) return undefined;
    this.#flush();
    return this.#delivery.until(
      () => this.#delivery.batches <= MOST_QUEUED && this.#unstored() <= MOST_BYTES,
    );
  }

  /** Makes batches of what was pushed, if the queue has room for them; `isLast`: in any case. */
  #flush(isLast = false) {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const delivery = this.#delivery;
    if (delivery.error) return;
    if (!isLast && delivery.batches >= MOST_QUEUED) {
      if (this.#isWaiting) return;
      this.#isWaiting = true;
      const later = () => {
        this.#isWaiting = false;
        this.#flush();
      };
      delivery.until(() => delivery.batches < MOST_QUEUED).then(later, () => {});
      return;
    }
    try {
      this.#take();
      this.#enqueue();
    } catch (error) {
      delivery.fail(error);
    }
  }

  #enqueue() {
    if (this.#takenBytes === 0) return;
    const bytes = joined(this.#taken);
    const list = batches(this.#runId, bytes);
    const ended = endOf(this.#state);
    // A stream may begin with number 0, which is no position yet: it goes with what follows.
    if ((list.at(-1)?.to ?? 0) <= this.#queued && !ended) return;
    this.#taken = [];
    this.#takenBytes = 0;
    for (const [index, { to, bytes }] of list.entries()) {
      const end = index === list.length - 1 ? ended : undefined;
      this.#delivery.push({ from: this.#queued, to, bytes, end });
      this.#queued = to;
    }
    this.#since += bytes.length;
    if (ended || this.#since <= Math.max(SNAPSHOT_BYTES, this.#snapshotSize)) return;
    const snapshot = this.#state.snapshot();
    this.#since = 0;
    this.#snapshotSize = snapshot.length;
    this.#delivery.push({ at: this.#queued, bytes: snapshot });
  }
}
