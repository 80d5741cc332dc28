// A writer in a process of its own, to be killed: reads a recorded stream of deltas and pushes what is above the
// position, as a source does that can be read again from an offset. Arguments: port, run, number of deltas.
import { RunWriter } from "apex-parts/store";
import { redisRunLog } from "apex-parts/store/redis";
import { Redis } from "ioredis5";
import { streamOf } from "./deltas.mjs";

const [port, runId, count] = process.argv.slice(2);
const client = new Redis(Number(port), "127.0.0.1");
client.on("error", () => {});
const log = redisRunLog(client);
const owner = `${process.pid}`;
let writer;
while (!writer) {
  try {
    writer = await RunWriter.open(log, runId, { owner, leaseMs: 150, flushMs: 2, flushBytes: 60 });
  } catch (error) {
    if (error.code === "ended") process.exit(0);
    if (error.code !== "held") throw error;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
try {
  for (const delta of streamOf(Number(count))) {
    if (delta.seq <= writer.position) continue;
    await writer.push(delta);
    if (delta.seq % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await writer.end();
} catch (error) {
  // Another took over while this one was paused.
  if (error.code !== "fenced" && error.code !== "ended") throw error;
  console.log("fenced");
}
await writer.close();
client.disconnect();
