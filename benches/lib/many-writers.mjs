// 10,000 writers in one process, each with 4.8 KB of text in a hundred deltas: `CLIENT PORT`. Prints what they take.
import { setTimeout as wait } from "node:timers/promises";
import { RunWriter } from "../../pkg/store.node.mjs";
import { redisRunLog } from "../../pkg/store.redis.node.mjs";
import { start, text } from "../../tests/store/deltas.mjs";
import { CLIENTS, until } from "../../tests/store/redis.mjs";

const COUNT = 10_000;
const AT_ONCE = 500;
const WORDS = "words of a text, 48 characters long, all of them";
const [name, port] = process.argv.slice(2);
const { client, close } = await CLIENTS[name](port);
const log = redisRunLog(client, { prefix: `many ${name}:` });
const before = process.memoryUsage().rss;
const writers = [];
const inGroups = async (each) => {
  for (let i = 0; i < COUNT; i += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, k) => each(i + k)));
  }
};
await inGroups(async (i) => {
  const runId = `r${i}`;
  writers[i] = await RunWriter.open(log, runId);
  await writers[i].push(start(runId));
});
for (let seq = 2; seq <= 101; seq += 10) {
  await inGroups(async (i) => {
    for (let k = 0; k < 10; k++) await writers[i].push(text(seq + k, WORDS, `r${i}`));
  });
  await until(() => writers.every(({ position }) => position === seq + 9));
}
// What is kept for a store that restarts is gone after 5 seconds and a third of the lease.
await wait(9_000);
for (let round = 0; round < 3; round++) {
  globalThis.gc();
  await wait(300);
}
const { rss, heapUsed, external } = process.memoryUsage();
console.log(JSON.stringify({ before, after: rss, live: heapUsed + external }));
await Promise.all(writers.map((writer) => writer.close()));
await close();
