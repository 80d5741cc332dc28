// All entries below some directories, hidden and ignored ones too. Links are not followed.
import { sameAs } from "./content.ts";
import { below } from "./paths.ts";
import type { FileStat, FileSystem } from "./types.ts";

/** The most entries that a walk looks at. */
const MOST_ENTRIES = 20_000;

/** An entry of a directory. */
export interface WalkedEntry {
  path: string;
  /** Of the entry itself, as `lstat` gives it. */
  stat: FileStat;
}

/**
 * Calls `visit` with each entry below directories, which have real paths and are not within each other, until it gives
 * false. Gives whether it has visited all: not where there are more than 20,000, or one cannot be read.
 */
export async function walkEntries(
  fs: FileSystem,
  directories: string[],
  visit: (entry: WalkedEntry) => boolean | Promise<boolean>,
): Promise<boolean> {
  const waiting: { path: string; id: { id: string } | undefined }[] = [];
  let isWhole = true;
  let count = 0;
  const statOf = async (path: string) => {
    const stat = await fs.lstat(path).catch(() => undefined);
    isWhole &&= stat !== undefined;
    return stat;
  };
  for (const path of directories) waiting.push({ path, id: sameAs(await statOf(path)) });
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { path, id } = next;
    const entries = await fs.readdir(path, id).catch(() => undefined);
    isWhole &&= entries !== undefined;
    const paths = (entries ?? []).map(({ name }) => below(path, name));
    const looked = paths.slice(0, MOST_ENTRIES - count);
    count += looked.length;
    const stats = await Promise.all(looked.map(statOf));
    for (const [i, stat] of stats.entries()) {
      const entry = looked[i];
      if (stat === undefined || entry === undefined) continue;
      if (!(await visit({ path: entry, stat }))) return false;
      if (stat.kind === "directory") waiting.push({ path: entry, id: sameAs(stat) });
    }
    if (looked.length < paths.length) return false;
  }
  return isWhole;
}
