// What a log of runs throws.
import type { RedisRunLog } from "./redis/types.ts";
import type { Position, RunLog, RunState, RunStoreErrorCode } from "./types.ts";

/**
 * What logs throw, and what reads and writes them.
 * @example
 * ```ts
 * import { memoryRunLog, RunStoreError } from "apex-parts/store";
 *
 * const error: unknown = await memoryRunLog().read("r1", 0).catch((thrown: unknown) => thrown);
 * error instanceof RunStoreError && error.code; // "unknown_run"
 * ```
 */
export class RunStoreError extends Error {
  /**
   * Not by its class: an entry and its copies have one each.
   * @internal
   */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return error instanceof Error && error.name === "RunStoreError" && "code" in error;
  }

  declare name: "RunStoreError";
  /** The message ends in it: `… (fenced)`. */
  declare code: RunStoreErrorCode;
  declare details: {
    runId: string;
    epoch?: number;
    owner?: string;
    position?: Position;
    [more: string]: unknown;
  };

  /**
   * Creates an error.
   * @param code - What is wrong.
   * @param details - The run, and where it is.
   * @param options - The message, and what caused it.
   */
  constructor(
    code: RunStoreErrorCode,
    details: RunStoreError["details"],
    options: { message?: string; cause?: unknown } = {},
  ) {
    const { message, cause } = options;
    super(
      `run ${details.runId} failed${message ? `: ${message}` : ""} (${code})`,
      cause ? { cause } : undefined,
    );
    this.name = "RunStoreError";
    this.code = code;
    this.details = details;
  }
}

/** The same without fields that are undefined. */
export const detailsOf = <T extends object>(details: T): T =>
  // A cast: what has no field is what has it undefined.
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined)) as T;

/** Whether it is an error of a log. Not instanceof: a log of another copy of this package throws another class. */
export const isStoreError = (error: unknown): error is RunStoreError =>
  // A cast: anything can be thrown, and what has no name has it undefined.
  (error as { name?: unknown } | null | undefined)?.name === "RunStoreError";

/** The code of an error of a log; what is not one means that the store is not there. */
export const codeOf = (error: unknown): RunStoreErrorCode =>
  isStoreError(error) ? error.code : "unavailable";

/** Throws a TypeError unless an argument is what it has to be. */
export function check(isIt: unknown, what: string): asserts isIt {
  if (!isIt) throw new TypeError(`not ${what}`);
}

export const checkRunId = (runId: string): void =>
  check(runId && typeof runId === "string", "a runId");

export const checkPosition = (position: Position): void =>
  check(Number.isSafeInteger(position) && position >= 0, "a position");

/** Throws unless these are bytes, and no more than `most`. */
export function checkBytes(runId: string, bytes: Uint8Array, most: number): void {
  check(bytes instanceof Uint8Array, "bytes");
  if (bytes.length > most) throw new RunStoreError("too_large", { runId });
}

export function checkBatch(
  runId: string,
  { from, to, bytes, end }: Parameters<RunLog["append"]>[1],
): void {
  checkRunId(runId);
  checkPosition(from);
  checkPosition(to);
  check([undefined, "done", "error"].includes(end), "an end");
  checkBytes(runId, bytes, MOST_BATCH);
}

/** Throws unless the options of a claim are such; returns its lease. */
export function checkClaim(
  runId: string,
  o: Parameters<RunLog["claim"]>[1],
  otherwise: number = LEASE,
): number {
  checkRunId(runId);
  check(typeof o?.owner === "string", "an owner");
  return checkTime(o.leaseMs ?? otherwise);
}

/** Throws unless it is a time; returns whole milliseconds. */
export function checkTime(ms: number): number {
  check(ms > 0 && ms <= Number.MAX_SAFE_INTEGER, "a time in milliseconds");
  return Math.ceil(ms);
}

/** Bytes of a batch, of a run. */
export const MOST_BATCH: number = 1 << 20;
export const MOST_RUN: number = 64 << 20;
/** Milliseconds: of a lease, until a run expires, and until one expires that has ended. */
export const LEASE = 10_000;
export const TTL = 86_400_000;
export const ENDED_TTL = 3_600_000;

/** The state of a run that is not there. */
export const none = (): { state: RunState; snapshotAt: Position } => ({
  state: { status: "none", position: 0, epoch: 0, leaseMs: 0, snapshotAt: 0, began: {} },
  snapshotAt: 0,
});

/** What nobody else has: names a claim. */
export const nonce = (): string => `${Math.random()}${Math.random()}`.replaceAll("0.", "");

/** A claim's token: its epoch, and a nonce, because a restart may give the same epoch again. */
export const tokenOf = (epoch: number, nonce: string): string => `${epoch}.${nonce}`;

/**
 * Under this name our logs have `(runId, token, onStop) => unwatch`: a writer is told of a stop that an append's reply
 * carries. A symbol of the registry, because the log over Redis is a bundle of its own.
 */
export const WATCH: unique symbol = Symbol.for("apex-parts.store.watch");

/** What a log has under `WATCH`, with the lease of its claims that name none. */
export interface Watch {
  (runId: string, token: string, onStop: () => void): () => void;
  leaseMs?: number;
}

/** A log with what our own ones have besides. */
export interface OwnLog extends RunLog {
  readonly [WATCH]?: Watch;
  /** Of a log whose store may lose a run: see `RedisRunLog`. */
  recreate?: RedisRunLog["recreate"];
}
