// The types of `apex-parts/store`: runs that outlive their process, as deltas in a log. Long because editors show its
// comments.
import type { Change, WireFormat } from "apex-parts:glue";

/** An `AbortSignal`, or its shape where the program's lib has none. */
export type Abort = typeof globalThis extends { AbortSignal: { prototype: infer T } }
  ? T
  : {
      readonly aborted: boolean;
      readonly reason?: unknown;
      addEventListener(type: "abort", listener: () => void): void;
      removeEventListener(type: "abort", listener: () => void): void;
    };
/** A `Request`, or what is needed of one. */
export type WebRequest = typeof globalThis extends { Request: { prototype: infer T } }
  ? T
  : { readonly url: string; readonly headers: { get(name: string): string | null } };
/** A `Response`, or an object where the program's lib has none. */
export type WebResponse = typeof globalThis extends { Response: { prototype: infer T } }
  ? T
  : object;
/** Headers in any of the forms that `fetch` takes. */
export type HeadersLike =
  | { [name: string]: string }
  | [string, string][]
  | { forEach(callback: (value: string, name: string) => void): void };

/** The `seq` of the last delta in a batch; 0: before the first. */
export type Position = number;
/** What the bytes given to a writer are. */
export type StreamFormat = WireFormat;

/** Deltas that were appended together. */
export interface Batch {
  /** The position before it. */
  from: Position;
  /** The position after it. */
  to: Position;
  /** The claim under which it was appended. */
  epoch?: number;
  /** Deltas as NDJSON, their `seq` above `from` and at most `to`. */
  bytes: Uint8Array;
}
/** The state of a run. */
export interface RunState {
  /** `expired`: its time to live is over; it is told from `none` for as long again. */
  status: "none" | "open" | "done" | "error" | "expired";
  position: Position;
  /** The number of the last claim. */
  epoch: number;
  /** Who claimed it last, unless it was released or has ended. */
  owner?: string;
  /** How long the lease still runs; 0 if it does not. */
  leaseMs: number;
  snapshotAt: Position;
  /** The position at which each epoch began. */
  began: Record<number, Position>;
}
/** The right to write a run. */
export interface Claim {
  epoch: number;
  /** Names this claim: its epoch and a nonce. */
  token: string;
  position: Position;
  snapshot?: Uint8Array;
  snapshotAt: Position;
  /** There was a claim before. */
  tookOver: boolean;
}
/** A log of runs, one message each. */
export interface RunLog {
  /**
   * Makes the caller the run's one writer. Throws `held` while another's lease runs, `ended`, `expired`.
   * @param runId - The id of the run.
   * @param options - Who writes, for how many milliseconds, and whether another's lease is broken.
   * @returns The claim, with what is stored.
   */
  claim(
    runId: string,
    options: { owner: string; leaseMs?: number; force?: boolean },
  ): Promise<Claim>;
  /**
   * Stores a batch whole or not at all; `duplicate` is one that was stored already. Throws `fenced`, `gap`, `ended`, `too_large`.
   * @param runId - The id of the run.
   * @param batch - The deltas, the token of the claim, and with the last batch how the run ended.
   * @returns Whether it is new.
   */
  append(
    runId: string,
    batch: Batch & { token: string; end?: "done" | "error" },
  ): Promise<"stored" | "duplicate">;
  /**
   * Keeps the lease; says where the log is, and whether the run is to stop. Throws `fenced`, `ended`.
   * @param runId - The id of the run.
   * @param token - The token of the claim.
   * @returns Whether to stop, and the position.
   */
  renew(runId: string, token: string): Promise<{ stop: boolean; position: Position }>;
  /**
   * Gives up the lease: anybody may claim at once.
   * @param runId - The id of the run.
   * @param token - The token of the claim.
   * @returns Nothing, when it is released.
   */
  release(runId: string, token: string): Promise<void>;
  /**
   * Replaces what is stored up to `at`, where a batch ends. Throws `fenced`, `gap`.
   * @param runId - The id of the run.
   * @param snapshot - The token of the claim, and NDJSON that rebuilds the message up to `at`.
   * @returns Nothing, when it is stored.
   */
  snapshot(
    runId: string,
    snapshot: { token: string; at: Position; bytes: Uint8Array },
  ): Promise<void>;
  /**
   * The state and the snapshot, read in one step.
   * @param runId - The id of the run.
   * @returns The state; `none` if there is no such run.
   */
  latest(runId: string): Promise<{ state: RunState; snapshot?: Uint8Array; snapshotAt: Position }>;
  /**
   * The batches after a position, at most `maxBytes` (1 MB) of them, but one. Throws `trimmed`.
   * @param runId - The id of the run.
   * @param from - The position after which to begin; 0: from the start.
   * @param options - The most bytes.
   * @returns The batches, and the state.
   */
  read(
    runId: string,
    from: Position,
    options?: { maxBytes?: number },
  ): Promise<{ batches: Batch[]; state: RunState }>;
  /**
   * The batches after a position as they come, until the run or `signal` ends it. Throws `trimmed`.
   * @param runId - The id of the run.
   * @param from - The position after which to begin; 0: from the start.
   * @param options - What ends it, and the most bytes of one reading.
   * @returns The batches.
   */
  follow(
    runId: string,
    from: Position,
    options?: { signal?: Abort; maxBytes?: number },
  ): AsyncIterable<Batch>;
  /**
   * Asks the writer, wherever it is, to stop.
   * @param runId - The id of the run.
   * @returns Nothing, when it is asked.
   */
  requestStop(runId: string): Promise<void>;
  /**
   * Forgets the run; nothing if there is none.
   * @param runId - The id of the run.
   * @returns Nothing, when it is forgotten.
   */
  delete(runId: string): Promise<void>;
}
/** The options of `memoryRunLog`. */
export interface MemoryRunLogOptions {
  /** After the last append; default 24 hours. */
  ttlMs?: number;
  /** After the run's end; default 1 hour, and never more than `ttlMs`. */
  endedTtlMs?: number;
  /** Bytes that are appended to one run; default 64 MB. */
  maxBytes?: number;
  /** The clock, in milliseconds. */
  now?: () => number;
}

