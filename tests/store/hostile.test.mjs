// Bad input over every log: run ids of any bytes, forged and foreign ids of events, batches that do not fit, clocks that
// jump; and programs that end.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DeltaAssembler } from "apex-parts";
import { memoryRunLog, RunReader, RunWriter, runResponse } from "apex-parts/store";
import { redisRunLog } from "apex-parts/store/redis";
import { CLUSTERS, startCluster } from "./cluster.mjs";
import {
  all,
  batch,
  bytesOf,
  done,
  failsWith,
  ndjson,
  start,
  stored,
  text,
  textOf,
} from "./deltas.mjs";
import { Processes } from "./processes.mjs";
import { CLIENTS, noRedis, startRedis, until } from "./redis.mjs";

const OWNER = { owner: "a" };
const TEN_KB = 10 << 10;
const RUN_IDS = [
  ..."\0 / : . * ? \n \r\n $ % # { } {} }{ a}b {x}y \" ' \\ \ufffd \ufeff é 😀 ..".split(" "),
  " ",
  "\ud800",
  "\ud801",
  "\udc00",
  "a\ud800",
  "\ud800a",
  '"\\ud800"',
  '"}',
  "}d",
  "__proto__",
  "constructor",
  "toString",
  "undefined",
  "null",
  "0",
  "NaN",
  "%00",
  "../x",
  "x".repeat(TEN_KB),
  "}".repeat(TEN_KB),
  "😀".repeat(TEN_KB / 4),
];

/** The logs: each opens one of its own, and closes it. */
const LOGS = { "in memory": async () => ({ log: memoryRunLog(), close: () => {} }) };
let server;
let cluster;
for (const [name, connect] of Object.entries(CLIENTS)) {
  LOGS[`over ${name}`] = async (prefix) => {
    const { client, close } = await connect(server.port);
    return { log: redisRunLog(client, { prefix }), close };
  };
}
for (const [name, connect] of Object.entries(CLUSTERS)) {
  LOGS[`over a cluster, ${name}`] = async (prefix) => {
    const { client, close } = await connect(cluster.ports);
    return { log: redisRunLog(client, { prefix }), close };
  };
}

before(async () => {
  if (noRedis) return;
  server = await startRedis();
  cluster = await startCluster();
});
after(async () => {
  await server?.stop();
  await cluster?.stop();
});

