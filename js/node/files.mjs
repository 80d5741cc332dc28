// The files of this machine, for the built-in tools.
import { constants } from "node:fs";
import fs from "node:fs/promises";
import { writeAtomically } from "./atomic-write.mjs";
import { failure, idOf, isAt, named, replaced, slashed } from "./file-identity.mjs";
import { HeldDirectory } from "./held-directory.mjs";

// Not on every system.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
/** The most bytes of a file that are held at once. */
const PIECE = 1024 * 1024;

function kindOf(entry) {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "link" : "other";
}

const statOf = (stat) => ({
  kind: kindOf(stat),
  size: Number(stat.size),
  mtimeMs: Number(stat.mtimeMs),
  id: idOf(stat),
});

/** The bytes of a regular file. Opening never waits, as it would for the writer of a FIFO. */
async function* read(path, { id } = {}) {
  const handle = await fs.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = await handle.stat({ bigint: true });
    if (stat.isDirectory()) throw failure("EISDIR", path, "a directory is there");
    if (!stat.isFile()) throw failure("EINVAL", path, "not a regular file");
    if (id !== undefined && (idOf(stat) !== id || !(await isAt(handle, path))))
      throw replaced(path);
    // One more byte tells the end of a file without another piece. Files of /proc say 0.
    const size = Math.min(PIECE, Math.max(Number(stat.size) + 1, 4096));
    for (;;) {
      const { bytesRead, buffer } = await handle.read(new Uint8Array(size), 0, size, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

async function readdir(path, { id } = {}) {
  const directory = await HeldDirectory.open(path);
  try {
    const entries = await directory.entries(id);
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  } catch (error) {
    throw named(error, path);
  } finally {
    await directory.close();
  }
}

/** The files of this machine. */
export const nodeFiles = {
  realpath: async (path) => slashed(await fs.realpath(path)),
  stat: async (path) => statOf(await fs.stat(path, { bigint: true })),
  lstat: async (path) => statOf(await fs.lstat(path, { bigint: true })),
  readlink: async (path) => slashed(await fs.readlink(path)),
  readdir,
  read,
  write: writeAtomically,
};