/** The options of a `RunWriter`. */
export interface RunWriterOptions {
  /** Who writes; the same owner may claim again at once. Default: a name that nobody has. */
  owner?: string;
  /** Waits as long as another writes or its lease runs, instead of throwing `held`. Default false. */
  wait?: boolean;
  /** What `pushBytes` takes; default `delta`. */
  format?: StreamFormat;
  /** Default 10 s. Also how long a store may be away. */
  leaseMs?: number;
  /** A batch is sent after so long; default 40 ms. */
  flushMs?: number;
  /** … or when it has about so many bytes; default 16 KB. */
  flushBytes?: number;
}

/** What a screen has to redraw. */
export interface RunChanges {
  position: Position;
  changes: Change[];
  /** The changes begin the message anew: throw away what was shown. */
  reset?: true;
}

/** How a run is answered. */
export interface RunResponseOptions {
  /** What events hold: deltas (default), changes for a screen, or parts of an AI SDK UI message stream. */
  as?: "deltas" | "changes" | "ai-sdk";
  /** A comment is sent so often; default 15 s. */
  heartbeatMs?: number;
  /** The answer is ended after so long, and the browser comes back; default 10 minutes. */
  maxMs?: number;
  /** Further headers of every answer. */
  headers?: HeadersLike;
}

/**
 * What is wrong: `fenced`: another has claimed the run; `held`: another writes it; `gap`: a batch is missing before this one; `ended`; `trimmed`: the position is older than what is stored; `expired`; `unknown_run`; `too_large`; `unavailable`: the store does not answer.
 */
export type RunStoreErrorCode =
  | "fenced"
  | "held"
  | "gap"
  | "ended"
  | "trimmed"
  | "expired"
  | "unknown_run"
  | "too_large"
  | "unavailable";
/**
 * A request as a server of Node has it: what a function of a program that names no type reads of it. `params` are those
 * of Express; a request of `node:http` has none.
 */
export interface RunRequest {
  url: string;
  method: string;
  headers: { [name: string]: string | string[] | undefined };
  params: { [name: string]: string };
}
