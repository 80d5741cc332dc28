// Paths of skills, all with `/` between names, and whether one is inside another.
import { homedir } from "node:os";
import { resolve } from "node:path";
import { type Failure, slashed } from "../file-identity.ts";

/** An absolute path; `~/` at its front is the home directory. */
export function absolute(path: string): string {
  const own = path === "~" || /^~[/\\]/.test(path) ? `${homedir()}/${path.slice(2)}` : path;
  return slashed(resolve(own));
}

/** The path of a name in a folder. */
export const at = (folder: string, name: string): string =>
  folder.endsWith("/") ? folder + name : `${folder}/${name}`;

export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Whether a real path is a folder, or below it. */
export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(at(folder, ""));

/** In the order of code units, which is the same on every machine. */
export const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Why a path could not be read, in words. */
export function whyUnreadable(error: unknown): string {
  // What Node throws.
  const { code = "", message } = error as Failure;
  const reasons: Record<string, string> = {
    EACCES: "this user has no permission to read it",
    EPERM: "this user has no permission to read it",
    ENOENT: "it does not exist",
    ENOTDIR: "it is not a folder",
    EISDIR: "it is a folder, not a file",
    EINVAL: "it is not a regular file",
    ENXIO: "it is not a regular file",
    ELOOP: "it is a link that leads to itself",
    ENAMETOOLONG: "its path is too long",
    EMFILE: "too many files are open",
    ENFILE: "too many files are open",
    ESTALE: "it was replaced while it was read",
  };
  return reasons[code] ?? String(message);
}
