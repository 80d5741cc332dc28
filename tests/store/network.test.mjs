// The network between a program and Redis: replies that are cut, a server that is slow, gone or read-only, connections
// that are killed, clients that the program closes. With each client.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { RunReader, RunWriter } from "apex-parts/store";
import { redisRunLog } from "apex-parts/store/redis";
import { batch, done, failsWith, start, streamOf, text } from "./deltas.mjs";
import { followed, hadAll, keepsAll, written } from "./followers.mjs";
import { TcpProxy } from "./proxy.mjs";
import { CLIENTS, noRedis, startRedis, until } from "./redis.mjs";

const CUTS = 12;
const nothing = () => 0;
const OWNER = { owner: "a" };
/**
 * node-redis 4 keeps the arrays of a reply that was cut inside, and takes the first replies of the next connection for
 * more of it: its replies are cut before they begin.
 */
const canBeCutInside = (name) => name !== "node-redis 4";
const random = (below) => Math.floor(Math.random() * below);

describe("between a client and Redis", { skip: noRedis }, () => {
  let server;
  let admin;
  let direct;
  let count = 0;
  before(async () => {
    server = await startRedis();
    admin = await CLIENTS["ioredis 5"](server.port);
    direct = redisRunLog(admin.client);
  });
  after(async () => {
    admin?.close();
    await server?.stop();
  });

  /** A log over a client behind a proxy. */
  async function proxied(name, work) {
    const proxy = await TcpProxy.before(server.port);
    const { client, close } = await CLIENTS[name](proxy.port);
    try {
      await work({ proxy, client, log: keepsAll(redisRunLog(client)), runId: `run/${count++}` });
    } finally {
      await close();
      await proxy.close();
    }
  }

  for (const name of Object.keys(CLIENTS)) {
    for (const [what, through] of [
      ["before its first byte", nothing],
      ["in its middle", (data) => data.length >> 1],
      ["before its last line ends", (data) => data.length - 2],
    ]) {
      if (through !== nothing && !canBeCutInside(name)) continue;
      test(`${name}: a reply that is cut ${what}: the batch stands, its retry is a duplicate`, () =>
        proxied(name, async ({ proxy, log, runId }) => {
          const { token } = await log.claim(runId, OWNER);
          assert.equal(await log.append(runId, batch(0, 1, token)), "stored");
          proxy.onReply = (data) => {
            proxy.onReply = undefined;
            return through(data);
          };
          const append = () =>
            log.append(runId, batch(1, 2, token)).catch(({ code }) => {
              assert.equal(code, "unavailable");
            });
          // ioredis sends it again by itself.
          const first = await append();
          assert.equal(proxy.cuts, 1);
          assert.equal((await direct.latest(runId)).state.position, 2);
          assert.equal(first ?? (await until(append)), "duplicate");
          assert.equal((await direct.read(runId, 0)).batches.length, 2);
        }));
    }

    test(`${name}: ${CUTS} replies that are cut at random while a run streams`, () =>
      proxied(name, async ({ proxy, log, runId }) => {
        proxy.onReply = (data, pair) => {
          // Enough of them for a client to come up again.
          pair.left ??= 5 + random(20);
          if (proxy.cuts >= CUTS || --pair.left > 0) return undefined;
          return canBeCutInside(name) ? random(data.length) : 0;
        };
        const writer = await RunWriter.open(log, runId, { flushMs: 1, leaseMs: 60_000 });
        const readers = [followed(log, runId), followed(direct, runId)];
        const screen = await RunReader.open(direct, runId);
        const expected = await written(writer, () => proxy.cuts >= CUTS);
        for (const reader of readers) await hadAll(await reader, direct, runId);
        assert.equal((await screen.result()).parts[0].payload.text, expected);
        screen.free();
        await writer.close();
      }));

    const skip =
      name === "node-redis 5" && "on a busy machine this client may never connect again after it";
    test(`${name}: connections that Redis kills while a run streams`, { skip }, () =>
      proxied(name, async ({ log, runId }) => {
        const writer = await RunWriter.open(log, runId, { flushMs: 1, leaseMs: 60_000 });
        const reader = followed(log, runId);
        let killed = 0;
        const killing = (async () => {
          while (killed < 5) {
            const { position } = writer;
            // Each when it has written again, and only connections that are at work.
            await until(() => writer.position > position);
            const list = await admin.client.call("CLIENT", "LIST");
            const working = [...list.matchAll(/^id=(\d+) .* cmd=(?:evalsha|xread) /gm)];
            for (const [, id] of working) await admin.client.call("CLIENT", "KILL", "ID", id);
            if (working.length > 0) killed++;
          }
        })();
        const expected = await written(writer, () => killed === 5);
        await killing;
        await hadAll(await reader, direct, runId);
        const screen = await RunReader.open(direct, runId);
        assert.equal((await screen.result()).parts[0].payload.text, expected);
        screen.free();
        await writer.close();
      }),
    );

    test(`${name}: Redis is slow: writers wait, and go on`, () =>
      proxied(name, async ({ proxy, log, runId }) => {
        let sent = 0;
        const counted = {
          ...log,
          append: (...args) => {
            sent++;
            return log.append(...args);
          },
        };
        const settings = { flushMs: 1, flushBytes: 50, leaseMs: 60_000 };
        const writer = await RunWriter.open(counted, runId, settings);
        const reader = followed(direct, runId);
        await writer.push(start());
        await until(() => writer.position === 1);
        proxy.hold();
        const before = sent;
        let pushed = 1;
        const pushing = (async () => {
          for (let seq = 2; seq < 60; seq++) {
            await writer.push(text(seq, `${seq}${"-".repeat(50_000)}`));
            pushed = seq;
          }
        })();
        // Some are on their way at once; what comes then waits.
        await until(() => sent - before >= 4);
        assert.equal(writer.position, 1);
        assert.ok(pushed < 59);
        proxy.goOn();
        await pushing;
        await writer.push(done(60));
        await writer.end();
        await hadAll(await reader, direct, runId);
        await writer.close();
      }));

    test(`${name}: Redis is gone for longer than the lease: unavailable, and the next goes on`, () =>
      proxied(name, async ({ proxy, log, runId }) => {
        const all = streamOf(200);
        const first = await RunWriter.open(log, runId, { owner: "a", flushMs: 1, leaseMs: 500 });
        const reader = followed(direct, runId);
        for (const delta of all.slice(0, 100)) await first.push(delta);
        await until(() => first.position === 100);
        proxy.hold();
        for (const delta of all.slice(100, 120)) await first.push(delta);
        await until(() => first.signal.aborted);
        assert.equal(first.signal.reason.code, "unavailable");
        await failsWith("unavailable", first.end());
        await first.close();
        // What it had sent arrives now: before the next claim it is stored, after it fenced.
        proxy.goOn();
        const second = await until(() =>
          RunWriter.open(direct, runId, { owner: "b" }).catch(() => false),
        );
        for (const delta of all) if (delta.seq > second.position) await second.push(delta);
        await second.end();
        await second.close();
        const batches = await reader;
        assert.equal(batches.at(-1).to, 200);
        await hadAll(batches, direct, runId);
        const screen = await RunReader.open(direct, runId);
        const { parts } = await screen.result();
        const texts = all.slice(1, -1).map(({ payload }) => payload.textDelta);
        assert.equal(parts[0].payload.text, texts.join(""));
        screen.free();
      }));

    test(`${name}: a client that the program closes: unavailable, for writers and followers`, () =>
      proxied(name, async ({ client, log, runId }) => {
        const writer = await RunWriter.open(log, runId, { flushMs: 1, leaseMs: 300 });
        await writer.push(start());
        await until(() => writer.position === 1);
        const follower = log.follow(runId, 0)[Symbol.asyncIterator]();
        await follower.next();
        await client.quit();
        await failsWith("unavailable", log.latest(runId));
        await failsWith("unavailable", log.claim(runId, OWNER));
        await failsWith("unavailable", log.requestStop(runId));
        await failsWith("unavailable", follower.next());
        await writer.push(text(2, "x"));
        await failsWith("unavailable", writer.end());
        assert.equal(writer.signal.aborted, true);
        await writer.close();
        // What it had written goes on from another program.
        const next = await until(() =>
          RunWriter.open(direct, runId, { owner: "b" }).catch(() => false),
        );
        assert.equal(next.position, 1);
        await next.end();
        await next.close();
      }));
  }
});

