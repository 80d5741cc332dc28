/**
 * Serves a growing file as an endless response: its content, then what is appended. If the file is replaced
 * or truncated, the response ends, so that the reader can request it again.
 */
import { promises as fs, watch } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { CliError } from "../output.ts";
import { checkedPath } from "./runs.ts";

/** The interval of checking the size, in milliseconds: not every file system reports changes. */
const OFTEN = 200;
const PIECE = 1 << 16;
/** How many of the last bytes sent are compared to detect that a file was rewritten. */
const KNOWN = 256;

/**
 * The file at an address of its own. It need not be there yet; its folder must.
 *
 * @param {string} file
 * @param {(words: string) => void} [say]
 */
export async function followFile(file, say = () => {}) {
  const path = resolve(file);
  const folder = await fs.stat(dirname(path)).catch(() => undefined);
  if (!folder?.isDirectory()) throw new CliError(`${file}: there is no folder for it`, 2);
  if (await fs.stat(path).catch(() => undefined)) checkedPath(file, { isFile: true });
  else say(`${file} is not there yet: waiting for it.`);
  const address = `follow/1/${encodeURIComponent(basename(path).toWellFormed())}`;
  return {
    address: `/${address}`,
    // Encoded twice: the name is part of an address that is itself the value of a query.
    query: `live=${encodeURIComponent(address).replaceAll("%2F", "/")}`,
    answer: (request, response, headers) => follow(path, request, response, headers),
  };
}

async function follow(path, request, response, headers) {
  response.writeHead(200, {
    ...headers,
    "content-type": "application/octet-stream",
    // A response that ends without an error means that the file was replaced.
    "x-follow": "endless",
  });
  if (request.method === "HEAD") return response.end();
  response.flushHeaders();
  const waker = waking(path);
  response.on("close", waker.close);
  const reading = { file: undefined, at: 0, last: Buffer.alloc(0) };
  try {
    while (!response.destroyed && (await send(path, reading, response))) await waker.next();
    response.end();
  } finally {
    waker.close();
  }
}

/** Sends what is new; false if the file was replaced or truncated. */
async function send(path, reading, response) {
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

async function isSame(handle, { at, last }) {
  const now = Buffer.alloc(last.length);
  await handle.read(now, 0, last.length, at - last.length);
  return now.equals(last);
}

function drained(response) {
  return new Promise((done) => {
    response.once("drain", done);
    response.once("close", done);
  });
}

/** Resolves when the file should be checked again: its folder changed, or the interval has passed. */
function waking(path) {
  let wake = () => {};
  let happened = false;
  const look = () => {
    happened = true;
    wake();
  };
  const timer = setInterval(look, OFTEN);
  let watcher;
  try {
    watcher = watch(dirname(path), (_, name) => {
      if (name === null || name === basename(path)) look();
    }).on("error", () => watcher?.close());
  } catch {
    // Without a watcher, the timer suffices.
  }
  return {
    async next() {
      if (!happened) await new Promise((done) => (wake = done));
      happened = false;
    },
    close() {
      clearInterval(timer);
      watcher?.close();
      look();
    },
  };
}
