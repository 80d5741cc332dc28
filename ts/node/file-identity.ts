// Which file a path or an open file is: what tells that another one was put in its place.
import type { BigIntStats } from "node:fs";
import fs from "node:fs/promises";

/** An error of Node's, or one of this folder. */
export type Failure = Error & { code?: string; path?: string; syscall?: string };

const IS_WINDOWS = process.platform === "win32";
const HAS_PROC = process.platform === "linux";

/** An error with a `code`, as Node's own are, whose message names the path that was given. */
export const failure = (code: string | undefined, path: string, why: string): Failure =>
  Object.assign(new Error(`${code}: ${why}: ${path}`), { code, path });

/** An error of Node's with the path that was given, instead of one through a descriptor. */
export const named = (error: Failure, path: string): Failure =>
  error.syscall === undefined ? error : failure(error.code, path, `${error.syscall} failed`);

/** Another file is there than the one that was checked. */
export const replaced = (path: string): Failure =>
  failure("ESTALE", path, "a different file is there than the one that was checked");

/** The same for the same file as long as it exists; from a stat with `bigint`. */
export const idOf = ({ dev, ino }: Pick<BigIntStats, "dev" | "ino">): string => `${dev}:${ino}`;

/** A path with `/` between names, as this package writes it. */
export const slashed = (path: string): string => (IS_WINDOWS ? path.replaceAll("\\", "/") : path);

/** Where an open file or directory really is; undefined where the system does not say. */
export async function placeOf({ fd }: { fd: number }): Promise<string | undefined> {
  if (!HAS_PROC) return undefined;
  try {
    return await fs.readlink(descriptorPath(fd));
  } catch {
    return undefined;
  }
}

/** A path that leads to what is open, wherever it was moved: names below it are looked up there. */
export const descriptorPath = (fd: number): string => `/proc/self/fd/${fd}`;

/**
 * Whether an open file is the one at a real path, and no link above it leads there. Comparing the inode alone
 * does not tell: a link may have been in place when it was taken.
 */
export async function isAt(handle: fs.FileHandle, path: string): Promise<boolean> {
  const place = await placeOf(handle);
  if (place !== undefined) return place === path;
  try {
    const [real, own, there] = await Promise.all([
      fs.realpath(path),
      handle.stat({ bigint: true }),
      fs.lstat(path, { bigint: true }),
    ]);
    return slashed(real) === path && idOf(own) === idOf(there);
  } catch {
    return false;
  }
}
