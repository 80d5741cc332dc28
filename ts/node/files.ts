// The files of this machine, for the built-in tools.

import type { FileStat, FileSystem } from "apex-parts:tools";
import {
  type BigIntStats,
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  open as openFile,
  read as readFile,
  type Stats,
} from "node:fs";
import fs from "node:fs/promises";
import { promisify } from "node:util";
import { writeFile } from "./atomic-write.ts";
import { type Failure, failure, idOf, isAt, named, replaced, slashed } from "./file-identity.ts";
import { HeldDirectory } from "./held-directory.ts";

// Not on every system.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
/** The most bytes of a file that are held at once. */
const PIECE = 1024 * 1024;

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
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
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

/** The bytes of a regular file. Opening never waits, as it would for the writer of a FIFO. */
function read(path: string, { id }: { id?: string } = {}): AsyncIterable<Uint8Array> {
  return id === undefined ? readAny(path) : readThis(path, id);
}

async function* readThis(path: string, id: string): AsyncGenerator<Uint8Array> {
  const handle = await fs.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
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

async function readdir(
  path: string,
  { id }: { id?: string } = {},
): ReturnType<FileSystem["readdir"]> {
  const directory = await HeldDirectory.open(path);
  try {
    const entries = await directory.entries(id);
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
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
  write: writeFile,
};
