// The types of `apex-parts/store`: runs that outlive their process, as deltas in a log. Long because editors show its
// comments and examples: the declarations are the smaller half.
import type {
  Change,
  Message,
  MessageDelta,
  WireFormat,
  WithParts,
  WithPartsContext,
} from "./index.js";

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
export function memoryRunLog(options?: MemoryRunLogOptions): RunLog;

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
  private constructor();
  /**
   * Claims the run. Throws as `claim` does.
   * @param log - The log.
   * @param runId - The id of the run.
   * @param options - Who writes, the format of the bytes, and times in milliseconds.
   * @returns The writer.
   */
  static open(log: RunLog, runId: string, options?: RunWriterOptions): Promise<RunWriter>;
  readonly epoch: number;
  /** Another wrote before: `position` says how far, `preview()` what. */
  readonly tookOver: boolean;
  /** Aborts when the run is to stop, and when nothing can be written any more: pass it to `fetch`. */
  readonly signal: Abort;
  /** How far the message is stored. */
  readonly position: Position;
  /**
   * Adds bytes of the provider's stream, cut anywhere. Resolves when there is room for more.
   * @param chunk - The next bytes, in the format of the options.
   * @returns Nothing, when there is room for more.
   */
  pushBytes(chunk: Uint8Array): Promise<void>;
  /**
   * Adds a delta, which keeps its `seq`; one that is stored already is dropped. Resolves as `pushBytes` does.
   * @param delta - The delta.
   * @returns Nothing, when there is room for more.
   */
  push(delta: MessageDelta): Promise<void>;
  /**
   * The message as far as it was pushed.
   * @returns The message so far.
   */
  preview(): Message;
  /**
   * Ends the run as its message ends; without `done` with the error `incomplete`. Resolves when that is stored.
   * @returns Nothing, when it is stored.
   */
  end(): Promise<void>;
  /**
   * Ends the run with an error. Resolves when that is stored.
   * @param error - The code, and what to tell.
   * @returns Nothing, when it is stored.
   */
  fail(error: { errorCode: string; message?: string; retryable?: boolean }): Promise<void>;
  /**
   * Stores what was pushed and gives the run up, unless it has ended; releases the memory.
   * @returns Nothing, when it is stored.
   */
  close(): Promise<void>;
}

/** What a screen has to redraw. */
export interface RunChanges {
  position: Position;
  changes: Change[];
  /** The changes begin the message anew: throw away what was shown. */
  reset?: true;
}
/**
 * Reads one message of a run, as far as it is stored and as it grows.
 * @example
 * ```ts
 * import { memoryRunLog, RunReader, RunWriter } from "apex-parts/store";
 *
 * const log = memoryRunLog();
 * const writer = await RunWriter.open(log, "r1");
 * const timestamp = new Date().toISOString();
 * await writer.push({ runId: "r1", seq: 1, timestamp, kind: "start", payload: { modelId: "m", requestId: "q" } });
 * await writer.push({ runId: "r1", seq: 2, timestamp, kind: "text", payload: { textDelta: "Hello" } });
 * await writer.end(); // without `done`: the message ends with the error `incomplete`
 * const reader = await RunReader.open(log, "r1");
 * for await (const { changes } of reader.changes()) console.log(changes.map(({ op }) => op));
 * reader.message().parts; // [{ kind: "text", payload: { text: "Hello" } }]
 * reader.free();
 * ```
 */
export class RunReader {
  private constructor();
  /**
   * Resolves when what is stored is read. `from`: changes up to there are known. Throws `unknown_run`, `expired`.
   * @param log - The log.
   * @param runId - The id of the run.
   * @param options - Where to begin, and what ends it.
   * @returns The reader.
   */
  static open(
    log: RunLog,
    runId: string,
    options?: { from?: Position; signal?: Abort },
  ): Promise<RunReader>;
  /**
   * The message so far or the final one.
   * @returns The message.
   */
  message(): Message;
  /**
   * The same as a message with parts; ids that the context lacks are new in each call.
   * @param context - The ids and names that a stream does not contain.
   * @returns A message with parts.
   */
  toWithParts(context: WithPartsContext): WithParts;
  /**
   * What changes, until the run ends; for one caller.
   * @returns The changes, with the position after them.
   */
  changes(): AsyncIterable<RunChanges>;
  /**
   * The message when the run has ended, however it has.
   * @returns The message.
   */
  result(): Promise<Message>;
  /** Stops reading and releases the memory. */
  free(): void;
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
 * Answers a request with the events of a run. Who may read it, is to be checked before.
 * @param request - The request; `Last-Event-ID` says where to go on.
 * @param log - The log.
 * @param runId - The id of the run.
 * @param options - What events hold, and times in milliseconds.
 * @returns The response, with the status 200, or 204 and more for a run that is not to be read.
 * @example
 * ```ts
 * import { memoryRunLog, runResponse, RunWriter } from "apex-parts/store";
 *
 * const log = memoryRunLog();
 * const writer = await RunWriter.open(log, "r1");
 * await writer.fail({ errorCode: "stopped", message: "the user stopped it" });
 * const response = await runResponse(new Request("http://localhost/runs/r1"), log, "r1");
 * response.status; // 200
 * (await response.text()).includes("the user stopped it"); // true
 * ```
 */
export function runResponse(
  request: WebRequest,
  log: RunLog,
  runId: string,
  options?: RunResponseOptions,
): Promise<WebResponse>;
/**
 * The same as a handler for Express 4 and 5 and `node:http`; a request without a runId goes to `next`.
 * @param log - The log.
 * @param options - What events hold, and how a request names its run.
 * @returns The handler.
 * @example
 * ```ts
 * import { createServer } from "node:http";
 * import { memoryRunLog, runHandler } from "apex-parts/store";
 *
 * const handler = runHandler(memoryRunLog(), { runId: ({ url }) => url.split("/").pop() });
 * const server = createServer((request, response) => handler(request, response));
 * server.listening; // false
 * ```
 */
export function runHandler(
  log: RunLog,
  options: RunResponseOptions & { runId: (request: any) => string | undefined },
): (request: any, response: any, next?: any) => void;

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
   * Creates an error.
   * @param code - What is wrong.
   * @param details - The run, and where it is.
   * @param options - The message, and what caused it.
   */
  constructor(
    code: RunStoreErrorCode,
    details: RunStoreError["details"],
    options?: { message?: string; cause?: unknown },
  );
  name: "RunStoreError";
  /** The message ends in it: `… (fenced)`. */
  code: RunStoreErrorCode;
  details: { runId: string; epoch?: number; owner?: string; position?: Position };
}
