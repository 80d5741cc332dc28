// A Redis of one's own: on a free port of this machine, with a folder of its own, gone with the tests.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const found = spawnSync("redis-server", ["--version"], { encoding: "utf8" });

/** Why tests over Redis are left out; false if there is one. */
export const noRedis =
  found.error !== undefined &&
  "there is no redis-server on this machine: what needs a real Redis is left out";

/** Why tests over a cluster are left out; false if there can be one. */
export const noCluster =
  noRedis ||
  (!(Number(/v=(\d+)/.exec(found.stdout)?.[1]) >= 7) &&
    "redis-server is older than 7: what needs a cluster is left out");

/** A port that is free now: another process may take it before it is used. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until something is true. */
export async function until(isIt, what = "what was waited for") {
  for (let tries = 0; tries < 6000; tries++) {
    const found = await isIt();
    if (found) return found;
    await sleep(10);
  }
  throw new Error(`${what} did not come`);
}

/** Starts a server; `flags` are further ones. It may be killed and started again on its port. */
export async function startRedis(flags = []) {
  const folder = mkdtempSync(join(tmpdir(), "apex-parts-redis-"));
  const made = { folder, port: 0, child: undefined };
  made.start = async () => {
    for (let tries = 0; ; tries++) {
      made.port ||= await freePort();
      const base = ["--port", made.port, "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
      const args = [...base, "--loglevel", "warning", ...flags].map(String);
      made.child = spawn("redis-server", args, { stdio: "ignore" });
      const gone = new Promise((resolve) => made.child.once("exit", () => resolve("gone")));
      // A server of another test may have the port: it answers too.
      const isOurs = async () => (await processAt(made.port)) === made.child.pid;
      const up = until(isOurs, "the answer of Redis");
      up.catch(() => {});
      if ((await Promise.race([up, gone])) !== "gone") return;
      // Another process took the port in the meantime.
      if (tries === 5) throw new Error("redis-server does not start");
      made.port = 0;
    }
  };
  made.kill = async (signal = "SIGKILL") => {
    const { child } = made;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await gone;
  };
  made.stop = async () => {
    await made.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  await made.start();
  return made;
}

/** The process of the server at a port; undefined while none answers. */
async function processAt(port) {
  const { connect } = await import("node:net");
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("INFO server\r\n"));
    let text = "";
    socket.on("data", (data) => {
      text += data;
      const id = /process_id:(\d+)\r\n/.exec(text)?.[1];
      if (id === undefined && !text.startsWith("-")) return;
      socket.destroy();
      resolve(id && Number(id));
    });
    for (const end of ["error", "close"]) socket.on(end, () => resolve(undefined));
  });
}

/** The clients that programs have: each connects, and has a way to be closed. */
export const CLIENTS = {
  "node-redis 6": (port) => nodeRedis("redis", port),
  "node-redis 5": (port) => nodeRedis("redis5", port),
  "node-redis 4": (port) => nodeRedis("redis4", port),
  "ioredis 6": (port) => ioredis("ioredis", port),
  "ioredis 5": (port) => ioredis("ioredis5", port),
};

async function nodeRedis(name, port) {
  const { createClient } = await import(name);
  const client = createClient({ url: `redis://127.0.0.1:${port}` });
  client.on("error", () => {});
  await client.connect();
  const close = async () =>
    client.isOpen && (await (client.destroy ?? client.disconnect).call(client));
  return { client, close };
}

async function ioredis(name, port) {
  const { Redis } = await import(name);
  const client = new Redis(port, "127.0.0.1");
  client.on("error", () => {});
  await client.ping();
  return { client, close: () => client.disconnect() };
}
