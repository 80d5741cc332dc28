// A writer in a process of its own that holds bytes which are not sent. Arguments: port, run, lease. It prints
// `holding` when it does; when it is told to go on, it sends them, and prints what came of it.
import { once } from "node:events";
import { RunWriter } from "apex-parts/store";
import { redisRunLog } from "apex-parts/store/redis";
import { Redis } from "ioredis5";
import { start, text } from "./deltas.mjs";

const [port, runId, leaseMs] = process.argv.slice(2);
const client = new Redis(Number(port), "127.0.0.1");
client.on("error", () => {});
const settings = { owner: "zombie", leaseMs: Number(leaseMs), flushMs: 3_600_000 };
const writer = await RunWriter.open(redisRunLog(client), runId, settings);
await writer.push(start());
await writer.push(text(2, "held "));
console.log("holding");
await once(process.stdin, "data");
const outcome = await writer.end().then(
  () => "stored",
  ({ code }) => code,
);
await writer.close();
console.log(outcome);
process.stdin.destroy();
client.disconnect();
