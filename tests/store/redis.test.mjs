// What only the log over Redis does: its keys, how followers wake, and what it does when Redis forgets its scripts,
// has no memory left, restarts with less than it had acknowledged, or with nothing.
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { RunReader, RunWriter, RunStoreError as StoreError } from "apex-parts/store";
import { RunStoreError, redisRunLog } from "apex-parts/store/redis";
import { all, batch, bytesOf, done, failsWith, start, stored, text, textOf } from "./deltas.mjs";
import { CLIENTS, noRedis, startRedis, until } from "./redis.mjs";

const OWNER = { owner: "a" };

describe("over a real Redis", { skip: noRedis }, () => {
  let server;
  let admin;
  let count = 0;
  let prefix;
  before(async () => {
    server = await startRedis();
    admin = await CLIENTS["ioredis 5"](server.port);
  });
  after(async () => {
    admin?.close();
    await server?.stop();
  });
  beforeEach(() => {
    prefix = `p${count++}:`;
  });
  const command = (...args) => admin.client.call(...args);

  test("one class of errors, whichever entry it is from", () => {
    assert.equal(RunStoreError, StoreError);
  });

  test("keys: a stream whose ids are positions, a hash, a snapshot, in one slot", async () => {
    const log = redisRunLog(admin.client, { prefix });
    const { token } = await log.claim("x/0", OWNER);
    await log.append("x/0", batch(0, 4, token));
    await log.append("x/0", batch(4, 9, token));
    await log.snapshot("x/0", { token, at: 4, bytes: bytesOf("snap") });
    const keys = (await command("KEYS", `${prefix}*`)).sort();
    assert.deepEqual(
      keys,
      ["d", "m", "s"].map((kind) => `${prefix}{x/0}:${kind}`),
    );
    const [d, m, s] = keys;
    assert.deepEqual(await command("XRANGE", d, "-", "+"), [
      ["9-0", ["e", "1", "f", "4", "d", "4-9\n"]],
    ]);
    assert.equal(await command("GET", s), "snap");
    const fields = ["epoch", "owner", "pos", "snapAt", "c1"];
    assert.deepEqual(await command("HMGET", m, ...fields), ["1", "a", "9", "4", "0"]);
    const [left, twice] = [await command("PTTL", d), await command("PTTL", m)];
    assert.ok(Math.abs(twice - 2 * left) < 60_000);
    assert.ok(left > 86_000_000 && left <= 86_400_000);
    await log.append("x/0", batch(9, 10, token, { end: "done" }));
    assert.ok((await command("PTTL", d)) <= 3_600_000);
    const slots = await Promise.all(
      keys.map((key) => command("CLUSTER", "KEYSLOT", key)).map((p) => p.catch(() => 0)),
    );
    assert.equal(new Set(slots).size, 1);
  });

  test("scripts that Redis forgot are sent again, in order", async () => {
    for (const name of Object.keys(CLIENTS)) {
      const { client, close } = await CLIENTS[name](server.port);
      const log = redisRunLog(client, { prefix });
      const { token } = await log.claim(name, OWNER);
      await command("SCRIPT", "FLUSH");
      const answers = await Promise.allSettled(
        [0, 1, 2, 3, 4].map((at) => log.append(name, batch(at, at + 1, token))),
      );
      assert.deepEqual(
        answers.map(({ value }) => value),
        Array(5).fill("stored"),
        name,
      );
      await command("SCRIPT", "FLUSH");
      assert.equal((await stored(log, name)).length, 5);
      await close();
    }
  });

  test("without memory: unavailable, nothing half written, and on it goes", async () => {
    const log = redisRunLog(admin.client, { prefix });
    const { token } = await log.claim("r", OWNER);
    await log.append("r", batch(0, 1, token));
    await command("CONFIG", "SET", "maxmemory", "1");
    try {
      const error = await failsWith("unavailable", log.append("r", batch(1, 2, token)));
      assert.match(String(error.cause), /OOM/);
      await failsWith("unavailable", log.snapshot("r", { token, at: 1, bytes: bytesOf("s") }));
      assert.equal((await log.latest("r")).state.position, 1);
      assert.equal((await stored(log, "r")).length, 1);
    } finally {
      await command("CONFIG", "SET", "maxmemory", "0");
    }
    assert.equal(await log.append("r", batch(1, 2, token)), "stored");
  });

  test("`wait` without replicas is unavailable, the retry a duplicate", async () => {
    const log = redisRunLog(admin.client, { prefix, wait: { replicas: 1, ms: 10 } });
    const { token } = await log.claim("r", OWNER);
    await failsWith("unavailable", log.append("r", batch(0, 1, token)));
    assert.equal((await log.renew("r", token)).position, 1);
    const plain = redisRunLog(admin.client, { prefix });
    assert.equal(await plain.append("r", batch(0, 1, token)), "duplicate");
  });

  for (const name of Object.keys(CLIENTS)) {
    for (const wake of ["block", "spublish", "poll"]) {
      test(`followers wake by ${wake} over ${name}`, async () => {
        const before = await connectionsMade();
        const { client, close } = await CLIENTS[name](server.port);
        const log = redisRunLog(client, { prefix, wake });
        const { token } = await log.claim("r", OWNER);
        const other = await log.claim("other", OWNER);
        await log.append("r", batch(0, 1, token));
        const followers = Array.from({ length: 5 }, () => all(log.follow("r", 0)));
        const elsewhere = all(log.follow("other", 0));
        for (let at = 1; at < 30; at++) {
          await log.append("r", batch(at, at + 1, token));
          if (at % 10 === 0) await log.append("other", batch(at - 10, at, other.token));
        }
        await log.append("r", batch(30, 31, token, { end: "done" }));
        await log.append("other", batch(20, 31, other.token, { end: "error" }));
        const ends = Array.from({ length: 31 }, (_, index) => index + 1);
        for (const found of await Promise.all(followers)) {
          assert.deepEqual(
            found.map(({ to }) => to),
            ends,
          );
        }
        assert.deepEqual(
          (await elsewhere).map(({ to }) => to),
          [10, 20, 31],
        );
        // One is the client's; whatever the others waited on was not made again and again.
        const made = (await connectionsMade()) - before;
        assert.equal(made, wake === "poll" ? 1 : 2);
        await close();
      });
    }
  }

  test("the connections that wait are closed soon after the last follower", async () => {
    const before = await connections();
    const logs = [];
    for (const name of ["node-redis 4", "node-redis 5", "node-redis 6", "ioredis 5", "ioredis 6"]) {
      for (const wake of ["block", "spublish"]) {
        const { client, close } = await CLIENTS[name](server.port);
        const log = redisRunLog(client, { prefix, wake });
        const { token } = await log.claim(name + wake, OWNER);
        const found = all(log.follow(name + wake, 0));
        await log.append(name + wake, batch(0, 1, token, { end: "done" }));
        assert.equal((await found).length, 1);
        logs.push(close);
      }
    }
    await until(
      async () => (await connections()) === before + logs.length,
      "the end of the connections",
    );
    for (const close of logs) await close();
    await until(async () => (await connections()) === before);
  });

  const connectionsMade = async () =>
    Number(/total_connections_received:(\d+)/.exec(await command("INFO", "stats"))[1]);
  const connections = async () => (await command("CLIENT", "LIST")).trim().split("\n").length;

  test("a connection of the program's own is used to wait, and closed", async () => {
    const before = await connections();
    let made = 0;
    const blocking = async () => {
      made++;
      return (await CLIENTS["node-redis 6"](server.port)).client;
    };
    const log = redisRunLog(admin.client, { prefix, blocking });
    const { token } = await log.claim("r", OWNER);
    const found = all(log.follow("r", 0));
    await log.append("r", batch(0, 1, token, { end: "done" }));
    assert.equal((await found).length, 1);
    assert.equal(made, 1);
    await until(async () => (await connections()) === before, "the end of its connection");
  });

  test("a waiting connection that is cut is made again", async () => {
    const log = redisRunLog(admin.client, { prefix });
    const { token } = await log.claim("r", OWNER);
    const found = all(log.follow("r", 0));
    for (let at = 0; at < 5; at++) {
      const blocked = await until(
        async () => /id=(\d+)[^\n]*cmd=xread/.exec(await command("CLIENT", "LIST"))?.[1],
        "the waiting connection",
      );
      await command("CLIENT", "KILL", "ID", blocked);
      await log.append("r", batch(at, at + 1, token));
    }
    await log.append("r", batch(5, 6, token, { end: "done" }));
    assert.equal((await found).length, 6);
  });

  test("a run is read once for all who follow it", async () => {
    const { client, close } = await CLIENTS["ioredis 6"](server.port);
    const log = redisRunLog(client, { prefix });
    const { token } = await log.claim("r", OWNER);
    await log.append("r", batch(0, 1, token));
    const calls = async () => {
      const info = await command("INFO", "commandstats");
      return Number(/cmdstat_xrange:calls=(\d+)/.exec(info)?.[1] ?? 0);
    };
    const one = await calls();
    const followers = Array.from({ length: 100 }, () => all(log.follow("r", 0)));
    for (let at = 1; at < 20; at++) await log.append("r", batch(at, at + 1, token));
    await log.append("r", batch(20, 21, token, { end: "done" }));
    await Promise.all(followers);
    // Each of the 100 reading each of the 21 would be 2,100.
    assert.ok((await calls()) - one < 300);
    await close();
  });

  test("a stop is heard of with the next append", async () => {
    const log = redisRunLog(admin.client, { prefix });
    const writer = await RunWriter.open(log, "r", { flushMs: 1 });
    await writer.push(start());
    await until(() => writer.position === 1);
    const { client, close } = await CLIENTS["node-redis 4"](server.port);
    await redisRunLog(client, { prefix }).requestStop("r");
    await writer.push(text(2, "x"));
    await until(() => writer.signal.aborted);
    await writer.end();
    await close();
  });

  test("a stop is heard of by writers that write nothing, of those that are meant only", async () => {
    const log = redisRunLog(admin.client, { prefix });
    // Renewals are too rare to be how they hear of it.
    const open = (runId) => RunWriter.open(log, runId, { leaseMs: 3_600_000 });
    const writers = await Promise.all(["a", "b", "c"].map(open));
    await redisRunLog(admin.client, { prefix }).requestStop("b");
    await until(() => writers[1].signal.aborted);
    assert.deepEqual(
      writers.map(({ signal }) => signal.aborted),
      [false, true, false],
    );
    await log.delete("b");
    const again = await open("b");
    await log.requestStop("c");
    await until(() => writers[2].signal.aborted);
    assert.equal(again.signal.aborted, false);
    await Promise.all([...writers, again].map((writer) => writer.close()));
  });

  test("a deleted run is not created again by its writer", async () => {
    const log = redisRunLog(admin.client, { prefix });
    const writer = await RunWriter.open(log, "r", { flushMs: 1 });
    await writer.push(start());
    await until(() => writer.position === 1);
    await log.delete("r");
    await writer.push(text(2, "x"));
    await until(() => writer.signal.aborted);
    assert.equal(writer.signal.reason.code, "unknown_run");
    assert.equal((await log.latest("r")).state.status, "none");
    assert.equal((await log.claim("r", OWNER)).epoch, 1);
    await writer.close();
  });

  test("a lost run is created again by its writer, in its epoch; readers go on", async () => {
    const log = redisRunLog(admin.client, { prefix });
    await log.claim("r", { owner: "old" });
    const writer = await RunWriter.open(log, "r", { owner: "old", flushMs: 1 });
    await writer.push(start());
    await writer.push(text(2, "one "));
    await until(() => writer.position === 2);
    const reader = await RunReader.open(log, "r");
    await command("DEL", ...(await command("KEYS", `${prefix}*`)));
    await writer.push(text(3, "two "));
    await until(async () => (await log.latest("r")).state.position === 3);
    const { state, snapshotAt } = await log.latest("r");
    assert.deepEqual([state.epoch, snapshotAt, state.status], [2, 3, "open"]);
    await writer.push(text(4, "three"));
    await writer.push(done(5));
    await writer.end();
    assert.equal((await reader.result()).parts[0].payload.text, "one two three");
    reader.free();
    const late = await RunReader.open(log, "r");
    assert.equal((await late.result()).parts[0].payload.text, "one two three");
    late.free();
  });

  test("a run is created again only where there is none", async () => {
    const log = redisRunLog(admin.client, { prefix });
    const { token } = await log.claim("r", OWNER);
    const again = { token, epoch: 1, owner: "a", at: 5, bytes: bytesOf("s") };
    await failsWith("fenced", log.recreate("r", again));
    await command("DEL", ...(await command("KEYS", `${prefix}*`)));
    await log.recreate("r", again);
    const { state, snapshot } = await log.latest("r");
    assert.deepEqual([state.position, state.epoch, textOf(snapshot)], [5, 1, "s"]);
    assert.equal(await log.append("r", batch(5, 6, token)), "stored");
    // Readers beyond it have what was not kept.
    await failsWith("trimmed", all(log.follow("r", 2)));
  });
});

