// The log of runs over a real Redis: what an append costs, how soon a reader has it, what snapshots and many runs
// take; and beside `resumable-stream` what is lost when the producer dies.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createClient } from "redis";
import { createResumableStreamContext } from "resumable-stream";
import { DeltaAssembler, setLogger } from "../pkg/node.mjs";
import { RunReader, RunWriter } from "../pkg/store.node.mjs";
import { redisRunLog } from "../pkg/store.redis.node.mjs";
import { bytesOf, delta, done, ndjson, start, text } from "../tests/store/deltas.mjs";
import { CLIENTS, noRedis, startRedis, until } from "../tests/store/redis.mjs";
import { met } from "./lib/bars.mjs";
import { figure, range } from "./lib/figures.mjs";

setLogger(undefined);
const PRODUCER = fileURLToPath(new URL("./lib/dying-producer.mjs", import.meta.url));
const WRITERS = fileURLToPath(new URL("./lib/many-writers.mjs", import.meta.url));
const WORDS = "some words of an answer ";
const quantile = (list, share) => [...list].sort((a, b) => a - b)[Math.floor(share * list.length)];
const row = (title, is, bar = "", isMet = undefined) =>
  console.log(
    `${title.padEnd(64)} ${is.padStart(24)}  ${bar} ${isMet === undefined ? "" : met(isMet)}`,
  );

/** `count` text deltas as NDJSON, numbered from after `from`. */
const batchOf = (from, count) =>
  ndjson(...Array.from({ length: count }, (_, i) => text(from + i + 1, WORDS)));

/** CPU seconds that the server has used. */
async function serverCpu(client) {
  const info = await client.info("cpu");
  const of = (name) => Number(new RegExp(`${name}:([\\d.]+)`).exec(info)[1]);
  return of("used_cpu_user") + of("used_cpu_sys");
}

/** Appends batches of `size` deltas to `runs` runs, a few at once for each. */
async function appends(log, { runs, each, size, prefix }) {
  const write = async (_, i) => {
    const runId = `${prefix}${i}`;
    const { token, epoch } = await log.claim(runId, { owner: "bench" });
    const all = Array.from({ length: each }, (_, k) => batchOf(k * size, size));
    return async () => {
      for (let k = 0; k < each; k += 8) {
        const some = all.slice(k, k + 8).map((bytes, j) => {
          const from = (k + j) * size;
          return log.append(runId, { from, to: from + size, bytes, token, epoch });
        });
        await Promise.all(some);
      }
    };
  };
  const ready = await Promise.all(Array.from({ length: runs }, write));
  const begin = process.hrtime.bigint();
  const cpu = process.cpuUsage();
  await Promise.all(ready.map((run) => run()));
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: Number(process.hrtime.bigint() - begin) / 1e9, client: (user + system) / 1e6 };
}

async function costOfAppends(server) {
  console.log("\n# A fenced append");
  for (const [name, runs, each, size] of [
    ["8 deltas, one run", 1, 8000, 8],
    ["8 deltas, 1,000 runs", 1000, 16, 8],
    ["32 deltas, 100 runs", 100, 80, 32],
  ]) {
    const { client, close } = await CLIENTS["node-redis 6"](server.port);
    const log = redisRunLog(client, { prefix: `cost-${runs}-${size}:` });
    const count = runs * each;
    let best = Number.POSITIVE_INFINITY;
    let rate = 0;
    let ours = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round++) {
      const before = await serverCpu(client);
      const { seconds, client: own } = await appends(log, {
        runs,
        each,
        size,
        prefix: `${round}-`,
      });
      best = Math.min(best, ((await serverCpu(client)) - before) / count);
      rate = Math.max(rate, (count * size) / seconds);
      ours = Math.min(ours, own / count);
    }
    const cpu = best * 1e6;
    const isBar = size === 8;
    row(
      `Redis's CPU for one of ${name}`,
      `${cpu.toFixed(1)} µs`,
      isBar ? "(at most 40)" : "",
      isBar ? cpu <= 40 : undefined,
    );
    row(`  this process's CPU for it`, `${(ours * 1e6).toFixed(1)} µs`);
    row(
      `  deltas a second from this process, ${name}`,
      `${Math.round(rate).toLocaleString("en")}`,
      "(at least 90,000)",
      rate >= 90_000,
    );
    await close();
  }
}

