// Files with several names: all of them are to have the new content.
import { sameAs } from "./content.ts";
import { below, isWithin, located } from "./paths.ts";
import type { FileStat, Host } from "./types.ts";

/** The most entries that are looked at to find the names of a file. */
const MOST_ENTRIES = 20_000;

/** The directories in which names are looked for: none within another. */
async function rootsOf(host: Host) {
  const given = [host.directory, ...(host.worktree === undefined ? [] : [host.worktree])];
  const places = await Promise.all(given.map((path) => located(host, path)));
  const real = [...new Set(places.filter(({ exists }) => exists).map((place) => place.real))];
  // `/` stands for no worktree.
  const roots = real.filter((path) => path !== "/");
  return roots.filter((path) => !roots.some((other) => other !== path && isWithin(other, path)));
}

/** Whether all names of a file are in the directory or the worktree. */
async function areNamesInside(host: Host, { id, links }: FileStat): Promise<boolean> {
  const { fs } = host;
  const waiting = await rootsOf(host);
  let left = links ?? 1;
  let looked = 0;
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    let entries: Awaited<ReturnType<typeof fs.readdir>>;
    try {
      entries = await fs.readdir(path, sameAs(await fs.lstat(path)));
    } catch {
      continue; // A directory that cannot be read may have the others.
    }
    for (const { name, kind } of entries) {
      if (++looked > MOST_ENTRIES) return false;
      const entry = below(path, name);
      if (kind === "directory") waiting.push(entry);
      if (kind !== "file") continue;
      const own = await fs.lstat(entry).catch(() => undefined);
      if (own?.id === id && --left === 0) return true;
    }
  }
  return false;
}

/** What happens to a file with several names. */
export interface HardLinks {
  /** How many names it has. */
  links: number;
  /** It is written in place; else the others keep the old content. */
  inPlace: boolean;
}

/** How a file is written that has several names; undefined if it has one, or the host does not tell. */
export async function hardLinksOf(
  host: Host,
  stat: FileStat | undefined,
): Promise<HardLinks | undefined> {
  const { id, links } = stat ?? {};
  if (stat === undefined || id === undefined || links === undefined || links < 2) return undefined;
  return { links, inPlace: await areNamesInside(host, stat) };
}

/** What a model is told of them. */
export const linksSentence = ({ links, inPlace }: HardLinks): string =>
  inPlace
    ? `The file has ${links} names (hard links): it was written in place, not atomically.`
    : `The file had ${links} names (hard links): the others keep the old content.`;
