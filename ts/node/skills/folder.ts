// What is in the folder of a skill beside its instructions.
import fs from "node:fs/promises";
import { slashed } from "../file-identity.ts";
import { at, byCodeUnits, isInside } from "./places.ts";

/** How many files are named. */
const MOST_FILES = 50;
/** How many folders are read for that. */
const MOST_FOLDERS = 200;
/** How many entries are looked at before a script is started. */
const MOST_ENTRIES = 100_000;

const SCRIPT = "scripts/execute.js";

/** Folders that are never searched: what they hold is not part of a skill. */
export const isSkipped = (name) => name === "node_modules" || name.startsWith(".");

/** The kind of an entry that may be a link: what it leads to, and where that is. */
export async function target(path) {
  const real = slashed(await fs.realpath(path));
  const stat = await fs.stat(real);
  return { real, isFolder: stat.isDirectory(), isFile: stat.isFile() };
}

/** The entries of a folder in order. */
export async function entriesIn(folder) {
  const entries = await fs.readdir(folder, { withFileTypes: true });
  return entries.sort((a, b) => byCodeUnits(a.name, b.name));
}

/**
 * The first files of a folder in order, relative to it, without its own `SKILL.md`. Links are followed if they stay
 * inside the root; `onLink(path, why)` is told of the others, `onUnreadable(path, error)` of folders.
 */
export async function filesOf({ dir, realDir, main, realRoot, onLink, onUnreadable }) {
  const files = [];
  const visited = new Set([realDir]);
  let folders = 0;
  let isCut = false;
  async function walk(folder, real, prefix) {
    if (++folders > MOST_FOLDERS) {
      isCut = true;
      return;
    }
    let entries;
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
      let found = { real: at(real, name), isFolder: entry.isDirectory(), isFile: entry.isFile() };
      if (entry.isSymbolicLink()) {
        if (isSkipped(name)) continue;
        found = await followed(path, realRoot, onLink);
        // A folder above would be listed inside itself.
        if (found === undefined || isInside(realDir, found.real)) continue;
      }
      if (found.isFolder) {
        if (isSkipped(name) || visited.has(found.real)) continue;
        visited.add(found.real);
        await walk(path, found.real, `${prefix}${name}/`);
      } else if (found.isFile) {
        if (files.length === MOST_FILES) isCut = true;
        else files.push(`${prefix}${name}`);
      }
    }
  }
  await walk(dir, realDir, "");
  return { files, filesCut: isCut };
}

/** Where a link leads if that is inside the root; undefined otherwise, and `onLink` is told why. */
export async function followed(path, realRoot, onLink) {
  let found;
  try {
    found = await target(path);
  } catch (error) {
    const why = error.code === "ELOOP" ? "leads to itself" : "leads to nothing that can be read";
    onLink?.(path, `the link ${why}`);
    return undefined;
  }
  if (isInside(found.real, realRoot)) return found;
  onLink?.(path, `the link leaves the root: it leads to ${found.real}`);
  return undefined;
}

/** The real path of the script of a skill; undefined unless it is a plain file inside the real folder. */
export async function scriptIn(realDir) {
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
export async function linkOutOf(realDir) {
  const folders = [realDir];
  let left = MOST_ENTRIES;
  while (folders.length > 0) {
    const folder = folders.pop();
    let entries;
    try {
      entries = await fs.readdir(folder, { withFileTypes: true });
    } catch (error) {
      return `${folder} cannot be looked through (${error.code})`;
    }
    left -= entries.length;
    if (left < 0) return `it holds more than ${MOST_ENTRIES} files`;
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
