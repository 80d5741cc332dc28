// The files below a folder that can be transcripts.
import { opendirSync, realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import {
  canBeTranscript,
  DEEPEST,
  MOST_FILES,
  MOST_FOLDERS,
  SKIPPED,
} from "./transcript-files.mjs";

function entriesOf(folder) {
  const entries = [];
  try {
    const open = opendirSync(folder);
    try {
      for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
        entries.push(entry.name);
        if (entries.length > 10 * MOST_FILES) break;
      }
    } finally {
      open.closeSync();
    }
  } catch {
    // A folder that may not be read has nothing for this user.
  }
  return entries.sort();
}

/** What a path leads to, links followed; undefined if it leads nowhere. */
function target(path) {
  try {
    return { real: realpathSync(path), stat: statSync(path) };
  } catch {
    return undefined;
  }
}

/**
 * The files below a folder that can be transcripts, in the order of their paths; `more` if there are others that are
 * not listed. Links are followed, each folder is looked into once, each file listed once.
 *
 * @param {string} folder
 * @param {(real: string) => boolean} [isWanted] Whether what a path really is may be looked at
 */
export function filesOf(folder, isWanted = () => true) {
  const files = [];
  const seen = new Set();
  const rest = [{ path: folder, depth: 0 }];
  let folders = 0;
  let more = false;
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { path, depth } = next;
    const found = target(path);
    if (!found || seen.has(found.real) || !isWanted(found.real)) continue;
    const { real, stat } = found;
    seen.add(real);
    if (stat.isFile() && canBeTranscript(basename(path))) {
      if (files.length >= MOST_FILES) return { files, more: true };
      files.push({ path, real, size: stat.size, modified: Math.floor(stat.mtimeMs) });
    }
    if (!stat.isDirectory()) continue;
    if (depth > DEEPEST || folders >= MOST_FOLDERS) {
      more = true;
      continue;
    }
    folders++;
    const inside = entriesOf(path).filter((name) => !SKIPPED.includes(name));
    for (const name of inside.reverse()) rest.push({ path: join(path, name), depth: depth + 1 });
  }
  return { files, more };
}
