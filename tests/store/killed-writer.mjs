// A writer in a process of its own, to be killed: reads a recorded stream of deltas and pushes what is above the
// position, as a source does that can be read again from an offset. Arguments: port, run, number of deltas, and
// whether the log keeps all (`whole`) or what a snapshot replaces goes (`trimmed`). It prints `claimed EPOCH` when it
// writes, and how that ended: `done`, `fenced`, `ended`, `unavailable`.
import { RunWriter } from "apex-parts/store";
import { redisRunLog } from "apex-parts/store/redis";
import { Redis } from "ioredis5";
import { streamOf } from "./deltas.mjs";

const [port, runId, count, keeps] = process.argv.slice(2);
const client = new Redis(Number(port), "127.0.0.1");
client.on("error", () => {});
const made = redisRunLog(client);
const log = keeps === "whole" ? { ...made, snapshot: async () => {} } : made;
const owner = `${process.pid}`;
const settings = { owner, leaseMs: 150, flushMs: 2, flushBytes: 60 };

/** Writes until the run is over. False if Redis was too slow for so short a lease: then it begins again. */
async function write() {
  let writer;
  try {
    writer = await RunWriter.open(log, runId, settings);
    console.log(`claimed ${writer.epoch}`);
    for (const delta of streamOf(Number(count))) {
      if (delta.seq <= writer.position) continue;
      await writer.push(delta);
      if (delta.seq % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await writer.end();
    console.log("done");
    return true;
  } catch (error) {
    if (error.code !== "held") console.log(error.code ?? error.stack);
    if (error.code === "ended" || error.code === "fenced") return true;
    if (error.code !== "held" && error.code !== "unavailable") throw error;
    return false;
  } finally {
    await writer?.close().catch(() => {});
  }
}

while (!(await write())) await new Promise((resolve) => setTimeout(resolve, 20));
client.disconnect();
