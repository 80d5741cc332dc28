// Files with several names: all of them are to have the new content.
import { walkEntries } from "./entry-walk.ts";
import { isWithin, located } from "./paths.ts";
import type { FileStat, Host } from "./types.ts";

/** The real paths of the directory and the worktree; not of one within the other. */
async function directoriesOf(host: Host) {
  const given = host.worktree === undefined ? [host.directory] : [host.directory, host.worktree];
  const places = await Promise.all(given.map((path) => located(host, path)));
  // `/` stands for no worktree.
  const all = new Set(places.map(({ real }) => real).filter((path, i) => i === 0 || path !== "/"));
  return [...all].filter((path) =>
    [...all].every((other) => other === path || !isWithin(other, path)),
  );
}

/** What happens to a file with several names. */
export interface HardLinks {
  /** How many names it has. */
  links: number;
  /** All of them, if they are in the directory or the worktree: it is written in place. Else undefined. */
  paths: string[] | undefined;
}

/** The names of a file that has several; undefined if it has one, or the host does not tell. */
export async function hardLinksOf(
  host: Host,
  { id, links = 1 }: Partial<FileStat> = {},
): Promise<HardLinks | undefined> {
  if (id === undefined || links < 2) return undefined;
  const paths: string[] = [];
  await walkEntries(host.fs, await directoriesOf(host), ({ path, stat }) => {
    if (stat.id === id) paths.push(path);
    return paths.length < links;
  });
  return { links, paths: paths.length < links ? undefined : paths };
}

/** What the permissions for the names of a file are asked with: those of one name are given. */
export async function patternsOf(
  host: Host,
  links: HardLinks | undefined,
  patterns: string[],
): Promise<string[]> {
  const paths = links?.paths ?? [];
  const places = await Promise.all(paths.map((path) => located(host, path)));
  return [...new Set([...patterns, ...places.flatMap((place) => place.patterns)])];
}

/** What a model is told of them. */
export const linksSentence = ({ links, paths }: HardLinks): string =>
  paths
    ? `The file has ${links} names (hard links): it was written in place, not atomically.`
    : `The file had ${links} names (hard links): the other names keep the old content.`;