async function latency(server) {
  console.log("\n# From append to a reader on another connection, one each 5 ms");
  const { client, close } = await CLIENTS["node-redis 6"](server.port);
  const log = redisRunLog(client, { prefix: "latency:" });
  const { token, epoch } = await log.claim("r", { owner: "bench" });
  const sent = new Map();
  const took = [];
  const count = 1000;
  const following = (async () => {
    for await (const { to } of redisRunLog(client, { prefix: "latency:" }).follow("r", 0)) {
      took.push(performance.now() - sent.get(to));
    }
  })();
  const pings = [];
  const replies = [];
  for (let i = 0; i < count; i++) {
    const bytes = batchOf(i * 8, 8);
    const to = (i + 1) * 8;
    const before = performance.now();
    sent.set(to, before);
    const end = i === count - 1 ? { end: "done" } : {};
    await log.append("r", { from: i * 8, to, bytes, token, epoch, ...end });
    replies.push(performance.now() - before);
    const asked = performance.now();
    await client.ping();
    pings.push(performance.now() - asked);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await following;
  const [p50, p99] = [quantile(took, 0.5), quantile(took, 0.99)];
  const ping = quantile(pings, 0.99);
  row(
    "append → reader, p50 and p99",
    `${p50.toFixed(2)} / ${p99.toFixed(2)} ms`,
    "(p99 at most 20)",
    p99 <= 20,
  );
  row(
    "append → reply, p50 and p99",
    `${quantile(replies, 0.5).toFixed(2)} / ${quantile(replies, 0.99).toFixed(2)} ms`,
  );
  row("PING, p99", `${ping.toFixed(2)} ms`);
  await close();
}

/** A writer of `count` deltas; what its snapshots take together. */
async function snapshotsOf(inner, count) {
  let [bytes, cut] = [0, 0];
  const log = {
    ...inner,
    snapshot: (runId, s) => {
      bytes += s.bytes.length;
      cut++;
      return inner.snapshot(runId, s);
    },
  };
  const { snapshot } = DeltaAssembler.prototype;
  let spent = 0;
  DeltaAssembler.prototype.snapshot = function () {
    const before = performance.now();
    const made = snapshot.call(this);
    spent += performance.now() - before;
    return made;
  };
  const cpu = process.cpuUsage();
  const writer = await RunWriter.open(log, `r${count}`, { flushBytes: 2048 });
  await writer.push(start());
  for (let seq = 2; seq < count; seq++) {
    await writer.push(text(seq, WORDS));
    // A model is never faster than the log.
    if (seq % 200 === 0) await until(() => writer.position >= seq - 100);
  }
  await writer.push(done(count));
  const message = bytesOf(JSON.stringify(writer.preview())).length;
  await writer.end();
  await writer.close();
  const { user, system } = process.cpuUsage(cpu);
  DeltaAssembler.prototype.snapshot = snapshot;
  return { bytes, cut, message, share: (1e3 * spent) / (user + system) };
}

async function snapshots(server) {
  console.log("\n# Snapshots of one run");
  const { client, close } = await CLIENTS["node-redis 6"](server.port);
  const log = redisRunLog(client, { prefix: "snapshots:" });
  for (const count of [2_000, 20_000, 100_000]) {
    const { bytes, cut, message, share } = await snapshotsOf(log, count);
    const ratio = bytes / message;
    const what = `${count.toLocaleString("en")} deltas, a message of ${(message / 1e3).toFixed(0)} KB: ${cut} snapshots`;
    row(what, `${ratio.toFixed(2)} times the message`, "(at most 2)", ratio <= 2);
    row(
      `  their share of the writer's CPU, ${count.toLocaleString("en")} deltas`,
      `${(100 * share).toFixed(1)} %`,
      "(at most 5)",
      share <= 0.05,
    );
  }
  await close();
}

async function manyRuns(server) {
  console.log("\n# 10,000 writers in one process, each with 4.8 KB of text");
  const more = [];
  for (const name of ["ioredis 6", "node-redis 6"]) {
    const child = spawn(process.execPath, ["--expose-gc", WRITERS, name, String(server.port)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (data) => {
      said += data;
    });
    await once(child, "close");
    const { before, after, live } = JSON.parse(said);
    more.push((after - before) / 1e6);
    const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
    row(`${name}: resident, the client and the module before them`, mb(before));
    row(`  resident with the writers, ${name}`, mb(after), "(at most 200)", after <= 200e6);
    row("  in use by heap and buffers then", mb(live));
  }
  figure({
    id: "store.writers",
    "in one process": "10,000 writers, each with 4.8 KB of text",
    memory: `${range(more)} MB`,
  });
}

/** What `reader` has got of a producer that is killed half-way; `late`: of one that comes after that. */
async function dying(server) {
  console.log("\n# The producer is killed after 100 of 200 deltas: what readers get");
  const produce = async (kind) => {
    const child = spawn(process.execPath, [PRODUCER, kind, String(server.port)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    return child;
  };
  {
    const child = await produce("resumable-stream");
    const publisher = createClient({ url: `redis://127.0.0.1:${server.port}` });
    const subscriber = publisher.duplicate();
    await Promise.all([publisher.connect(), subscriber.connect()]);
    const context = createResumableStreamContext({ waitUntil: null, publisher, subscriber });
    const first = (await context.resumeExistingStream("dying")).getReader();
    const early = [await first.read()];
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
    const late = await context.resumeExistingStream("dying").then(
      async (stream) =>
        stream ? `${(await stream.getReader().read()).value?.length} bytes` : "null",
      (error) => `an error: ${error.message}`,
    );
    row("resumable-stream, who had read to the 100th", `${early.length} chunk, then waits`);
    row("  who comes later", late);
    // Its watchdog would go on.
    await first.cancel().catch(() => {});
    for (const client of [publisher, subscriber]) client.destroy();
  }
  {
    const child = await produce("apex-parts");
    const { client, close } = await CLIENTS["node-redis 6"](server.port);
    const log = redisRunLog(client, { prefix: "dying:" });
    const early = await RunReader.open(log, "r");
    await until(() => early.message().parts.length > 0);
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
    const writer = await until(() =>
      RunWriter.open(log, "r", { owner: "b" }).catch(() => undefined),
    );
    const late = await RunReader.open(log, "r");
    const kept = writer.position;
    for (let seq = kept + 1; seq < 200; seq++) await writer.push(text(seq, `${seq} `));
    await writer.push(delta(200, "done", { finishReason: "stop" }));
    await writer.end();
    await writer.close();
    const words = ({ parts }) => parts[0].payload.text.trim().split(" ").length;
    row("apex-parts/store, stored when it died", `${kept} of 100`);
    row(
      "  who had read, when another process went on",
      `${words(await early.result())} of 198 words`,
    );
    row("  who comes later", `${words(await late.result())} of 198 words`);
    early.free();
    late.free();
    await close();
  }
}

if (noRedis) console.log(`\n${noRedis}`);
else {
  const server = await startRedis();
  try {
    await costOfAppends(server);
    await latency(server);
    await snapshots(server);
    await manyRuns(server);
    await dying(server);
  } finally {
    await server.stop();
  }
}
