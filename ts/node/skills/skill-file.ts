// Reading one `SKILL.md`: never more of it than counts, and never from outside its root.
import { constants } from "node:fs";
import fs from "node:fs/promises";
import { failure, isAt, replaced, slashed } from "../file-identity.ts";
import { isInside } from "./places.ts";

/** The most bytes of a skill that `Skill.parse` takes. */
const MOST = 1024 * 1024;

// Not on every system. Opening never waits, as it would for the writer of a FIFO.
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

async function readFrom(handle: fs.FileHandle): Promise<Uint8Array> {
  const { size } = await handle.stat();
  // One byte more than it may have: that it is too large is judged where all of it is judged.
  const bytes = new Uint8Array(Math.min(size, MOST) + 1);
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/** The bytes of a file, at most one more than a skill may have. Rejects with `EXDEV` if it is outside the root. */
export async function readSkillFile(path: string, realRoot: string): Promise<Uint8Array> {
  const real = slashed(await fs.realpath(path));
  if (!isInside(real, realRoot)) throw failure("EXDEV", path, "a link that leaves the root");
  const handle = await fs.open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) throw failure("EISDIR", path, "a folder is there");
    if (!stat.isFile()) throw failure("EINVAL", path, "not a regular file");
    if (!(await isAt(handle, real))) throw replaced(path);
    return await readFrom(handle);
  } finally {
    await handle.close();
  }
}
