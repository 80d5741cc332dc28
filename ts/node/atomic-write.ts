// Putting a file in place, whole or not at all.
import { type BigIntStats, constants } from "node:fs";
import fs from "node:fs/promises";
import { type Failure, failure, idOf, named, replaced } from "./file-identity.ts";
import { HeldDirectory, parentOf } from "./held-directory.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_WRONLY, W_OK } = constants;
/** What a file system answers that has no hard links. */
const NO_LINKS = new Set<string | undefined>([
  "EPERM",
  "ENOTSUP",
  "EOPNOTSUPP",
  "ENOSYS",
  "EMLINK",
  "EINVAL",
]);

/** Of the file that is to be there; `null` if none is to be. */
type Id = string | null | undefined;

/** What is at a path, not following a link; undefined if nothing is. */
async function entryAt(path: string): Promise<BigIntStats | undefined> {
  try {
    return await fs.lstat(path, { bigint: true });
  } catch (error) {
    // What Node throws.
    if ((error as Failure).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Rejects what cannot be replaced, and what is not what the caller has checked. */
function check(entry: BigIntStats | undefined, path: string, id: Id): void {
  if (entry?.isSymbolicLink()) throw failure("ELOOP", path, "a link is there");
  if (entry?.isDirectory()) throw failure("EISDIR", path, "a directory is there");
  if (entry && !entry.isFile()) throw failure("EINVAL", path, "not a regular file");
  if (id === undefined) return;
  if ((entry === undefined ? null : idOf(entry)) !== id) throw replaced(path);
}

/**
 * Gives a new file the owner and the mode of the one that it replaces. (Not its ACL: Node knows of none.) Where
 * the user is not in the group of the file, the user's own group may do what all others may, and no more.
 */
async function keepOwnerAndMode(
  handle: fs.FileHandle,
  before: BigIntStats,
  path: string,
): Promise<void> {
  const own = await handle.stat({ bigint: true });
  const [uid, gid] = [Number(before.uid), Number(before.gid)];
  let mode = Number(before.mode & 0o7777n);
  if (own.uid !== before.uid || own.gid !== before.gid) {
    try {
      await handle.chown(uid, gid);
    } catch {
      if (own.uid !== before.uid) {
        throw failure("EPERM", path, "it belongs to another user, and would no longer");
      }
      mode = (mode & 0o5707) | ((mode & 0o7) << 3);
    }
  }
  // After the owner, whose change takes set-user-ID away.
  await handle.chmod(mode);
}

/** Puts the temporary file where nothing may be. */
async function putNew(temporary: string, target: string, path: string): Promise<void> {
  try {
    // Unlike rename(), link() does not replace what someone else has put there meanwhile.
    await fs.link(temporary, target);
  } catch (error) {
    // What Node throws.
    const { code } = error as Failure;
    if (code === "EEXIST") throw replaced(path);
    if (!NO_LINKS.has(code)) throw error;
    if (await entryAt(target)) throw replaced(path);
    await fs.rename(temporary, target);
    return;
  }
  await fs.unlink(temporary);
}

/** The directory to write in; it is made, but for a file that is said to exist. */
async function directoryFor(path: string, id: Id): Promise<HeldDirectory> {
  if (typeof id !== "string") return HeldDirectory.make(parentOf(path), id !== undefined);
  let directory: HeldDirectory | undefined;
  try {
    directory = await HeldDirectory.open(parentOf(path));
    await directory.assertAtPath();
    return directory;
  } catch (error) {
    await directory?.close();
    throw (error as Failure).code === "ENOENT" ? replaced(path) : error; // what Node throws
  }
}

/**
 * Writes a temporary file beside the target and renames it. A file that is replaced keeps owner and mode; one that may
 * not be written is not replaced either, though its directory would allow it. `inPlace`: writes into the file that is
 * there.
 */
export async function writeFile(
  path: string,
  bytes: Uint8Array,
  { id, inPlace = false }: { id?: string | null; inPlace?: boolean } = {},
): Promise<void> {
  try {
    await (inPlace ? overwrite(path, bytes, id) : replace(path, bytes, id));
  } catch (error) {
    throw named(error as Failure, path); // what Node throws
  }
}

/** Writes into the file that is there: not atomic. */
async function overwrite(path: string, bytes: Uint8Array, id: Id): Promise<void> {
  const directory = await HeldDirectory.open(parentOf(path));
  try {
    await directory.assertAtPath();
    const target = directory.at(path.slice(path.lastIndexOf("/") + 1));
    // First what is there: opening a FIFO would wait.
    check(await entryAt(target), path, id);
    const handle = await fs.open(target, O_WRONLY | O_NOFOLLOW);
    try {
      check(await handle.stat({ bigint: true }), path, id);
      for (let at = 0; at < bytes.length; ) {
        at += (await handle.write(bytes, at, bytes.length - at, at)).bytesWritten;
      }
      await handle.truncate(bytes.length);
    } finally {
      await handle.close();
    }
  } finally {
    await directory.close();
  }
}

async function replace(path: string, bytes: Uint8Array, id: Id): Promise<void> {
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
