// Writers that are killed and paused at random moments, against a real Redis: what readers get is the stream, every
// batch once. `KILLS` says how many kills; 60 unless it does.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { RunReader } from "apex-parts/store";
import { redisRunLog } from "apex-parts/store/redis";
import { streamOf } from "./deltas.mjs";
import { CLIENTS, noRedis, startRedis, until } from "./redis.mjs";

const KILLS = Number(process.env.KILLS ?? 60);
const COUNT = 1500;
const WRITER = fileURLToPath(new URL("./killed-writer.mjs", import.meta.url));

const random = (below) => Math.floor(Math.random() * below);

/** A follower that leaves at random and comes back where it was. */
async function follower(log, runId) {
  const lines = [];
  let at = 0;
  for (let isOver = false; !isOver; ) {
    let left = 1 + random(40);
    try {
      isOver = true;
      for await (const { from, to, bytes } of log.follow(runId, at)) {
        assert.equal(from, at);
        at = to;
        lines.push(...new TextDecoder().decode(bytes).split("\n").filter(Boolean));
        if (--left === 0) {
          isOver = false;
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
  return lines.map((line) => JSON.parse(line));
}

test(`${KILLS} kills and pauses of writers: nothing is lost or doubled`, {
  skip: noRedis,
}, async () => {
  const server = await startRedis();
  const { client, close } = await CLIENTS["node-redis 6"](server.port);
  const log = redisRunLog(client);
  const children = new Set();
  try {
    let kills = 0;
    let run = 0;
    const one = async () => {
      while (kills < KILLS) {
        const runId = `run/${run++}`;
        const positionOf = async () => (await log.latest(runId)).state.position;
        const begin = () => {
          const child = spawn(process.execPath, [WRITER, server.port, runId, COUNT].map(String), {
            stdio: ["ignore", "pipe", "inherit"],
          });
          children.add(child);
          child.over = new Promise((resolve) => child.once("exit", resolve));
          child.over.then(() => children.delete(child));
          return child;
        };
        let child = begin();
        await until(async () => (await positionOf()) > 0);
        const readers = [follower(log, runId), follower(log, runId)];
        const paused = [];
        // Each is stopped when it has written something more, so that the run comes to its end.
        while (kills < KILLS && (await log.latest(runId)).state.status === "open") {
          const goal = (await positionOf()) + 1 + random(200);
          await until(async () => {
            const { state } = await log.latest(runId);
            return state.status !== "open" || state.position >= goal;
          });
          kills++;
          if (random(4) === 0) {
            child.kill("SIGSTOP");
            paused.push(child);
          } else {
            child.kill("SIGKILL");
            await child.over;
          }
          child = begin();
          // The paused one wakes when the next has taken over.
          const { epoch } = (await log.latest(runId)).state;
          await until(async () => {
            const { state } = await log.latest(runId);
            return state.status !== "open" || state.epoch > epoch;
          });
          for (const one of paused.splice(0)) one.kill("SIGCONT");
        }
        await child.over;
        await until(async () => (await log.latest(runId)).state.status === "done");
        const reader = await RunReader.open(log, runId);
        const { parts } = await reader.result();
        reader.free();
        const expected = streamOf(COUNT)
          .slice(1, -1)
          .map(({ payload }) => payload.textDelta)
          .join("");
        assert.equal(parts[0].payload.text, expected);
        for (const deltas of await Promise.all(readers)) {
          const numbers = deltas.map(({ seq }) => seq);
          assert.deepEqual(
            numbers,
            [...new Set(numbers)].sort((a, b) => a - b),
          );
          assert.equal(numbers.at(-1), COUNT);
        }
      }
    };
    await Promise.all([one(), one()]);
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await close();
    await server.stop();
  }
});
