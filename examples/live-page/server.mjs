/**
 * Streams a recorded run at its original speed, and serves a page that shows it:
 *
 *   node examples/live-page/server.mjs [EXPORT.json] [--speed 4] [--port 4180] [--redis redis://127.0.0.1:6379]
 *
 * With `--redis` there are two server processes and one address: kill either, and the page goes on. Without, one
 * process has the run in its memory.
 */
import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runHandler } from "apex-parts/store";
import { front } from "./front.mjs";
import { gate } from "./gate.mjs";
import { openLog, worker } from "./runs.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const SAMPLE = at("../../www/public/samples/fix-greeting.json");
const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
};
const RUN = /^\/runs\/([\w-]{1,40})(\/events)?$/;

/**
 * Serves the page and its runs: `POST /runs/ID` begins one, `GET /runs/ID/events` follows it.
 *
 * With `holdAt`, runs wait before the delta of that number until `release()`.
 *
 * @param {{ file?: string, speed?: number, port?: number, redis?: string, holdAt?: number }} [options]
 */
export async function serve({ file = SAMPLE, speed = 1, port = 0, redis, holdAt } = {}) {
  const { log, close } = await openLog(redis);
  const { open: release, pass } = gate(holdAt);
  const { begin, work, stop } = worker(log, { file, speed, pass });
  const events = runHandler(log, { runId: ({ url }) => RUN.exec(url)?.[1] });

  const server = createServer(async (request, response) => {
    const [, runId, isEvents] = RUN.exec(request.url) ?? [];
    if (runId && request.method === "POST") {
      const status = await begin(runId).then(
        () => 202,
        () => 409,
      );
      response.writeHead(status).end();
    } else if (runId && isEvents) {
      // Whoever is asked for a run sees to it that somebody writes it: after another process died, this one.
      const { state } = await log.latest(runId).catch(() => ({ state: {} }));
      if (state.status === "open") work(runId);
      events(request, response);
    } else {
      page(request, response);
    }
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    port: server.address().port,
    url: `http://127.0.0.1:${server.address().port}/`,
    release,
    close() {
      stop();
      release();
      server.close();
      server.closeAllConnections();
      close();
    },
  };
}

function page(request, response) {
  const path = new URL(request.url, "http://host").pathname;
  const found = /^\/(?:(apex-parts)\/)?([\w-]+\/)?([\w.-]*)$/.exec(path);
  const name = `${found?.[2] ?? ""}${found?.[3] || "index.html"}`;
  try {
    const body = readFileSync(at(found?.[1] ? `../../pkg/${name}` : name));
    response.writeHead(200, {
      "content-type": TYPES[extname(name)] ?? "application/octet-stream",
      // The policy that a page with the element needs.
      "content-security-policy":
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
        "img-src data:; connect-src 'self'; worker-src 'self'",
    });
    response.end(body);
  } catch {
    response.writeHead(404, { "content-type": "text/plain" });
    response.end("There is no such file.\n");
  }
}

/** Two processes that serve runs in one Redis, behind one address. */
export async function serveTwice({ port, ...options }) {
  const children = await Promise.all([started(options), started(options)]);
  const { url, close } = await front(
    children.map((child) => child.port),
    port,
  );
  return {
    url,
    children,
    release() {
      for (const child of children) if (child.connected) child.send({ release: true });
    },
    close() {
      close();
      for (const child of children) child.kill();
    },
  };
}

function started(options) {
  const child = fork(fileURLToPath(import.meta.url), { env: { ...process.env, LIVE_PAGE: "1" } });
  child.send(options);
  return new Promise((resolve, reject) => {
    child.once("message", ({ port }) => resolve(Object.assign(child, { port })));
    child.once("exit", () => reject(new Error("a server did not start")));
  });
}

if (process.env.LIVE_PAGE && process.send) {
  process.once("message", async (options) => {
    const { port, release } = await serve(options);
    process.once("message", release);
    process.send({ port });
  });
  process.once("disconnect", () => process.exit());
} else if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { speed: { type: "string" }, port: { type: "string" }, redis: { type: "string" } },
  });
  const speed = Number(values.speed ?? 1);
  if (!(speed > 0)) throw new Error("--speed is a number above 0");
  const options = { file: positionals[0], speed, port: Number(values.port ?? 4180) };
  if (values.redis) {
    const { url, children } = await serveTwice({ ...options, redis: values.redis });
    console.log(`a recorded run: ${url}`);
    console.log(`by the processes ${children.map(({ pid }) => pid).join(" and ")}: kill one`);
  } else {
    const { url } = await serve(options);
    console.log(`a recorded run: ${url}`);
    console.log("in the memory of one process; with --redis two would share it");
  }
}
