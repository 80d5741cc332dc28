import {
  canBeTranscript,
  DEEPEST,
  MOST_FILES,
  MOST_FOLDERS,
  SKIPPED,
} from "../../../../../ts/cli/transcript-files.ts";
import { type FoundRun, runOfFile } from "../model/runs";

interface FoundFiles {
  files: FoundRun[];
  /** There are more than were taken. */
  more: boolean;
}

interface Folder {
  entry: FileSystemDirectoryEntry;
  depth: number;
  /** What the folders that it is in hold, to know one of them again. */
  above: readonly string[];
}

/** The files in dropped files and folders that can be transcripts. */
export async function findFiles(entries: readonly FileSystemEntry[]): Promise<FoundFiles> {
  const files: FoundRun[] = [];
  const folders: Folder[] = [];
  let more = false;
  const take = async (entry: FileSystemFileEntry) => {
    if (!canBeTranscript(entry.name)) return;
    if (files.length >= MOST_FILES) {
      more = true;
      return;
    }
    const file = await fileOf(entry);
    if (file) files.push(runOfFile(entry.fullPath.replace(/^\//, ""), file));
  };
  for (const entry of entries) {
    if (isFolder(entry)) folders.push({ entry, depth: 0, above: [] });
    else await take(entry as FileSystemFileEntry);
  }
  // One after the other, not folder in folder: a deep one costs no stack.
  for (let next = 0; next < folders.length && !more; next++) {
    const folder = folders[next];
    if (!folder) break;
    const inside = await entriesOf(folder.entry);
    const held = contents(inside);
    // A link to a folder above shows the same again, without end.
    if (held !== "" && folder.above.includes(held)) continue;
    const above = [...folder.above, held];
    for (const entry of inside) {
      if (!isFolder(entry)) await take(entry as FileSystemFileEntry);
      else if (folder.depth + 1 > DEEPEST || folders.length >= MOST_FOLDERS) more = true;
      else if (!SKIPPED.includes(entry.name)) {
        folders.push({ entry, depth: folder.depth + 1, above });
      }
    }
  }
  return { files, more };
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/** The names in a folder that has files; folders in each other that have none may be alike by chance. */
function contents(inside: readonly FileSystemEntry[]): string {
  if (!inside.some(({ isFile }) => isFile)) return "";
  return inside
    .map(({ name, isFile }) => `${isFile ? "" : "/"}${name}`)
    .sort()
    .join("\0");
}

/** A folder tells its entries in portions; one that cannot be read is empty. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const portion = await new Promise<FileSystemEntry[]>((resolve) =>
      reader.readEntries(resolve, () => resolve([])),
    );
    if (portion.length === 0 || all.length > 2 * MOST_FILES) break;
    all.push(...portion);
  }
  return all.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function fileOf(entry: FileSystemFileEntry): Promise<File | undefined> {
  return new Promise((resolve) => entry.file(resolve, () => resolve(undefined)));
}