describe("a Redis that is read-only", { skip: noRedis }, () => {
  for (const name of Object.keys(CLIENTS)) {
    test(`${name}: nothing is written, readers go on, and so do writers when it is not any more`, async () => {
      const main = await startRedis(["--repl-diskless-sync-delay", 0]);
      const replica = await startRedis(["--replicaof", "127.0.0.1", main.port]);
      const at = await CLIENTS["ioredis 5"](main.port);
      const own = await CLIENTS[name](replica.port);
      try {
        const source = redisRunLog(at.client);
        const log = redisRunLog(own.client);
        const { token } = await source.claim("r", OWNER);
        await source.append("r", batch(0, 1, token));
        await until(async () => (await log.latest("r")).state.position === 1);
        const reader = followed(log, "r");
        for (const call of [
          () => log.append("r", batch(1, 2, token)),
          () => log.claim("new", OWNER),
          () => log.renew("r", token),
          () => log.requestStop("r"),
        ]) {
          const error = await failsWith("unavailable", call());
          assert.match(String(error.cause), /READONLY|read.?only/i);
        }
        await source.append("r", batch(1, 2, token));
        await until(async () => (await log.latest("r")).state.position === 2);
        const redis = await CLIENTS["ioredis 5"](replica.port);
        await redis.client.call("REPLICAOF", "NO", "ONE");
        redis.close();
        assert.equal(await log.append("r", batch(2, 3, token, { end: "done" })), "stored");
        await hadAll(await reader, log, "r");
      } finally {
        await own.close();
        at.close();
        await replica.stop();
        await main.stop();
      }
    });
  }
});
