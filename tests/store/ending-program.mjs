// A program that uses a log over Redis and has then nothing more to do: it ends by itself. Arguments: port, client, and
// how it leaves: `tidy` reads all to the end; `hasty` leaves its followers before; `careless` closes its client under a
// writer and followers.
import { RunReader, RunWriter, runResponse } from "apex-parts/store";
import { redisRunLog } from "apex-parts/store/redis";
import { done, start, text } from "./deltas.mjs";
import { CLIENTS } from "./redis.mjs";

const [port, name, how] = process.argv.slice(2);
process.on("unhandledRejection", (error) => console.log(`unhandled ${error?.stack}`));
const { client, close } = await CLIENTS[name](Number(port));
const log = redisRunLog(client);
const runId = `${name} ${how}`;
const writer = await RunWriter.open(log, runId, { flushMs: 1, leaseMs: 300 });
await writer.push(start());
await writer.push(text(2, "x"));
const reader = await RunReader.open(log, runId);
const follower = log.follow(runId, 0)[Symbol.asyncIterator]();
await follower.next();
const response = await runResponse(new Request("http://localhost/"), log, runId);
const events = response.body.getReader();
await events.read();
if (how === "careless") {
  const pending = follower.next().catch(({ code }) => code);
  await close();
  await writer.push(text(3, "y")).catch(() => {});
  const ended = await writer.end().catch(({ code }) => code);
  console.log(ended, await pending);
  reader.free();
  await events.cancel();
  await writer.close();
} else {
  await writer.push(done(3));
  await writer.end();
  await writer.close();
  if (how === "tidy") {
    await reader.result();
    while (!(await follower.next()).done);
    while (!(await events.read()).done);
  }
  await follower.return();
  reader.free();
  await events.cancel();
  await close();
}
console.log("end of the program");
