/** The viewer's server: this machine only, no dependencies. Nothing is written, no command is run. */

import { promises as fs } from "node:fs";
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { CliError, faultOf } from "../output.ts";
import { Access } from "./access.ts";
import type { FollowedFile } from "./followed-file.ts";
import { followFile } from "./followed-file.ts";
import type { Page } from "./page-files.ts";
import { folderPage, packagePage } from "./page-files.ts";
import type { OpenFile, Runs, Served } from "./runs.ts";
import { openRuns } from "./runs.ts";

/** Where it listens unless a port is named: settings of the page are kept by port. */
export const DEFAULT_PORT = 4173;
/** So many ports after that are tried; then the system names a free one. */
const TRIES = 20;

/** The same policy is in www/index.html, for servers that do not send headers. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; " +
  "img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'";

const HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

const JSON_TYPE = "application/json; charset=utf-8";
/** Of a session: no browser shows it as a page. */
const BYTES = "application/octet-stream";

interface ServeOptions {
  root?: string;
  port?: number;
  fallback?: boolean;
  file?: string;
  paths?: string[];
  follow?: string;
  say?: (words: string) => void;
  policy?: string;
  isPublic?: boolean;
}

/** A server that runs. */
export interface ViewerServer {
  /** The address that opens what is served. */
  url: string;
  port: number;
  found: Served | undefined;
  close(): Promise<void>;
}

/** What a server serves, and to whom. */
interface Site {
  page: Page;
  runs: Runs | undefined;
  followed: FollowedFile | undefined;
  headers: OutgoingHttpHeaders;
  access: Access;
}

/**
 * Serves the viewer on 127.0.0.1. With `port` 0 (or none) the system picks a free one; with `fallback` another port is
 * used if `port` is taken. With `paths` (or `file`, one of them), `url` opens the file, or the list of the files there
 * and below the folders there. With `follow`, that file is served while it grows; `say` is called if it is not there
 * yet. `root` is a folder with another page than the package's, `policy` its Content Security Policy. With `isPublic`
 * no token is asked for.
 */
export async function serve({
  root,
  port = 0,
  fallback = false,
  file,
  paths = file === undefined ? [] : [file],
  follow,
  say,
  policy = POLICY,
  isPublic = false,
}: ServeOptions = {}): Promise<ViewerServer> {
  const page = root === undefined ? packagePage() : folderPage(root);
  const runs = paths.length > 0 ? openRuns(paths) : undefined;
  const followed = follow === undefined ? undefined : await followFile(follow, say);
  const headers = { ...HEADERS, "content-security-policy": policy };
  const server = createServer();
  const own = await listen(server, port, fallback ? TRIES : 0);
  const site: Site = { page, runs, followed, headers, access: new Access(own, { isPublic }) };
  server.on("request", (request, response) => {
    // One bad request, or a file that vanishes, must not end the server.
    answer(request, response, site).catch(() => fail(response, 500, site));
  });
  const query = [site.access.query, followed?.query ?? runs?.query].filter(Boolean).join("&");
  return {
    url: `http://127.0.0.1:${own}/${query && `?${query}`}`,
    port: own,
    found: runs?.found,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  site: Site,
): Promise<void> {
  const refusal = site.access.refusal(request);
  if (refusal) return fail(response, refusal.status, site, refusal.headers);
  // Compared as it stands with the addresses that there are: nothing is decoded, and no path is made of it.
  const [address = ""] = (request.url ?? "").split("?", 1);
  const { followed, page, runs } = site;
  if (followed?.address === address) return followed.answer(request, response, site.headers);
  const list = runs?.list(address);
  if (list !== undefined) return sendBytes(request, response, site, JSON_TYPE, Buffer.from(list));
  const own = page.get(address);
  if (own?.bytes) return sendBytes(request, response, site, own.type, own.bytes());
  if (own) return sendOpen(request, response, site, own.type, await openPageFile(own.path));
  return sendOpen(request, response, site, BYTES, await runs?.file(address));
}

/** A file of the page; undefined if it has gone since the start. */
async function openPageFile(path: string): Promise<OpenFile | undefined> {
  const handle = await fs.open(path).catch(() => undefined);
  return handle && { handle, size: (await handle.stat()).size };
}

/** Sends a file that is open, and closes it. */
async function sendOpen(
  request: IncomingMessage,
  response: ServerResponse,
  site: Site,
  type: string,
  file: OpenFile | undefined,
): Promise<void> {
  if (file === undefined) return fail(response, 404, site);
  const { handle, size } = file;
  // Who asked has gone while it was opened: nobody would tell the stream.
  if (response.destroyed) return handle.close();
  response.writeHead(200, { ...site.headers, "content-type": type, "content-length": size });
  if (request.method === "HEAD" || size === 0) {
    response.end();
    return handle.close();
  }
  // `end` because the file may grow while it is sent. The stream closes the file.
  const stream = handle.createReadStream({ end: size - 1 });
  stream.on("error", () => response.destroy()).pipe(response);
  // A reader that goes away must not leave it open.
  response.on("close", () => stream.destroy());
}

function sendBytes(
  request: IncomingMessage,
  response: ServerResponse,
  site: Site,
  type: string,
  bytes: Buffer,
): void {
  response.writeHead(200, {
    ...site.headers,
    "content-type": type,
    "content-length": bytes.length,
  });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

/** An answer without a body: it tells nothing about what is here. */
function fail(
  response: ServerResponse,
  status: number,
  site: Site,
  headers: OutgoingHttpHeaders = {},
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { ...site.headers, "content-length": 0, ...headers });
  response.end();
}

/** The port of a server that listens. */
function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return address.port;
}

/** Listens on the port, or on one of the `tries` after it, or at last on any that is free; returns which it is. */
async function listen(server: Server, port: number, tries: number): Promise<number> {
  for (let at = port, left = tries; ; at++, left--) {
    const next = left > 0 || tries === 0 ? at : 0;
    const error = await new Promise<Error | undefined>((done) => {
      server.once("error", done);
      server.listen(next > 65_535 ? 0 : next, "127.0.0.1", () => {
        server.removeListener("error", done);
        done(undefined);
      });
    });
    if (error === undefined) return portOf(server);
    const { code, message } = faultOf(error);
    if (code === "EACCES") {
      throw new CliError(`you have no permission to use port ${port}: choose one from 1024 on`, 2);
    }
    if (code !== "EADDRINUSE" || next === 0) {
      throw new CliError(`no server can be started on this machine: ${message}`, 2);
    }
    if (tries === 0) throw new CliError(`port ${port} is in use: choose another, or none`, 2);
  }
}
