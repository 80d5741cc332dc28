// Where a path that a model gave really is, and whether it needs its own permission.
import type { RunContext } from "../context.ts";
import { Expected } from "../expected.ts";
import { codeOf } from "./failures.ts";
import { assertWhole } from "./texts.ts";
import type { FileSystem, Host } from "./types.ts";

const MOST_LINKS = 40;
const DRIVE = /^[A-Za-z]:/;

/** Whether a path is absolute on some system. */
export const isAbsolute = (path: string): boolean => path.startsWith("/") || DRIVE.test(path);

/** The path with `/` between names, `.` and `..` resolved by letters, no `/` at its end. */
function normal(path: string) {
  const [drive] = DRIVE.exec(path) ?? [""];
  const names: string[] = [];
  for (const name of path.slice(drive.length).split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return `${drive}/${names.join("/")}`;
}

/** The absolute path of what is given from a directory. */
export function resolved(directory: string, given: string): string {
  // Elsewhere a backslash is a character of a name, and `C:` is a name.
  const hasDrives = DRIVE.test(directory);
  const path = hasDrives ? given.replaceAll("\\", "/") : given;
  const isWhole = path.startsWith("/") || (hasDrives && DRIVE.test(path));
  return normal(isWhole ? path : `${directory}/${path}`);
}

/** The directory that an absolute path is in. */
export const parentOf = (path: string): string => normal(`${path}/..`);

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The path of a name in a directory. */
export const below = (directory: string, name: string): string =>
  directory.endsWith("/") ? directory + name : `${directory}/${name}`;

/** Whether an absolute path is a directory or within it. */
export function isWithin(directory: string, path: string): boolean {
  return path === directory || path.startsWith(below(directory, ""));
}

/** An absolute path as seen from a directory: "" for itself, `../x` outside. */
export function relativeTo(directory: string, path: string): string {
  if (path === directory) return "";
  if (directory === "/") return path.slice(1);
  const from = directory.split("/");
  const to = path === "/" ? [""] : path.split("/");
  let same = 0;
  while (same < from.length && same < to.length && from[same] === to[same]) same++;
  return [...from.slice(same).map(() => ".."), ...to.slice(same)].join("/");
}

/** The path without links as far as something is there; the names behind that are added. */
async function realOf(
  fs: FileSystem,
  path: string,
  links = 0,
): Promise<{ real: string; exists: boolean }> {
  try {
    return { real: normal(await fs.realpath(path)), exists: true };
  } catch (error) {
    if (codeOf(error) === "ELOOP" || links > MOST_LINKS) {
      throw new Expected(`${path} leads through too many links.`);
    }
  }
  const { real, rest } = await deepest(fs, path);
  if (rest.length === 0) return { real: path, exists: false };
  const [name = "", ...behind] = rest;
  const here = below(real, name);
  let led = here;
  try {
    // A link to nothing is where it leads: a file written through it is made there.
    const target = await fs.readlink(here);
    ({ real: led } = await realOf(fs, resolved(real, target), links + 1));
  } catch (error) {
    if (error instanceof Expected) throw error;
  }
  // Behind what is not there nothing is.
  return { real: behind.reduce(below, led), exists: false };
}

/** The deepest directory above a path that is there, without links, and the names behind it. */
async function deepest(fs: FileSystem, path: string) {
  const [drive] = DRIVE.exec(path) ?? [""];
  const names = path.slice(drive.length).split("/").filter(Boolean);
  const above = (count: number) => `${drive}/${names.slice(0, count).join("/")}`;
  // Halved, as a path may have thousands of names.
  let depth = 0;
  let real = above(0);
  for (let most = names.length - 1; depth < most; ) {
    const middle = Math.ceil((depth + most) / 2);
    try {
      real = normal(await fs.realpath(above(middle)));
      depth = middle;
    } catch (error) {
      if (codeOf(error) === "ELOOP") throw new Expected(`${path} leads through too many links.`);
      most = middle - 1;
    }
  }
  return { real, rest: names.slice(depth) };
}

/**
 * The real paths of the directories that need no permission of their own, and of the one that paths are named
 * from.
 */
async function rootsOf(host: Host) {
  const { fs, directory, worktree } = host;
  const given = (worktree === undefined ? [directory] : [directory, worktree]).map(normal);
  const real = await Promise.all(given.map(async (path) => (await realOf(fs, path)).real));
  // `/` as a worktree stands for none: everything would be inside.
  const inside = real.filter((path, i) => i === 0 || path !== "/");
  return { inside, realBase: real[given.indexOf(base(host))] ?? "/" };
}

/** What titles and permissions name paths from. */
function base({ directory, worktree }: Host) {
  const root = worktree === undefined ? "/" : normal(worktree);
  return root === "/" ? normal(directory) : root;
}

/** A path as titles show it: from the worktree. */
export const titleOf = (host: Host, path: string): string => relativeTo(base(host), path);

/** Where a path that a model gave is. */
export interface Place {
  /** Absolute by its letters. */
  path: string;
  /** Without links. */
  real: string;
  exists: boolean;
  /** Both as seen from the worktree. */
  relative: string;
  realRelative: string;
  /** What permissions for the file are asked with. */
  patterns: string[];
  /** The same for what is below it. */
  patternsBelow: (name: string) => string[];
  isOutside: boolean;
}

/** Where a path that a model gave is; "" is the directory. */
export async function located(host: Host, given: string): Promise<Place> {
  if (given.includes("\0"))
    throw new Expected("The path has a NUL character. Give a path without it.");
  // No file has such a name: another file than the one asked about would be meant.
  assertWhole(given, "The path");
  const path = resolved(host.directory, given);
  const [{ real, exists }, { inside, realBase }] = await Promise.all([
    realOf(host.fs, path),
    rootsOf(host),
  ]);
  const relative = relativeTo(base(host), path);
  const realRelative = relativeTo(realBase, real);
  const patterns = both(relative, realRelative);
  const patternsBelow = (name: string) =>
    both(relativeTo(base(host), below(path, name)), relativeTo(realBase, below(real, name)));
  const isOutside = !inside.some((directory) => isWithin(directory, real));
  return { path, real, exists, relative, realRelative, patterns, patternsBelow, isOutside };
}

const both = (relative: string, realRelative: string) =>
  relative === realRelative ? [relative] : [relative, realRelative];

/**
 * Asks for the directory of a place outside, before anything else is asked. `isDirectory`: the place is one
 * itself.
 */
export async function askOutside(
  context: RunContext,
  { path, real, isOutside }: Pick<Place, "path" | "real" | "isOutside">,
  { isDirectory = false }: { isDirectory?: boolean } = {},
): Promise<void> {
  if (!isOutside) return;
  const directory = isDirectory ? real : parentOf(real);
  const pattern = below(directory, "*");
  await context.ask({
    permission: "external_directory",
    patterns: [pattern],
    always: [pattern],
    metadata: { filepath: path, realpath: real, parentDir: directory },
  });
}
