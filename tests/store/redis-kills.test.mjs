// Redis itself is killed, again and again, while writers and readers run. `REDIS_KILLS` says how often; 6 unless it does.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { RunReader, RunWriter, runResponse } from "apex-parts/store";
import { redisRunLog } from "apex-parts/store/redis";
import { batch, done, failsWith, start, text } from "./deltas.mjs";
import { followed, hadAll, keepsAll, written } from "./followers.mjs";
import { CLIENTS, noRedis, startRedis, until } from "./redis.mjs";

const KILLS = Number(process.env.REDIS_KILLS ?? 6);
const RUNS = 3;

/** Writes one run until `isEnough()`; its text. */
async function ofOneWriter(log, runId, isEnough) {
  const writer = await RunWriter.open(log, runId, { flushMs: 1, flushBytes: 100, leaseMs: 60_000 });
  const expected = await written(writer, isEnough, 50);
  // One writer all the time: no claim was made again.
  assert.equal(writer.epoch, 1);
  await writer.close();
  return expected;
}

describe("Redis is killed", { skip: noRedis }, () => {
  for (const [index, fsync] of ["always", "everysec"].entries()) {
    const kills = index === 0 ? Math.ceil(KILLS / 2) : Math.floor(KILLS / 2);
    test(`${kills} times with AOF ${fsync}: readers have each batch once, byte for byte`, async (t) => {
      const server = await startRedis(["--appendonly", "yes", "--appendfsync", fsync]);
      const own = await CLIENTS["node-redis 6"](server.port);
      const other = await CLIENTS["ioredis 6"](server.port);
      const log = keepsAll(redisRunLog(own.client));
      const elsewhere = redisRunLog(other.client);
      const figures = { kills: 0, lost: 0, batches: 0 };
      try {
        const isEnough = () => figures.kills === kills;
        const runs = Array.from({ length: RUNS }, async (_, run) => {
          const runId = `run/${run}`;
          const writing = ofOneWriter(log, runId, isEnough);
          writing.catch(() => {});
          await until(async () => {
            const { state } = await elsewhere.latest(runId).catch(() => ({ state: {} }));
            return state.position > 0;
          });
          const readers = [log, elsewhere].map((from) => followed(from, runId));
          const screen = await RunReader.open(elsewhere, runId);
          const expected = await writing;
          for (const reader of readers) {
            const batches = await reader;
            figures.batches += batches.length;
            await hadAll(batches, elsewhere, runId);
          }
          assert.equal((await screen.result()).parts[0].payload.text, expected);
          screen.free();
        });
        const positions = async () =>
          Promise.all(
            Array.from({ length: RUNS }, async (_, run) => {
              const { state } = await elsewhere.latest(`run/${run}`);
              return state.position;
            }),
          );
        const killing = (async () => {
          let before = [0, 0, 0];
          while (!isEnough()) {
            // Each when all have written something more.
            await until(async () => {
              const now = await positions().catch(() => before);
              return now.every((position, run) => position > before[run]);
            });
            const acknowledged = await positions();
            await server.kill();
            await server.start();
            before = await until(() => positions().catch(() => false));
            if (before.some((position, run) => position < acknowledged[run])) figures.lost++;
            figures.kills++;
          }
        })();
        await Promise.all([...runs, killing]);
        // What was acknowledged stands; with everysec a living writer wrote it again.
        if (fsync === "always") assert.equal(figures.lost, 0);
        t.diagnostic(JSON.stringify({ fsync, ...figures }));
      } finally {
        own.close();
        other.close();
        await server.stop();
      }
    });
  }

  test("without AOF: the run is gone, its writer creates it again in its epoch, readers go on", async () => {
    const server = await startRedis();
    const own = await CLIENTS["node-redis 5"](server.port);
    const other = await CLIENTS["ioredis 5"](server.port);
    const log = redisRunLog(own.client);
    const elsewhere = redisRunLog(other.client);
    try {
      const { token } = await log.claim("r", { owner: "before" });
      await log.release("r", token);
      const writer = await RunWriter.open(log, "r", { flushMs: 1, leaseMs: 60_000 });
      const silent = await log.claim("silent", { owner: "a" });
      await writer.push(start());
      await writer.push(text(2, "one "));
      await until(() => writer.position === 2);
      const reader = await RunReader.open(elsewhere, "r");
      await server.kill();
      await server.start();
      for (const one of [log, elsewhere]) await until(() => one.latest("r").catch(() => false));
      // Whose writer does not live, is unknown; nobody creates it by appending.
      await failsWith("unknown_run", log.append("silent", batch(0, 1, silent.token)));
      await failsWith("unknown_run", elsewhere.read("silent", 0));
      const request = new Request("http://localhost/", { headers: { "Last-Event-ID": "1.1" } });
      assert.equal((await runResponse(request, elsewhere, "silent")).status, 404);
      await writer.push(text(3, "two "));
      const { state, snapshotAt } = await until(async () => {
        const latest = await elsewhere.latest("r");
        return latest.state.position === 3 && latest;
      });
      assert.deepEqual([state.epoch, snapshotAt, state.status], [2, 3, "open"]);
      // Beyond what was created again: another text may follow.
      const ahead = new Request("http://localhost/", { headers: { "Last-Event-ID": "9.2" } });
      const events = (await runResponse(ahead, elsewhere, "r")).body.getReader();
      await writer.push(text(4, "three"));
      await writer.push(done(5));
      await writer.end();
      assert.equal((await reader.result()).parts[0].payload.text, "one two three");
      reader.free();
      let sse = "";
      for (let next = await events.read(); !next.done; next = await events.read()) {
        sse += new TextDecoder().decode(next.value);
      }
      assert.match(sse, /event: reset\n/);
      assert.match(sse, /event: end\n/);
      await writer.close();
    } finally {
      own.close();
      other.close();
      await server.stop();
    }
  });
});
