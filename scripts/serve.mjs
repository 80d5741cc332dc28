/**
 * A small static server for the built viewer: this machine only, no dependencies.
 *
 *   node scripts/serve.mjs [--port N] [--no-open] [FILE… | FOLDER | --follow FILE]
 */
import { spawn } from "node:child_process";
import { createReadStream, promises as fs } from "node:fs";
import { createServer } from "node:http";
import { basename, extname, join, normalize, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { followable } from "./follow.mjs";
import { listable } from "./runs.mjs";

const DEFAULT_PORT = 4173;
const DEFAULT_ROOT = fileURLToPath(new URL("../www/dist", import.meta.url));

/** The same policy is in www/index.html, for servers that do not send headers. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
  "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".md": "text/plain; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/**
 * Serves `root` on 127.0.0.1. With `port` 0 (or none) the system picks a free one; with `fallback` the next
 * free port is used if `port` is taken. With `file`, that file is served too, and `url` opens it; with
 * `paths`, `url` opens the list of the files there and below the folders there. With `follow`, that file is served while it
 * grows; `say` is called if it does not exist yet. `policy` is the Content Security Policy of its pages.
 *
 * @param {{ root?: string, port?: number, fallback?: boolean, file?: string, paths?: string[],
 *   follow?: string, say?: (words: string) => void, policy?: string }} [options]
 * @returns {Promise<{ url: string, port: number, close: () => Promise<void> }>}
 */
export async function serve({
  root = DEFAULT_ROOT,
  port = 0,
  fallback = false,
  file,
  paths = file === undefined ? [] : [file],
  follow,
  say,
  policy = POLICY,
} = {}) {
  const folder = resolve(root);
  if (!(await isFile(join(folder, "index.html")))) {
    throw new Error(`${folder} holds no built viewer: build it first.`);
  }
  const opened = await served(paths);
  const followed = follow === undefined ? undefined : await followable(follow, say);
  const server = createServer((request, response) => {
    response.setHeader("content-security-policy", policy);
    answer(request, response, folder, opened, followed).catch(() => fail(response, 500));
  });
  await listen(server, port, fallback ? 20 : 0);
  const address = server.address();
  const origin = `http://127.0.0.1:${address.port}/`;
  return {
    url: `${origin}${followed?.query ?? opened?.query ?? ""}`,
    port: address.port,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Opens the address in the default browser; a machine without one is not an error. */
export function openInBrowser(url) {
  const [command, ...args] =
    process.platform === "darwin"
      ? ["open", url]
      : process.platform === "win32"
        ? ["cmd", "/c", "start", "", url]
        : ["xdg-open", url];
  spawn(command, args, { stdio: "ignore", detached: true })
    .on("error", () => {})
    .unref();
}

/**
 * Serves until the process is stopped: prints the address, and opens it if standard output is a terminal.
 * Wrong input ends with one sentence and exit code 1.
 *
 * @param {{ root?: string, port?: number, paths?: string[], follow?: string, open?: boolean }} [options]
 */
export async function run({ root, port, paths, follow, open = true } = {}) {
  try {
    const fallback = port === undefined;
    const server = await serve({
      root,
      port: port ?? DEFAULT_PORT,
      fallback,
      paths,
      follow,
      say: console.log,
    });
    for (const signal of ["SIGINT", "SIGTERM"]) {
      process.once(signal, () => server.close().then(() => process.exit(0)));
    }
    console.log(`apex-parts viewer: ${server.url}`);
    if (open && process.stdout.isTTY && !process.env.CI) openInBrowser(server.url);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

/** What is served beside the viewer: nothing, a file, or a list of them. */
async function served(paths) {
  const [path, ...others] = paths;
  if (path === undefined) return undefined;
  const isFolder = (await fs.stat(path).catch(() => undefined))?.isDirectory() ?? false;
  return others.length > 0 || isFolder ? listable(paths) : openable(path);
}

async function openable(file) {
  const path = resolve(file);
  const stat = await fs.stat(path).catch(() => undefined);
  if (!stat) throw new Error(`There is no file ${file}.`);
  if (!stat.isFile()) throw new Error(`${file} is not a file.`);
  await fs.access(path, fs.constants.R_OK).catch(() => {
    throw new Error(`${file} cannot be read.`);
  });
  const address = `/open/${basename(path)}`;
  const name = encodeURIComponent(basename(path));
  return {
    // Encoded twice: the name is part of a URL that is itself a query parameter.
    query: `?src=open/${encodeURIComponent(name)}`,
    list: () => undefined,
    file: (wanted) => (wanted === address ? path : undefined),
  };
}

async function answer(request, response, folder, opened, followed) {
  if (request.method !== "GET" && request.method !== "HEAD") return fail(response, 405);
  const path = (request.url ?? "/").split(/[?#]/, 1)[0];
  let decoded;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return fail(response, 400);
  }
  if (followed && decoded === followed.path) return followed.answer(request, response, headers());
  const list = await opened?.list(decoded);
  if (list !== undefined) return sendText(request, response, list);
  const file = await opened?.file(decoded);
  if (file !== undefined) return send(request, response, file);
  if (decoded.includes("\0")) return fail(response, 400);
  const wanted = normalize(join(folder, decoded.endsWith("/") ? `${decoded}index.html` : decoded));
  if (!wanted.startsWith(folder + sep)) return fail(response, 403);
  // A symbolic link in the folder must not lead out of it either.
  const real = await fs.realpath(wanted).catch(() => undefined);
  const base = await fs.realpath(folder);
  if (!real?.startsWith(base + sep) || !(await isFile(real))) return fail(response, 404);
  return send(request, response, real);
}

async function send(request, response, file) {
  const { size } = await fs.stat(file);
  response.writeHead(200, {
    ...headers(),
    "content-type": TYPES[extname(file).toLowerCase()] ?? "application/octet-stream",
    "content-length": size,
  });
  if (request.method === "HEAD" || size === 0) return response.end();
  // `end` because the file may grow while it is sent.
  createReadStream(file, { end: size - 1 })
    .on("error", () => response.destroy())
    .pipe(response);
}

/** Sends a text in JSON. */
function sendText(request, response, text) {
  const bytes = Buffer.from(text);
  const type = { "content-type": TYPES[".json"], "content-length": bytes.length };
  response.writeHead(200, { ...headers(), ...type });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

function fail(response, status) {
  if (response.headersSent) return response.destroy();
  response.writeHead(status, { ...headers(), "content-type": "text/plain; charset=utf-8" });
  response.end(`${status}\n`);
}

function headers() {
  return {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
  };
}

function listen(server, port, tries) {
  return new Promise((done, failed) => {
    server.once("error", (error) => {
      if (error.code === "EADDRINUSE" && tries > 0) {
        listen(server, port + 1, tries - 1).then(done, failed);
      } else if (error.code === "EADDRINUSE") {
        failed(new Error(`Port ${port} is taken.`));
      } else {
        failed(error);
      }
    });
    server.listen(port, "127.0.0.1", () => {
      server.removeAllListeners("error");
      done();
    });
  });
}

async function isFile(path) {
  return (await fs.stat(path).catch(() => undefined))?.isFile() ?? false;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      port: { type: "string" },
      follow: { type: "string" },
      "no-open": { type: "boolean" },
    },
  });
  await run({
    port: values.port === undefined ? undefined : Number(values.port),
    paths: positionals,
    follow: values.follow,
    open: !values["no-open"],
  });
}