for (const [name, open] of Object.entries(LOGS)) {
  describe(`a log ${name}`, { skip: name === "in memory" ? false : noRedis }, () => {
    let log;
    let close;
    before(async () => {
      ({ log, close } = await open(`${name}:`));
    });
    after(() => close?.());

    test("keeps runs apart, whatever their ids are", async () => {
      const claims = await Promise.all(RUN_IDS.map((runId) => log.claim(runId, OWNER)));
      assert.ok(claims.every(({ epoch }) => epoch === 1));
      const followers = Promise.allSettled(RUN_IDS.map((runId) => all(log.follow(runId, 0))));
      await Promise.all(
        RUN_IDS.map(async (runId, index) => {
          const { token } = claims[index];
          await log.append(runId, { from: 0, to: index + 1, token, bytes: bytesOf(`${index}\n`) });
          await log.snapshot(runId, { token, at: index + 1, bytes: bytesOf(`snapshot ${index}`) });
          await log.append(runId, batch(index + 1, index + 2, token, { end: "done" }));
        }),
      );
      for (const [index, runId] of RUN_IDS.entries()) {
        const { state, snapshot } = await log.latest(runId);
        assert.deepEqual([state.position, state.status], [index + 2, "done"]);
        assert.equal(textOf(snapshot), `snapshot ${index}`);
        const error = await failsWith("ended", log.claim(runId, OWNER));
        assert.equal(error.details.runId, runId);
      }
      // Whether it began before the snapshot or after: what it got is of this run.
      for (const [index, follower] of (await followers).entries()) {
        if (follower.status === "rejected") assert.equal(follower.reason.code, "trimmed");
        else assert.equal(follower.value.at(-1).to, index + 2);
      }
      for (const runId of RUN_IDS) await log.delete(runId);
      for (const runId of RUN_IDS) assert.equal((await log.latest(runId)).state.status, "none");
    });

    test("a stop is of one run, whatever its id is", async () => {
      // Renewals are too rare to be how they hear of it.
      const ids = ["\ud800", "\ud801", "}", "__proto__", '"\\ud800"'];
      const writers = await Promise.all(
        ids.map((runId) => RunWriter.open(log, runId, { leaseMs: 3_600_000 })),
      );
      await log.requestStop(ids[0]);
      await until(() => writers[0].signal.aborted);
      assert.deepEqual(
        writers.map(({ signal }) => signal.aborted),
        [true, false, false, false, false],
      );
      await Promise.all(writers.map((writer) => writer.close()));
      for (const runId of ids) await log.delete(runId);
    });

    test("a provider's stream of a run with such an id is read as it was written", async () => {
      const chunk = (content) =>
        bytesOf(
          `data: ${JSON.stringify({ id: "i", model: "m", choices: [{ index: 0, delta: { content } }] })}\n\n`,
        );
      for (const runId of ["\0", "}", "😀", "\ud800", "__proto__", '"', "x".repeat(TEN_KB)]) {
        const settings = { format: "openai-chat", flushMs: 1 };
        const writer = await RunWriter.open(log, runId, { ...settings, owner: "a" });
        await writer.pushBytes(chunk("one "));
        await writer.close();
        const next = await RunWriter.open(log, runId, { ...settings, owner: "b" });
        await next.pushBytes(chunk("two"));
        await next.pushBytes(bytesOf("data: [DONE]\n\n"));
        await next.end();
        await next.close();
        const reader = await RunReader.open(log, runId);
        assert.equal((await reader.result()).parts[0].payload.text, "one two");
        reader.free();
        await log.delete(runId);
      }
    });

    test("ids of events that are forged or of other runs: the message, once", async () => {
      const { token } = await log.claim("r", OWNER);
      const deltas = [start(), text(2, "one "), text(3, "two "), text(4, "three "), done(5)];
      const bytes = (from, to) => ndjson(...deltas.slice(from, to));
      await log.append("r", { from: 0, to: 3, token, bytes: bytes(0, 3) });
      const { token: next } = await log.claim("r", OWNER);
      const open = new Map();
      for (const id of [
        "0.0",
        "0.1",
        "0.2",
        "1.1",
        "2.1",
        "3.0",
        "3.1",
        "3.2",
        "3.3",
        "1.2",
        "2.2",
        "4.1",
        "4.2",
        "4.9",
        "77.1",
        "77.2",
        "0003.0001",
        "9007199254740991.2",
        "3.9007199254740991",
      ]) {
        const headers = { "Last-Event-ID": id };
        const response = await runResponse(new Request("http://localhost/", { headers }), log, "r");
        assert.equal(response.status, 200, id);
        open.set(id, response.text());
      }
      await log.append("r", { from: 3, to: 4, token: next, bytes: bytes(3, 4) });
      await log.append("r", { from: 4, to: 5, token: next, bytes: bytes(4, 5), end: "done" });
      for (const [id, answer] of open) {
        const [position] = id.split(".").map(Number);
        let assembler = new DeltaAssembler({ onDuplicate: "error" });
        // What a browser has that shows this id.
        for (const delta of deltas.slice(0, Math.min(position, 5))) assembler.push(delta);
        for (const block of (await answer).split("\n\n")) {
          const lines = block.split("\n");
          if (lines.includes("event: end")) continue;
          if (lines.includes("event: reset")) {
            assembler.free();
            assembler = new DeltaAssembler({ onDuplicate: "error" });
          }
          for (const line of lines.filter((one) => one.startsWith("data: {")))
            assembler.push(JSON.parse(line.slice(6)));
        }
        const { parts } = assembler.message();
        assert.equal(parts[0].payload.text, "one two three ", id);
        assembler.free();
      }
      await log.delete("r");
    });

    test("batches that overlap, skip or are too large leave the run as it was", async () => {
      const { token } = await log.claim("r", OWNER);
      await log.append("r", batch(0, 5, token));
      await log.append("r", batch(5, 9, token));
      const before = await stored(log, "r");
      const most = Number.MAX_SAFE_INTEGER;
      for (const [from, to] of [
        [0, 5],
        [4, 10],
        [8, 10],
        [10, 11],
        [5, 8],
        [9, 9 - 1],
        [0, most],
        [most - 1, most],
        [most, most],
        [0, 0],
      ]) {
        await failsWith("gap", log.append("r", batch(from, to, token)));
      }
      const bytes = new Uint8Array((1 << 20) + 1);
      await failsWith("too_large", log.append("r", batch(9, 10, token, { bytes })));
      for (const [from, to] of [
        [9, most + 1],
        [9, Number.POSITIVE_INFINITY],
        [Number.NaN, 10],
        ["9", 10],
        [9, undefined],
      ]) {
        await assert.rejects(log.append("r", batch(from, to, token)), { name: "TypeError" });
      }
      for (const forged of [
        "",
        "1",
        "1.",
        "2.x",
        `${token}0`,
        ` ${token}`,
        "__proto__",
        undefined,
      ]) {
        await failsWith("fenced", log.append("r", batch(9, 10, forged)));
      }
      assert.deepEqual(await stored(log, "r"), before);
      assert.equal(await log.append("r", batch(9, most, token)), "stored");
      assert.equal((await log.latest("r")).state.position, most);
      await log.delete("r");
    });
  });
}

