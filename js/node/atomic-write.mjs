// Putting a file in place, whole or not at all.
import { constants } from "node:fs";
import fs from "node:fs/promises";
import { failure, idOf, replaced } from "./file-identity.mjs";
import { HeldDirectory, parentOf } from "./held-directory.mjs";

const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_WRONLY, W_OK } = constants;
/** What a file system answers that has no hard links. */
const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EINVAL"]);

/** What is at a path, not following a link; undefined if nothing is. */
async function entryAt(path) {
  try {
    return await fs.lstat(path, { bigint: true });
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Rejects what cannot be replaced, and what is not what the caller has checked. */
function check(entry, path, id) {
  if (entry?.isSymbolicLink()) throw failure("ELOOP", path, "a link is there");
  if (entry?.isDirectory()) throw failure("EISDIR", path, "a directory is there");
  if (entry && !entry.isFile()) throw failure("EINVAL", path, "not a regular file");
  if (id === undefined) return;
  if ((entry === undefined ? null : idOf(entry)) !== id) throw replaced(path);
}

/** Gives a new file the owner and the mode of the one that it replaces. (Not its ACL: Node knows of none.) */
async function keepOwnerAndMode(handle, { uid, gid, mode }, path) {
  const own = await handle.stat({ bigint: true });
  if (own.uid !== uid || own.gid !== gid) {
    try {
      await handle.chown(Number(uid), Number(gid));
    } catch {
      throw failure(
        "EPERM",
        path,
        "it belongs to another user, and replacing it would change that",
      );
    }
  }
  // After the owner, whose change takes set-user-ID away.
  await handle.chmod(Number(mode & 0o7777n));
}

/** Puts the temporary file where nothing may be. */
async function putNew(temporary, target, path) {
  try {
    // Unlike rename(), link() does not replace what someone else has put there meanwhile.
    await fs.link(temporary, target);
  } catch (error) {
    if (error.code === "EEXIST") throw replaced(path);
    if (!NO_LINKS.has(error.code)) throw error;
    if (await entryAt(target)) throw replaced(path);
    await fs.rename(temporary, target);
    return;
  }
  await fs.unlink(temporary);
}

/** The directory to write in; it is made, but for a file that is said to exist. */
async function directoryFor(path, id) {
  if (typeof id !== "string") return HeldDirectory.make(parentOf(path), id !== undefined);
  let directory;
  try {
    directory = await HeldDirectory.open(parentOf(path));
    await directory.assertAtPath();
    return directory;
  } catch (error) {
    await directory?.close();
    throw error.code === "ENOENT" ? replaced(path) : error;
  }
}

/**
 * Writes a temporary file beside the target and renames it. A file that is replaced keeps owner and mode; one
 * that may not be written is not replaced either, though its directory would allow it.
 */
export async function writeAtomically(path, bytes, { id } = {}) {
  const directory = await directoryFor(path, id);
  try {
    const target = directory.at(path.slice(path.lastIndexOf("/") + 1));
    const before = await entryAt(target);
    check(before, path, id);
    if (before) await fs.access(target, W_OK);
    const temporary = directory.at(`.${crypto.randomUUID()}.tmp`);
    const handle = await fs.open(
      temporary,
      O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
      before ? 0o600 : 0o666,
    );
    try {
      try {
        await handle.writeFile(bytes);
        if (before) await keepOwnerAndMode(handle, before, path);
      } finally {
        await handle.close();
      }
      if (id !== undefined) await directory.assertAtPath();
      if (id === null) {
        await putNew(temporary, target, path);
      } else {
        check(await entryAt(target), path, id);
        await fs.rename(temporary, target);
      }
    } catch (error) {
      await fs.rm(temporary, { force: true }).catch(() => {});
      throw error;
    }
  } finally {
    await directory.close();
  }
}
