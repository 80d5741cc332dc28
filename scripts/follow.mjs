/**
 * A file that grows, served as a response without an end: what it holds, and then what is appended.
 * Where the file begins anew (it got shorter, or is another one) the response ends, so that whoever
 * reads it can ask again.
 */
import { promises as fs, watch } from "node:fs";
import { basename, dirname, resolve } from "node:path";

/** The size is asked for so often, in ms, for not every file system tells of changes. */
const OFTEN = 200;
const PIECE = 1 << 16;
/** The last bytes that were sent, by which a file is known again that was written anew. */
const KNOWN = 256;

/**
 * @param {string} file
 * @param {(words: string) => void} [say]
 */
export async function followable(file, say = () => {}) {
  const path = resolve(file);
  const folder = await fs.stat(dirname(path)).catch(() => undefined);
  if (!folder?.isDirectory()) throw new Error(`There is no folder for ${file}.`);
  const stat = await fs.stat(path).catch(() => undefined);
  if (stat && !stat.isFile()) throw new Error(`${file} is not a file.`);
  if (stat) {
    await fs.access(path, fs.constants.R_OK).catch(() => {
      throw new Error(`${file} cannot be read.`);
    });
  } else {
    say(`${file} is not there yet: waiting for it.`);
  }
  const name = encodeURIComponent(basename(path));
  return {
    path: `/follow/${basename(path)}`,
    // The name is part of an address that is itself a parameter of one, so it is written twice over.
    query: `?live=follow/${encodeURIComponent(name)}`,
    answer: (request, response, headers) => follow(path, request, response, headers),
  };
}

async function follow(path, request, response, headers) {
  response.writeHead(200, {
    ...headers,
    "content-type": "application/octet-stream",
    "cache-control": "no-store",
    // What ends without an error began anew.
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

/** Sends what is new; false where the file began anew. */
async function send(path, reading, response) {
  const handle = await fs.open(path).catch(() => undefined);
  // It may be replaced at this moment; whether it was shows once there is one again.
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

/** Tells that it is time to look again: something happened beside the file, or some time went by. */
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
    // The timer does it alone.
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
