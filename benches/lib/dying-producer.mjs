// A producer that has said 100 of 200 deltas and then waits to be killed: `KIND PORT`.
import { createClient } from "redis";
import { createResumableStreamContext } from "resumable-stream";
import { RunWriter } from "../../pkg/store.node.mjs";
import { redisRunLog } from "../../pkg/store.redis.node.mjs";
import { start, text } from "../../tests/store/deltas.mjs";
import { until } from "../../tests/store/redis.mjs";

const [kind, port] = process.argv.slice(2);
const publisher = createClient({ url: `redis://127.0.0.1:${port}` });
await publisher.connect();
// It is killed before.
setInterval(() => {}, 1000);
if (kind === "apex-parts") {
  const log = redisRunLog(publisher, { prefix: "dying:" });
  const writer = await RunWriter.open(log, "r", { owner: "a", leaseMs: 1000 });
  await writer.push(start());
  for (let seq = 2; seq <= 100; seq++) await writer.push(text(seq, `${seq} `));
  await until(() => writer.position === 100);
} else {
  const subscriber = publisher.duplicate();
  await subscriber.connect();
  const context = createResumableStreamContext({ waitUntil: null, publisher, subscriber });
  const stream = await context.createNewResumableStream(
    "dying",
    () =>
      new ReadableStream({
        start(controller) {
          for (let seq = 1; seq <= 100; seq++) controller.enqueue(`${seq} `);
        },
      }),
  );
  const reader = stream.getReader();
  for (let count = 0; count < 100; count++) await reader.read();
}
console.log("100");
