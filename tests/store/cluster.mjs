// A cluster of three servers of one's own, each with a third of the slots, which can be moved.
import { Redis } from "ioredis5";
import { freePort, startRedis, until } from "./redis.mjs";

const SLOTS = 16_384;

/** The clients of a cluster: each connects, and has a way to be closed. */
export const CLUSTERS = {
  "node-redis 6": async (ports) => {
    const { createCluster } = await import("redis");
    const rootNodes = ports.map((port) => ({ url: `redis://127.0.0.1:${port}` }));
    const client = createCluster({ rootNodes });
    client.on("error", () => {});
    await client.connect();
    return { client, close: () => client.destroy() };
  },
  "ioredis 6": async (ports) => {
    const { Cluster } = await import("ioredis");
    const client = new Cluster(ports.map((port) => ({ host: "127.0.0.1", port })));
    client.on("error", () => {});
    await client.ping();
    return { client, close: () => client.disconnect() };
  },
};

/** A server of the cluster. If another process takes its second port in the meantime, another one is tried. */
async function startNode() {
  for (let tries = 0; ; tries++) {
    const bus = await freePort();
    const flags = ["--cluster-enabled", "yes", "--cluster-port", bus];
    try {
      return { bus, server: await startRedis(flags) };
    } catch (error) {
      if (tries === 5) throw error;
    }
  }
}

export async function startCluster() {
  const nodes = [];
  for (let index = 0; index < 3; index++) {
    const { bus, server } = await startNode();
    const redis = new Redis(server.port, "127.0.0.1");
    redis.on("error", () => {});
    const id = await redis.call("CLUSTER", "MYID");
    nodes.push({ bus, server, redis, id, port: server.port });
  }
  const bound = (index) => Math.floor((SLOTS * index) / nodes.length);
  for (const [index, { redis }] of nodes.entries()) {
    await redis.call("CLUSTER", "ADDSLOTSRANGE", bound(index), bound(index + 1) - 1);
  }
  for (const { port, bus } of nodes.slice(1)) {
    await nodes[0].redis.call("CLUSTER", "MEET", "127.0.0.1", port, bus);
  }
  const isReady = async ({ redis }) => {
    const info = await redis.call("CLUSTER", "INFO");
    if (!/cluster_state:ok/.test(info) || !/cluster_slots_ok:16384/.test(info)) return false;
    const known = (await redis.call("CLUSTER", "NODES")).trim().split("\n");
    return known.length === 3 && known.every((line) => / connected \d/.test(line));
  };
  for (const node of nodes) await until(() => isReady(node), "the cluster");

  /** The node that serves a slot, as the nodes say themselves. */
  async function ownerOf(slot) {
    for (const node of nodes) {
      const lines = (await node.redis.call("CLUSTER", "NODES")).split("\n");
      const own = lines.find((line) => line.includes("myself")).split(" ");
      const isIn = (range) => {
        const [from, to = from] = range.split("-").map(Number);
        return from <= slot && slot <= to;
      };
      if (own.slice(8).some((range) => !range.startsWith("[") && isIn(range))) return node;
    }
    throw new Error(`nobody serves slot ${slot}`);
  }

  /** Moves the slot of a key to another node, key by key, while it is in use. */
  async function move(key) {
    const slot = Number(await nodes[0].redis.call("CLUSTER", "KEYSLOT", key));
    const source = await ownerOf(slot);
    const target = nodes[(nodes.indexOf(source) + 1) % nodes.length];
    await target.redis.call("CLUSTER", "SETSLOT", slot, "IMPORTING", source.id);
    await source.redis.call("CLUSTER", "SETSLOT", slot, "MIGRATING", target.id);
    for (;;) {
      const keys = await source.redis.call("CLUSTER", "GETKEYSINSLOT", slot, 1);
      if (keys.length === 0) break;
      await source.redis.call("MIGRATE", "127.0.0.1", target.port, keys[0], 0, 5000);
    }
    for (const node of [target, source, ...nodes]) {
      await node.redis.call("CLUSTER", "SETSLOT", slot, "NODE", target.id);
    }
  }

  async function stop() {
    for (const { redis, server } of nodes) {
      redis.disconnect();
      await server.stop();
    }
  }
  return { nodes, ports: nodes.map(({ port }) => port), move, stop };
}