describe("a Redis that is killed", { skip: noRedis }, () => {
  for (const name of ["node-redis 6", "node-redis 4", "ioredis 6"]) {
    for (const fsync of ["always", "everysec"]) {
      test(`with AOF ${fsync} under ${name}: writer and readers go on, nothing is lost or doubled`, async () => {
        const server = await startRedis(["--appendonly", "yes", "--appendfsync", fsync]);
        const { client, close } = await CLIENTS[name](server.port);
        try {
          const log = redisRunLog(client);
          const writer = await RunWriter.open(log, "r", { flushMs: 1, flushBytes: 50 });
          await writer.push(start());
          await writer.push(text(2, "begin "));
          await until(() => writer.position === 2);
          const reader = await RunReader.open(log, "r");
          let expected = "begin ";
          for (let round = 0, seq = 3; round < 3; round++) {
            await Promise.all([
              (async () => {
                for (const end = seq + 60; seq < end; seq++) {
                  expected += `${seq} `;
                  await writer.push(text(seq, `${seq} `));
                  if (seq % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
                }
              })(),
              server.kill().then(() => server.start()),
            ]);
          }
          await writer.push(done(1000));
          await writer.end();
          const message = await reader.result();
          assert.equal(message.parts[0].payload.text, expected);
          const late = await RunReader.open(log, "r");
          assert.deepEqual(await late.result(), message);
          late.free();
          reader.free();
        } finally {
          await close();
          await server.stop();
        }
      });
    }
  }

  test("and comes back with less than it had acknowledged is healed by the writer", async () => {
    const server = await startRedis(["--dbfilename", "dump.rdb"]);
    const { client, close } = await CLIENTS["ioredis 6"](server.port);
    try {
      const log = redisRunLog(client);
      const writer = await RunWriter.open(log, "r", { flushMs: 1 });
      await writer.push(start());
      await writer.push(text(2, "one "));
      await until(() => writer.position === 2);
      const reader = await RunReader.open(log, "r");
      await client.call("SAVE");
      await writer.push(text(3, "two "));
      await until(() => reader.message().parts[0].payload.text === "one two ");
      await server.kill();
      await server.start();
      await writer.push(text(4, "three"));
      await writer.push(done(5));
      await writer.end();
      const message = await reader.result();
      assert.equal(message.parts[0].payload.text, "one two three");
      const ends = (await stored(log, "r")).map(({ to }) => to);
      assert.deepEqual(ends.slice(0, 2), [2, 3]);
      reader.free();
    } finally {
      await close();
      await server.stop();
    }
  });

  test("and comes back as it was before a claim: another text is a reset", async () => {
    const server = await startRedis(["--dbfilename", "dump.rdb"]);
    const { client, close } = await CLIENTS["ioredis 5"](server.port);
    try {
      const log = redisRunLog(client);
      const first = await log.claim("r", OWNER);
      await log.append("r", batch(0, 2, first.token));
      await client.call("SAVE");
      copyFileSync(join(server.folder, "dump.rdb"), join(server.folder, "before.rdb"));
      const second = await log.claim("r", OWNER);
      await log.append("r", batch(2, 6, second.token));
      const followed = log.follow("r", 0)[Symbol.asyncIterator]();
      assert.equal((await followed.next()).value.to, 2);
      assert.equal((await followed.next()).value.to, 6);
      await server.kill();
      await server.start();
      const third = await until(() => log.claim("r", OWNER).catch(() => false));
      assert.equal(third.epoch, 2);
      // The same number, but not the same claim.
      await failsWith("fenced", log.append("r", batch(2, 6, second.token)));
      const next = followed.next();
      await log.append("r", batch(2, 4, third.token));
      await log.append("r", batch(4, 9, third.token));
      // The follower was at 6 of the other text.
      const error = await next.catch((caught) => caught);
      assert.ok(["trimmed", "unavailable"].includes(error.code), String(error.code));
    } finally {
      await close();
      await server.stop();
    }
  });
});
