// The types of `apex-parts/store/redis`: a log of runs in Redis Streams, over the program's own client.
import type { Position, RunLog } from "../types.ts";

/** A client of node-redis 4, 5 or 6, or of ioredis 5 or 6: told apart by which method is there. */
export type RedisLike =
  | {
      sendCommand(args: unknown, ...more: unknown[]): Promise<unknown>;
      duplicate(...options: unknown[]): unknown;
    }
  | {
      call(command: string, ...args: unknown[]): Promise<unknown>;
      duplicate(...options: unknown[]): unknown;
    };

/** The options of `redisRunLog`. */
export interface RedisRunLogOptions {
  /** Begins the names of all keys; default `apex:`. */
  prefix?: string;
  /** After the last append; default 24 hours. */
  ttlMs?: number;
  /** After the run's end; default 1 hour, and never more than `ttlMs`. */
  endedTtlMs?: number;
  /** The lease of a claim that names none; default 10 s. */
  leaseMs?: number;
  /**
   * How followers hear of appends: `block` (default) by one blocking connection, `spublish` (default for a cluster;
   * Redis 7) by a message to the run's shard, `poll` by asking.
   */
  wake?: "block" | "spublish" | "poll";
  /** An append waits until so many replicas have it, or throws `unavailable` after `ms`. */
  wait?: { replicas: number; ms: number };
  /** Makes the connection that waits, in place of `client.duplicate()`. It is closed when nobody follows. */
  blocking?: () => Promise<RedisLike>;
}
/** A log in Redis. */
export interface RedisRunLog extends RunLog {
  /**
   * Creates a run again that Redis has lost, from a snapshot, with the claim that its writer has. A writer does so
   * by itself. Throws `fenced` if there is such a run, `unknown_run` if it was deleted.
   * @param runId - The id of the run.
   * @param run - The claim, and the snapshot as NDJSON with its position.
   * @returns Nothing, when it is stored.
   */
  recreate(
    runId: string,
    run: {
      token: string;
      epoch: number;
      owner: string;
      leaseMs?: number;
      at: Position;
      bytes: Uint8Array;
      end?: "done" | "error";
    },
  ): Promise<void>;
}