describe("a clock that jumps", () => {
  // Redis has its own clock, which a test cannot set; its rules use it for leases and lifetimes only, as these do.
  test("decides when another may claim, never what counts", async () => {
    let time = 1e12;
    const log = memoryRunLog({ now: () => time });
    const first = await log.claim("r", { owner: "a", leaseMs: 1000 });
    await log.append("r", batch(0, 1, first.token));
    time -= 1e9;
    await failsWith("held", log.claim("r", { owner: "b" }));
    assert.equal(await log.append("r", batch(1, 2, first.token)), "stored");
    time += 2e3;
    // It lapsed, but nobody took it.
    assert.equal(await log.append("r", batch(2, 3, first.token)), "stored");
    time += 2e3;
    const second = await log.claim("r", { owner: "b", leaseMs: 1000 });
    time -= 1e9;
    await failsWith("fenced", log.append("r", batch(3, 4, first.token)));
    await failsWith("fenced", log.renew("r", first.token));
    assert.equal(await log.append("r", batch(3, 4, second.token)), "stored");
    time += 1e6;
    assert.equal((await stored(log, "r")).length, 4);
  });

  test("what has expired stays so where it is set back", async () => {
    let time = 1e12;
    const log = memoryRunLog({ ttlMs: 1000, now: () => time });
    const { token } = await log.claim("r", OWNER);
    await log.append("r", batch(0, 1, token));
    time += 1500;
    assert.equal((await log.latest("r")).state.status, "expired");
    time -= 1500;
    assert.equal((await log.latest("r")).state.status, "expired");
    await failsWith("expired", log.read("r", 0));
    await failsWith("expired", log.append("r", batch(1, 2, token)));
    await failsWith("expired", log.claim("r", OWNER));
    await log.delete("r");
    assert.equal((await log.claim("r", OWNER)).epoch, 1);
  });
});

describe("a program", { skip: noRedis, concurrency: true }, () => {
  for (const how of ["tidy", "hasty", "careless"]) {
    test(`that is ${how} ends by itself, without a rejection that nobody handles`, async () => {
      const processes = new Processes();
      try {
        const programs = Object.keys(CLIENTS).map((name) => {
          const program = processes.begin("./ending-program.mjs", server.port, name, how);
          return { name, program };
        });
        for (const { name, program } of programs) {
          assert.equal(await program.over, 0, name);
          const lines = how === "careless" ? ["unavailable unavailable"] : [];
          assert.deepEqual(program.lines, [...lines, "end of the program"], name);
        }
      } finally {
        await processes.end();
      }
    });
  }
});
