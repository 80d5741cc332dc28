// Node's permission model: the flags with which a script is started.
import { sep } from "node:path";
import { expected } from "./errors.ts";

const [MAJOR = 0, MINOR = 0] = process.versions.node.split(".").map(Number);
/** Until 20.7, a comma in a path began the next one. */
const SPLITS_AT_COMMAS = MAJOR === 20 && MINOR < 7;

const has = (flag: string) => process.allowedNodeEnvironmentFlags.has(flag);

/**
 * The flag that turns the model on: since 22.13 and 23.5 `--permission`, before that the experimental one; undefined
 * if there is neither.
 */
const permissionFlag = () =>
  ["--permission", "--experimental-permission"].find((flag) => has(flag));

/** A folder and all below it. A `*` in a path would grant whatever begins as the path does until there. */
function granted(flag: string, folder: string): string {
  if (folder.includes("*") || (SPLITS_AT_COMMAS && folder.includes(","))) {
    throw expected(
      `no permission can be granted for ${folder}: its path has a character with a special meaning`,
    );
  }
  return `${flag}=${folder.endsWith(sep) ? folder : folder + sep}`;
}

/**
 * The flags that let a script read and write these folders, and nothing else: no child processes, no workers, no
 * native addons; and no network where Node has a permission for it, because none is given.
 */
export function permissionFlags({ read, write }: { read: string[]; write: string[] }): string[] {
  const flag = permissionFlag();
  if (flag === undefined) {
    throw expected(
      `Node ${process.versions.node} has no permission model to run scripts in; permission: false runs them without`,
    );
  }
  return [
    flag,
    ...read.map((folder) => granted("--allow-fs-read", folder)),
    ...write.map((folder) => granted("--allow-fs-write", folder)),
  ];
}

/** That the model is experimental is no news for the model that reads what a script printed. */
export const quietFlags = (): string[] =>
  has("--disable-warning") ? ["--disable-warning=ExperimentalWarning"] : [];
