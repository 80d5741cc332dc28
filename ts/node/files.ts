// The files of this machine, for the built-in tools.

import type { FileStat, FileSystem } from "apex-parts:tools";
import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  open as openFile,
  openSync,
  read as readFile,
  readSync,
  type Stats,
} from "node:fs";
import fs from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import { promisify } from "node:util";
import { writeFile } from "./atomic-write.ts";
import { type Failure, failure, idOf, isAt, named, replaced, slashed } from "./file-identity.ts";
import { HeldDirectory } from "./held-directory.ts";

// Not on every system.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
/** The most bytes of a file that are held at once. */
const PIECE = 1024 * 1024;
/** The most bytes of a file that is small. */
const SMALL = 64 * 1024;
/** How long small files may keep the program from anything else, in milliseconds. */
const LONGEST_TURN = 8;
const READING = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

function kindOf(entry: Dirent | BigIntStats): FileStat["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "other";
}

const statOf = (stat: BigIntStats): FileStat => ({
  kind: kindOf(stat),
  size: Number(stat.size),
  mtimeMs: Number(stat.mtimeMs),
  id: idOf(stat),
  links: Number(stat.nlink),
});

const open = promisify(openFile);
const readInto = promisify(readFile);

function assertFile(stat: Stats | BigIntStats, path: string): void {
  if (stat.isDirectory()) throw failure("EISDIR", path, "a directory is there");
  if (!stat.isFile()) throw failure("EINVAL", path, "not a regular file");
}

/** One more byte than a file has tells its end without another piece. Files of /proc say 0. */
const sizeOfPiece = ({ size }: { size: number | bigint }): number =>
  Math.min(PIECE, Math.max(Number(size) + 1, 4096));

/**
 * The bytes of a file whose identity does not matter: a search reads thousands. Looking at an open file and closing
 * it wait for no disk, and a thread for each would take longer than all else.
 */
async function* readAny(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, READING);
  try {
    const stat = fstatSync(file);
    assertFile(stat, path);
    const size = sizeOfPiece(stat);
    for (;;) {
      const { bytesRead, buffer } = await readInto(file, new Uint8Array(size), 0, size, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      if (bytesRead < size && stat.size > 0) return;
    }
  } finally {
    closeSync(file);
  }
}

/** Puts a small file at `at`: how many bytes it has; -1 if it is for `read`, undefined if there is no room. */
function readSmallFile(path: string, buffer: Uint8Array, at: number): number | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, READING);
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > SMALL) return -1;
    const most = sizeOfPiece(stat);
    if (most > buffer.length - at) return undefined;
    const size = readSync(file, buffer, at, most, null);
    // One that is longer than it says grows, or is made as it is read.
    return size > stat.size ? -1 : size;
  } catch {
    return -1;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/**
 * Small files are mostly in memory, where waiting for a thread takes several times as long as reading. Where they turn
 * out to be slow, the rest is for `read`, so that the program goes on.
 */
async function readSmall(this: FileSystem, paths: string[], buffer: Uint8Array): Promise<number[]> {
  // A program may have put its own `read` in place.
  if (this.read !== read) return paths.map(() => -1);
  // What waits has its turn between two calls.
  await setImmediate();
  const end = performance.now() + LONGEST_TURN;
  const sizes: number[] = [];
  let at = 0;
  for (const path of paths) {
    const size = performance.now() > end ? -1 : readSmallFile(path, buffer, at);
    if (size === undefined) break;
    sizes.push(size);
    at += Math.max(size, 0);
  }
  return sizes;
}

/** The bytes of a regular file. Opening never waits, as it would for the writer of a FIFO. */
function read(path: string, { id }: { id?: string } = {}): AsyncIterable<Uint8Array> {
  return id === undefined ? readAny(path) : readThis(path, id);
}

async function* readThis(path: string, id: string): AsyncGenerator<Uint8Array> {
  const handle = await fs.open(path, READING);
  try {
    const stat = await handle.stat({ bigint: true });
    assertFile(stat, path);
    if (idOf(stat) !== id || !(await isAt(handle, path))) throw replaced(path);
    const size = sizeOfPiece(stat);
    for (;;) {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(size), 0, size, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

const entriesOf = (entries: Dirent[]) =>
  entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));

async function readdir(
  path: string,
  { id }: { id?: string } = {},
): ReturnType<FileSystem["readdir"]> {
  if (id === undefined) {
    try {
      return entriesOf(await fs.readdir(path.replace(/\/?$/, "/"), { withFileTypes: true }));
    } catch {
      // What failed is said below.
    }
  }
  const directory = await HeldDirectory.open(path);
  try {
    return entriesOf(await directory.entries(id));
  } catch (error) {
    throw named(error as Failure, path); // what Node throws
  } finally {
    await directory.close();
  }
}

/** The files of this machine. */
export const nodeFiles: FileSystem = {
  realpath: async (path) => slashed(await fs.realpath(path)),
  stat: async (path) => statOf(await fs.stat(path, { bigint: true })),
  lstat: async (path) => statOf(await fs.lstat(path, { bigint: true })),
  readlink: async (path) => slashed(await fs.readlink(path)),
  readdir,
  read,
  readSmall,
  write: writeFile,
};
