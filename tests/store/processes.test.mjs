// Writers that are killed and paused at random moments, against a real Redis: what readers get is the stream, every
// batch once, and who was paused until another took over is fenced. `KILLS` says how many kills; 60 unless it does.
import assert from "node:assert/strict";
import { test } from "node:test";
import { RunReader } from "apex-parts/store";
import { redisRunLog } from "apex-parts/store/redis";
import { done, ndjson, start, stored, streamOf, text } from "./deltas.mjs";
import { Processes } from "./processes.mjs";
import { CLIENTS, noRedis, startRedis, until } from "./redis.mjs";

const KILLS = Number(process.env.KILLS ?? 60);
const COUNT = 1500;

const random = (below) => Math.floor(Math.random() * below);

/** A follower that leaves at random and comes back where it was. */
async function follower(log, runId, figures) {
  const found = [];
  let at = 0;
  for (let isOver = false; !isOver; ) {
    let left = 1 + random(40);
    try {
      isOver = true;
      for await (const batch of log.follow(runId, at)) {
        assert.equal(batch.from, at);
        at = batch.to;
        found.push(batch);
        if (--left === 0) {
          isOver = false;
          figures.reconnects++;
          break;
        }
      }
    } catch (error) {
      if (error.code !== "trimmed") throw error;
      // From the snapshot on: what it replaces is compared by the message.
      at = (await log.latest(runId)).snapshotAt;
      isOver = false;
    }
  }
  return found;
}

const joined = (batches) => Buffer.concat(batches.map(({ bytes }) => bytes)).toString();
const after = (batches, position) => batches.filter(({ from }) => from >= position);

/** One run: writers that are killed and paused until `figures.kills` are as many as are wanted. */
async function tortured(log, runId, keeps, processes, port, figures) {
  const stateNow = async () => (await log.latest(runId)).state;
  const begin = () => processes.begin("./killed-writer.mjs", port, runId, COUNT, keeps);
  const all = [];
  const writers = () => {
    const writer = begin();
    all.push(writer);
    return writer;
  };
  const zombies = [];
  let writer = writers();
  await until(async () => (await stateNow()).position > 0);
  const readers = [follower(log, runId, figures), follower(log, runId, figures)];
  // They are awaited at the end; what went wrong before that is the first error.
  for (const reader of readers) reader.catch(() => {});
  // Each is stopped when it has written something more, so that the run comes to its end.
  while (figures.kills < KILLS && (await stateNow()).status === "open") {
    const goal = (await stateNow()).position + 1 + random(200);
    await until(async () => {
      const { status, position } = await stateNow();
      return status !== "open" || position >= goal;
    });
    figures.kills++;
    const stopped = writer;
    const isPaused = random(4) === 0;
    if (isPaused) {
      figures.pauses++;
      stopped.kill("SIGSTOP");
    } else {
      stopped.kill();
      await stopped.over;
    }
    writer = writers();
    const { epoch } = await stateNow();
    const isOver = await until(async () => {
      const state = await stateNow();
      return (state.status !== "open" && "ended") || (state.epoch > epoch && "taken over");
    });
    if (isOver === "taken over") figures.takeovers++;
    if (!isPaused) continue;
    // The paused one wakes when the next has taken over. What it does then is judged by what it says.
    const isFenced = isOver === "taken over" && stopped.lines.at(-1)?.startsWith("claimed");
    zombies.push({ stopped, isFenced, said: stopped.lines.length });
    stopped.kill("SIGCONT");
  }
  await writer.over;
  await until(async () => (await stateNow()).status === "done");
  for (const { stopped, isFenced, said } of zombies) {
    await stopped.over;
    const next = stopped.lines[said];
    // It had the claim when it was paused: whatever it sent after that was refused. (Where Redis is slower than so
    // short a lease it may not hear that in time.)
    if (isFenced) assert.ok(["fenced", "unavailable"].includes(next), next);
    if (next === "fenced") figures.fenced++;
  }
  assert.ok(all.filter(({ lines }) => lines.includes("done")).length <= 1);

  const reader = await RunReader.open(log, runId);
  const { parts } = await reader.result();
  reader.free();
  const expected = streamOf(COUNT)
    .slice(1, -1)
    .map(({ payload }) => payload.textDelta)
    .join("");
  assert.equal(parts[0].payload.text, expected);
  const { snapshotAt } = await log.latest(runId);
  if (keeps === "whole") assert.equal(snapshotAt, 0);
  const kept = await stored(log, runId, snapshotAt);
  for (const batches of await Promise.all(readers)) {
    // Byte for byte what the log has; where it kept all, that is all of it.
    assert.equal(joined(after(batches, snapshotAt)), joined(kept));
    const numbers = joined(batches)
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line).seq);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b),
    );
    assert.equal(numbers.at(-1), COUNT);
  }
}

test(`${KILLS} kills and pauses of writers: nothing is lost or doubled`, {
  skip: noRedis,
}, async (t) => {
  const server = await startRedis();
  const { client, close } = await CLIENTS["node-redis 6"](server.port);
  const log = redisRunLog(client);
  const processes = new Processes();
  const figures = { runs: 0, kills: 0, pauses: 0, takeovers: 0, fenced: 0, reconnects: 0 };
  try {
    const one = async () => {
      while (figures.kills < KILLS) {
        const run = figures.runs++;
        const keeps = run % 2 === 0 ? "whole" : "trimmed";
        await tortured(log, `run/${run}`, keeps, processes, server.port, figures);
      }
    };
    await Promise.all([one(), one()]);
    t.diagnostic(JSON.stringify(figures));
  } finally {
    await processes.end();
    await close();
    await server.stop();
  }
});

test("a writer that was paused with bytes it had not sent is fenced, and the log has none of them", {
  skip: noRedis,
}, async (t) => {
  const server = await startRedis();
  const { client, close } = await CLIENTS["ioredis 6"](server.port);
  const log = redisRunLog(client);
  const processes = new Processes();
  try {
    // By force while the lease runs: then only the append itself can tell. And after the lease, without.
    for (const [runId, leaseMs, force] of [
      ["forced", 3_600_000, true],
      ["lapsed", 1000, false],
    ]) {
      await t.test(runId, async () => {
        const zombie = processes.begin("./holding-writer.mjs", server.port, runId, leaseMs);
        await until(() => zombie.lines.includes("holding"));
        assert.equal((await log.latest(runId)).state.epoch, 1);
        zombie.kill("SIGSTOP");
        const owner = { owner: "next", force };
        const claim = await until(() => log.claim(runId, owner).catch(() => false));
        assert.equal(claim.epoch, 2);
        assert.equal(claim.position, 0);
        const { token } = claim;
        const first = { from: 0, to: 2, token, bytes: ndjson(start(), text(2, "other ")) };
        await log.append(runId, first);
        zombie.kill("SIGCONT");
        zombie.tell("go on");
        await zombie.over;
        assert.equal(zombie.lines.at(-1), "fenced");
        const last = { from: 2, to: 3, token, end: "done", bytes: ndjson(done(3)) };
        assert.equal(await log.append(runId, last), "stored");
        const batches = await stored(log, runId);
        assert.equal(joined(batches), Buffer.concat([first.bytes, last.bytes]).toString());
        assert.deepEqual((await log.latest(runId)).state.began, { 1: 0, 2: 0 });
      });
    }
  } finally {
    await processes.end();
    await close();
    await server.stop();
  }
});
