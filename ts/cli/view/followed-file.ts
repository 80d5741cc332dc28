/**
 * Serves a growing file as an endless response: its content, then what is appended. If the file is replaced
 * or truncated, the response ends, so that the reader can request it again.
 */
import type { FSWatcher } from "node:fs";
import { promises as fs, watch } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { basename, dirname, resolve } from "node:path";
import { CliError } from "../output.ts";
import { checkedPath } from "./runs.ts";

/** The interval of checking the size, in milliseconds: not every file system reports changes. */
const OFTEN = 200;
const PIECE = 1 << 16;
/** How many of the last bytes sent are compared to detect that a file was rewritten. */
const KNOWN = 256;

/** A file that is served while it grows. */
export interface FollowedFile {
  address: string;
  /** The query with which the page opens it. */
  query: string;
  answer(
    request: IncomingMessage,
    response: ServerResponse,
    headers: OutgoingHttpHeaders,
  ): Promise<void>;
}

/** The file at its own address. It need not be there yet; its folder must. */
export async function followFile(
  file: string,
  say: (words: string) => void = () => {},
): Promise<FollowedFile> {
  const path = resolve(file);
  const folder = await fs.stat(dirname(path)).catch(() => undefined);
  if (!folder?.isDirectory()) throw new CliError(`${file}: its folder does not exist`, 2);
  if (await fs.stat(path).catch(() => undefined)) checkedPath(file, { isFile: true });
  else say(`${file} does not exist yet: waiting for it.`);
  const address = `follow/1/${encodeURIComponent(basename(path).toWellFormed())}`;
  return {
    address: `/${address}`,
    // Encoded twice: the name is part of an address that is itself the value of a query.
    query: `live=${encodeURIComponent(address).replaceAll("%2F", "/")}`,
    answer: (request, response, headers) => follow(path, request, response, headers),
  };
}

async function follow(
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  headers: OutgoingHttpHeaders,
): Promise<void> {
  response.writeHead(200, {
    ...headers,
    "content-type": "application/octet-stream",
    // A response that ends without an error means that the file was replaced.
    "x-follow": "endless",
  });
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  response.flushHeaders();
  const waker = waking(path);
  response.on("close", waker.close);
  const reading: Reading = { file: undefined, at: 0, last: Buffer.alloc(0) };
  try {
    while (!response.destroyed && (await send(path, reading, response))) await waker.next();
    response.end();
  } finally {
    waker.close();
  }
}

/** How far a file was sent. */
interface Reading {
  /** Which file it is: of another one at the same path nothing is sent. */
  file: string | undefined;
  at: number;
  /** The last bytes that were sent. */
  last: Buffer;
}

/** Sends what is new; false if the file was replaced or truncated. */
async function send(path: string, reading: Reading, response: ServerResponse): Promise<boolean> {
  const handle = await fs.open(path).catch(() => undefined);
  // The file may just be being replaced; that shows once it exists again.
  if (!handle) return true;
  try {
    const { ino, dev, size } = await handle.stat();
    const file = `${dev} ${ino}`;
    reading.file ??= file;
    if (file !== reading.file || size < reading.at) return false;
    if (size === reading.at) return true;
    if (!(await isSame(handle, reading))) return false;
    const buffer = Buffer.alloc(PIECE);
    while (!response.destroyed) {
      const { bytesRead } = await handle.read(buffer, 0, PIECE, reading.at);
      if (bytesRead === 0) break;
      const piece = Buffer.from(buffer.subarray(0, bytesRead));
      reading.at += bytesRead;
      reading.last = Buffer.concat([reading.last, piece]).subarray(-KNOWN);
      if (!response.write(piece)) await drained(response);
    }
    return true;
  } finally {
    await handle.close();
  }
}

async function isSame(handle: FileHandle, { at, last }: Reading): Promise<boolean> {
  const now = Buffer.alloc(last.length);
  await handle.read(now, 0, last.length, at - last.length);
  return now.equals(last);
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((done) => {
    response.once("drain", done);
    response.once("close", done);
  });
}

/** Resolves when the file should be checked again: its folder changed, or the interval has passed. */
function waking(path: string): { next(): Promise<void>; close(): void } {
  let wake = () => {};
  let happened = false;
  const look = () => {
    happened = true;
    wake();
  };
  const timer = setInterval(look, OFTEN);
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(dirname(path), (_, name) => {
      if (name === null || name === basename(path)) look();
    }).on("error", () => watcher?.close());
  } catch {
    // Without a watcher, the timer suffices.
  }
  return {
    async next() {
      if (!happened) await new Promise<void>((done) => (wake = done));
      happened = false;
    },
    close() {
      clearInterval(timer);
      watcher?.close();
      look();
    },
  };
}
