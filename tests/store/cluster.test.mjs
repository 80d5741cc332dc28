// More than one Redis: a cluster whose slots move while runs stream, and a replica that takes over.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { RunReader, RunWriter } from "apex-parts/store";
import { redisRunLog } from "apex-parts/store/redis";
import { CLUSTERS, startCluster } from "./cluster.mjs";
import { followed, hadAll, keepsAll, written } from "./followers.mjs";
import { TcpProxy } from "./proxy.mjs";
import { CLIENTS, noCluster, noRedis, startRedis, until } from "./redis.mjs";

const MOVES = 3;

// A client of a cluster may still look for nodes that are gone when all is tested.
after(() => void setTimeout(() => process.exit(), 20_000).unref());

async function hasText(log, runId, expected) {
  const reader = await RunReader.open(log, runId);
  assert.equal((await reader.result()).parts[0].payload.text, expected);
  reader.free();
}

describe("a cluster", { skip: noCluster }, () => {
  let cluster;
  before(async () => {
    if (noCluster) return;
    cluster = await startCluster();
  });
  after(() => cluster?.stop());

  for (const name of Object.keys(CLUSTERS)) {
    for (const wake of [undefined, "poll"]) {
      test(`${name}, woken by ${wake ?? "spublish"}: slots move while runs stream`, async () => {
        const own = await CLUSTERS[name](cluster.ports);
        const other = await CLUSTERS[name](cluster.ports);
        const prefix = `${name}${wake}:`;
        const log = redisRunLog(own.client, { prefix, wake });
        const whole = keepsAll(log);
        const elsewhere = redisRunLog(other.client, { prefix, wake });
        try {
          // Three runs, of slots of their own; what one of them snapshots moves too.
          const runIds = ["a/0", "b/0", "c/0"];
          let moves = 0;
          const runs = runIds.map(async (runId, index) => {
            const settings = { flushMs: 1, leaseMs: 60_000 };
            const writer = await RunWriter.open(index === 2 ? log : whole, runId, settings);
            const readers = index === 2 ? [] : [followed(log, runId), followed(elsewhere, runId)];
            const screen = await RunReader.open(elsewhere, runId);
            const expected = await written(writer, () => moves === MOVES, 50);
            await writer.close();
            for (const reader of readers) await hadAll(await reader, elsewhere, runId);
            assert.equal((await screen.result()).parts[0].payload.text, expected);
            screen.free();
            await hasText(log, runId, expected);
          });
          const positions = () =>
            Promise.all(
              runIds.map(async (runId) => (await elsewhere.latest(runId)).state.position),
            );
          const moving = (async () => {
            let before = [0, 0, 0];
            for (; moves < MOVES; moves++) {
              // Each when all have written something more.
              before = await until(async () => {
                const now = await positions().catch(() => before);
                return now.every((position, index) => position > before[index]) && now;
              });
              for (const runId of runIds) await cluster.move(`${prefix}{${runId}}:d`);
            }
          })();
          await Promise.all([moving, ...runs]);
        } finally {
          await own.close();
          await other.close();
        }
      });
    }

    test(`${name}: a stop reaches a writer, whichever node it is at`, async () => {
      const own = await CLUSTERS[name](cluster.ports);
      try {
        const log = redisRunLog(own.client, { prefix: `stop ${name}:` });
        // Renewals are too rare to be how it hears of it.
        const open = (runId) => RunWriter.open(log, runId, { leaseMs: 3_600_000 });
        const writers = await Promise.all(["a", "b", "c"].map(open));
        await log.requestStop("b");
        await until(() => writers[1].signal.aborted);
        assert.deepEqual(
          writers.map(({ signal }) => signal.aborted),
          [false, true, false],
        );
        await Promise.all(writers.map((writer) => writer.close()));
      } finally {
        await own.close();
      }
    });
  }
});

describe("a replica takes over", { skip: noRedis }, () => {
  /** A server with two replicas, behind a proxy that leads to whichever is the first. */
  async function replicated(work) {
    const main = await startRedis(["--repl-diskless-sync-delay", 0]);
    const flags = ["--replicaof", "127.0.0.1", main.port, "--repl-diskless-sync-delay", 0];
    const replicas = [await startRedis(flags), await startRedis(flags)];
    const admins = await Promise.all(
      [main, ...replicas].map(({ port }) => CLIENTS["ioredis 5"](port)),
    );
    const proxy = await TcpProxy.before(main.port);
    const own = await CLIENTS["node-redis 6"](proxy.port);
    const command = (index, ...args) => admins[index].client.call(...args);
    await until(async () => {
      const info = await command(0, "INFO", "replication");
      return info.match(/state=online/g)?.length === 2;
    });
    const takeOver = async () => {
      await main.kill();
      await command(1, "REPLICAOF", "NO", "ONE");
      await command(2, "REPLICAOF", "127.0.0.1", replicas[0].port);
      proxy.target = replicas[0].port;
      proxy.cut();
    };
    try {
      await work({ client: own.client, takeOver, command });
    } finally {
      await own.close();
      await proxy.close();
      for (const admin of admins) admin.close();
      for (const server of [main, ...replicas]) await server.stop();
    }
  }

  test("with `wait`, what was acknowledged stands; writer and readers go on", () =>
    replicated(async ({ client, takeOver, command }) => {
      const log = keepsAll(redisRunLog(client, { wait: { replicas: 2, ms: 2000 } }));
      const patient = keepsAll(redisRunLog(client, { wait: { replicas: 1, ms: 2000 } }));
      // Written to both, so that whichever takes over has it.
      const claim = await log.claim("before", { owner: "a" });
      const bytes = new TextEncoder().encode("x\n");
      await log.append("before", { from: 0, to: 1, token: claim.token, bytes });
      const writer = await RunWriter.open(patient, "r", { flushMs: 1, leaseMs: 60_000 });
      const reader = followed(patient, "r");
      let isOver = false;
      const writing = written(writer, () => isOver, 50).finally(() => writer.close());
      await until(() => writer.position > 20);
      await takeOver();
      const { position } = writer;
      await until(() => writer.position > position + 20);
      isOver = true;
      const expected = await writing;
      await hadAll(await reader, patient, "r");
      await hasText(patient, "r", expected);
      assert.equal((await patient.latest("before")).state.position, 1);
      assert.match(await command(1, "INFO", "replication"), /role:master/);
    }));

  test("without, what it had not heard of is written again by the living writer", () =>
    replicated(async ({ client, takeOver, command }) => {
      const log = keepsAll(redisRunLog(client));
      const writer = await RunWriter.open(log, "r", { flushMs: 1, leaseMs: 60_000 });
      const reader = followed(log, "r");
      let isOver = false;
      const writing = written(writer, () => isOver, 50).finally(() => writer.close());
      await until(() => writer.position > 20);
      const positionAt = async (index) => Number(await command(index, "HGET", "apex:{r}:m", "pos"));
      // Without `wait` nothing says that the replica has anything yet.
      await until(async () => (await positionAt(1)) > 5);
      // From now on there are two: what the old one acknowledges, readers see, and it vanishes.
      await command(1, "REPLICAOF", "NO", "ONE");
      const kept = await positionAt(1);
      await until(() => writer.position > kept + 5);
      const seen = writer.position;
      await takeOver();
      await until(() => writer.position > seen);
      isOver = true;
      const expected = await writing;
      await hadAll(await reader, log, "r");
      await hasText(log, "r", expected);
      assert.equal((await log.latest("r")).state.epoch, 1);
    }));
});
