// The contract over the log in memory, on a clock of its own, and over a real Redis with each client.
import { after, before } from "node:test";
import { memoryRunLog } from "apex-parts/store";
import { redisRunLog } from "apex-parts/store/redis";
import { contract } from "./contract.mjs";
import { CLIENTS, noRedis, startRedis } from "./redis.mjs";

const TIMES = { ttlMs: 60_000, endedTtlMs: 30_000 };

contract("a log in memory", {
  ...TIMES,
  make: () => {
    let time = 1_000_000;
    const log = memoryRunLog({ ...TIMES, now: () => time });
    const pass = async (ms) => {
      time += ms;
    };
    return { log, runId: "r", pass };
  },
});

let server;
let admin;
before(async () => {
  if (noRedis) return;
  server = await startRedis();
  admin = await CLIENTS["node-redis 6"](server.port);
});
after(async () => {
  await admin?.close();
  await server?.stop();
});

/** Lets time pass for a run: its keys live shorter, its lease is shorter. */
const PASS = `
for _, key in ipairs(KEYS) do
  local left = redis.call('PTTL', key)
  if left > 0 then redis.call('PEXPIRE', key, left - ARGV[1]) end
end
local till = redis.call('HGET', KEYS[1], 'until')
if till then redis.call('HSET', KEYS[1], 'until', till - ARGV[1]) end
`;

let count = 0;
for (const [name, connect] of Object.entries(CLIENTS)) {
  contract(`a log in Redis, over ${name}`, {
    ...TIMES,
    skip: noRedis,
    make: async () => {
      const { client, close } = await connect(server.port);
      const prefix = `t${count++}:`;
      const log = redisRunLog(client, { ...TIMES, prefix, wake: "poll" });
      const keys = ["m", "d", "s"].map((kind) => `${prefix}{r}:${kind}`);
      const pass = (ms) => admin.client.sendCommand(["EVAL", PASS, "3", ...keys, String(ms)]);
      return { log, runId: "r", pass, close };
    },
  });
}
