// What is in the folder of a skill beside its instructions.
import type { Dirent } from "node:fs";
import fs from "node:fs/promises";
import { type Failure, slashed } from "../file-identity.ts";
import { at, byCodeUnits, isInside } from "./places.ts";

/** What a path leads to. */
export interface Found {
  real: string;
  isFolder: boolean;
  isFile: boolean;
}

type OnLink = (path: string, why: string) => void;

/** How many files are named. */
const MOST_FILES = 50;
/** How many folders are read for that. */
const MOST_FOLDERS = 200;
/** How many entries are looked at before a script is started. */
const MOST_ENTRIES = 100_000;

const SCRIPT = "scripts/execute.js";

/** Folders that are never searched: what they hold is not part of a skill. */
export const isSkipped = (name: string): boolean => name === "node_modules" || name.startsWith(".");

/** The kind of an entry that may be a link: what it leads to, and where that is. */
export async function target(path: string): Promise<Found> {
  const real = slashed(await fs.realpath(path));
  const stat = await fs.stat(real);
  return { real, isFolder: stat.isDirectory(), isFile: stat.isFile() };
}

/** The entries of a folder in order. */
export async function entriesIn(folder: string): Promise<Dirent[]> {
  const entries = await fs.readdir(folder, { withFileTypes: true });
  return entries.sort((a, b) => byCodeUnits(a.name, b.name));
}

/**
 * The first files of a folder in order, relative to it, without its own `SKILL.md`. Links are followed if they stay
 * inside the root; `onLink(path, why)` is told of the others, `onUnreadable(path, error)` of folders.
 */
export async function filesOf({
  dir,
  realDir,
  main,
  realRoot,
  onLink,
  onUnreadable,
}: {
  dir: string;
  realDir: string;
  main: string;
  realRoot: string;
  onLink?: OnLink;
  onUnreadable?: (path: string, error: unknown) => void;
}): Promise<{ files: string[]; filesCut: boolean }> {
  const files: string[] = [];
  const visited = new Set([realDir]);
  let folders = 0;
  let isCut = false;
  async function walk(folder: string, real: string, prefix: string): Promise<void> {
    if (++folders > MOST_FOLDERS) {
      isCut = true;
      return;
    }
    let entries: Dirent[];
    try {
      entries = await entriesIn(folder);
    } catch (error) {
      onUnreadable?.(folder, error);
      return;
    }
    for (const entry of entries) {
      if (isCut) return;
      const { name } = entry;
      if (prefix === "" && name === main) continue;
      const path = at(folder, name);
      let item: Found | undefined = {
        real: at(real, name),
        isFolder: entry.isDirectory(),
        isFile: entry.isFile(),
      };
      if (entry.isSymbolicLink()) {
        if (isSkipped(name)) continue;
        item = await followed(path, realRoot, onLink);
        // A folder above would be listed inside itself.
        if (item === undefined || isInside(realDir, item.real)) continue;
      }
      if (item.isFolder) {
        if (isSkipped(name) || visited.has(item.real)) continue;
        visited.add(item.real);
        await walk(path, item.real, `${prefix}${name}/`);
      } else if (item.isFile) {
        if (files.length === MOST_FILES) isCut = true;
        else files.push(`${prefix}${name}`);
      }
    }
  }
  await walk(dir, realDir, "");
  return { files, filesCut: isCut };
}

/** Where a link leads if that is inside the root; undefined otherwise, and `onLink` is told why. */
export async function followed(
  path: string,
  realRoot: string,
  onLink?: OnLink,
): Promise<Found | undefined> {
  let result: Found;
  try {
    result = await target(path);
  } catch (error) {
    // What Node throws.
    const why =
      (error as Failure).code === "ELOOP" ? "leads to itself" : "leads to nothing that can be read";
    onLink?.(path, `the link ${why}`);
    return undefined;
  }
  if (isInside(result.real, realRoot)) return result;
  onLink?.(path, `the link leaves the root: it leads to ${result.real}`);
  return undefined;
}

/** The real path of the script of a skill; undefined unless it is a plain file inside the real folder. */
export async function scriptIn(realDir: string): Promise<string | undefined> {
  const path = at(realDir, SCRIPT);
  try {
    const stat = await fs.lstat(path);
    const real = slashed(await fs.realpath(path));
    return stat.isFile() && isInside(real, realDir) ? real : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What keeps a script in this folder from being started, in words: a link that leaves it, which Node's permissions
 * would follow. Every entry is looked at, also those that are not listed.
 */
export async function linkOutOf(realDir: string): Promise<string | undefined> {
  const folders = [realDir];
  let left = MOST_ENTRIES;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    let entries: Dirent[];
    try {
      entries = await fs.readdir(folder, { withFileTypes: true });
    } catch (error) {
      return `${folder} cannot be searched (${(error as Failure).code})`;
    }
    left -= entries.length;
    if (left < 0) return `it contains more than ${MOST_ENTRIES} files`;
    for (const entry of entries) {
      const path = at(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      if (!entry.isSymbolicLink()) continue;
      const real = await fs.realpath(path).catch(() => undefined);
      if (real === undefined) return `${path} is a link that leads to nothing`;
      if (!isInside(slashed(real), realDir)) return `${path} is a link that leads out of it`;
    }
  }
  return undefined;
}
