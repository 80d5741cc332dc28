// The files below a folder that can be transcripts.
import type { Dirent, Stats } from "node:fs";
import { opendirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  canBeTranscript,
  DEEPEST,
  MOST_ENTRIES,
  MOST_FILES,
  MOST_FOLDERS,
  SKIPPED,
} from "./transcript-files.ts";

/** What is in a folder, by name, at most `most`; undefined if the folder may not be read. */
function entriesOf(folder: string, most: number): { entries: Dirent[]; more: boolean } | undefined {
  const entries: Dirent[] = [];
  try {
    const open = opendirSync(folder);
    try {
      for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
        if (entries.length >= most) return { entries, more: true };
        entries.push(entry);
      }
    } finally {
      open.closeSync();
    }
  } catch {
    return undefined;
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { entries, more: false };
}

/** What a path leads to, links followed; undefined if it leads nowhere. */
function target(path: string): { real: string; stat: Stats } | undefined {
  try {
    return { real: realpathSync(path), stat: statSync(path) };
  } catch {
    return undefined;
  }
}

/** The kind of an entry, as far as the folder tells it without a look at the entry itself. */
type Kind = "file" | "folder" | "unknown";

/** The kind that the folder tells. */
function kindOf(entry: Dirent): Kind {
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "folder" : "unknown";
}

/** A file that can be a transcript. */
export interface FoundFile {
  path: string;
  /** Its path without links. */
  real: string;
  size: number;
  /** When it was modified, in milliseconds since the Unix epoch. */
  modified: number;
}

/** What `filesOf` finds. */
export interface FilesBelow {
  files: FoundFile[];
  more: boolean;
  total: number | undefined;
  unread: string[];
}

/**
 * The files below a folder that can be transcripts, in the order of their paths. Links are followed, each folder is
 * looked into once, each file listed once. `more`: there are others that are not listed; `total` is how many there are
 * in all, where they could be counted. `unread` are the folders that may not be read. `isWanted` says whether what a
 * path really is may be looked at.
 */
export function filesOf(
  folder: string,
  isWanted: (real: string) => boolean = () => true,
): FilesBelow {
  const files: FoundFile[] = [];
  const unread: string[] = [];
  const seen = new Set<string>();
  const rest: { path: string; kind: Kind; depth: number }[] = [
    { path: folder, kind: "unknown", depth: 0 },
  ];
  let left = MOST_ENTRIES;
  let folders = 0;
  let total = 0;
  let cut = false;
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { path, kind, depth } = next;
    // Beyond those that are listed the files are only counted: that takes no look at each of them.
    if (kind === "file" && files.length >= MOST_FILES) {
      total++;
      continue;
    }
    const end = target(path);
    if (!end || seen.has(end.real) || !isWanted(end.real)) continue;
    const { real, stat } = end;
    seen.add(real);
    if (stat.isFile() && canBeTranscript(path)) {
      total++;
      if (files.length >= MOST_FILES) continue;
      files.push({ path, real, size: stat.size, modified: Math.floor(stat.mtimeMs) });
    }
    if (!stat.isDirectory()) continue;
    if (depth > DEEPEST || folders >= MOST_FOLDERS) {
      cut = true;
      continue;
    }
    folders++;
    const inside = entriesOf(path, left);
    if (inside === undefined) {
      unread.push(path);
      continue;
    }
    left -= inside.entries.length;
    cut ||= inside.more;
    for (const entry of inside.entries.reverse()) {
      const kindOfEntry = kindOf(entry);
      if (SKIPPED.includes(entry.name)) continue;
      if (kindOfEntry === "file" && !canBeTranscript(entry.name)) continue;
      rest.push({ path: join(path, entry.name), kind: kindOfEntry, depth: depth + 1 });
    }
  }
  const more = cut || total > files.length;
  return { files, more, total: cut ? undefined : total, unread };
}
