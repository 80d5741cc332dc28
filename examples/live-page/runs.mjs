// The runs of this process: writes those that nobody else writes, into a log which others read too.
import { setTimeout as wait } from "node:timers/promises";
import { memoryRunLog, RunWriter } from "apex-parts/store";
import { redisRunLog } from "apex-parts/store/redis";
import { recordingOf } from "./recording.mjs";

/** After so long without a word of its writer, another may take a run over. */
const LEASE_MS = 2000;

/** A log in Redis or, without its address, in the memory of this process. */
export async function openLog(redis) {
  if (!redis) return { log: memoryRunLog(), close() {} };
  const { createClient } = await import("redis");
  const client = createClient({ url: redis });
  client.on("error", () => {});
  await client.connect();
  return { log: redisRunLog(client), close: () => client.destroy() };
}

/**
 * `begin(id)` begins a run; `work(id)` writes one to its end, unless another process does; `stop()` ends all that.
 * `pass(seq)` is awaited before each delta.
 */
export function worker(log, { file, speed, pass }) {
  const busy = new Set();
  let isStopped = false;

  const open = (runId) => RunWriter.open(log, runId, { leaseMs: LEASE_MS });

  async function write(runId, writer) {
    try {
      let before;
      for (const { at, delta } of recordingOf(file, runId)) {
        // Another process wrote as far as here. A recording can be read again from any place: with a model's
        // own stream, which cannot, this would be `writer.fail({ errorCode: "writer_lost", retryable: true })`.
        if (delta.seq <= writer.position) continue;
        const pause = (at - (before ?? at)) / speed;
        before = at;
        if (pause >= 1) await wait(pause);
        await pass(delta.seq);
        if (isStopped) return;
        await writer.push(delta);
      }
      await writer.end();
    } finally {
      await writer.close();
    }
  }

  async function finish(runId, begun) {
    for (let writer = begun; !isStopped; writer = undefined) {
      try {
        return await write(runId, writer ?? (await open(runId)));
      } catch ({ code }) {
        // `held`: another process writes. `fenced`: it has taken over from this one, which was too slow.
        if (code !== "held" && code !== "fenced" && code !== "unavailable") return;
      }
      await wait(LEASE_MS / 4);
    }
  }

  function work(runId, begun) {
    if (busy.has(runId)) return;
    busy.add(runId);
    finish(runId, begun).finally(() => busy.delete(runId));
  }

  return {
    work,
    begin: async (runId) => work(runId, await open(runId)),
    stop() {
      isStopped = true;
    },
  };
}
