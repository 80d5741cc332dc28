// Where the paths of a bash command really lead: through links, `..` behind links, and globs.
import { type ShellReading, toolsShell } from "apex-parts:glue";
import type { CommandLine } from "../context.ts";
import { codeOf } from "./failures.ts";
import { below, located, type Place, parentOf } from "./paths.ts";
import type { FileSystem, Host } from "./types.ts";

/** So many paths are read from a command at once. */
const MOST_PATHS = 256;
const MOST_ROUNDS = 16;
/** So many names are looked at for the globs of a command. */
const MOST_NAMES = 20_000;
const GLOB = /[*?[]/;

/** The folder of a place outside, as a pattern; undefined if the place is inside. */
export async function folderOutside(
  host: Host,
  place: Pick<Place, "real" | "isOutside">,
): Promise<string | undefined> {
  if (!place.isOutside) return undefined;
  const { real } = place;
  let isDirectory = false;
  try {
    isDirectory = (await host.fs.stat(real)).kind === "directory";
  } catch {
    // Nothing is there, or nothing that can be looked at.
  }
  return isDirectory ? real : parentOf(real);
}

/** The path that the kernel opens: `..` behind a link is the folder above where the link leads. */
async function physical(host: Host, path: string) {
  if (!/\/\.\.(?:\/|$)/.test(path)) return path;
  let at = path.startsWith("/") ? "/" : path.slice(0, 2);
  for (const name of path.slice(at.length).split("/")) {
    if (name === "..") at = parentOf((await located(host, at)).real);
    else if (name !== "" && name !== ".") at = below(at, name);
  }
  return at;
}

/** Where a path leads. */
export const placeOf = async (host: Host, path: string): Promise<Place> =>
  located(host, await physical(host, path));

/** A part of a glob with `*` for all from its first set of characters on: it finds no less. */
const simplified = (part: string) => part.replace(/\[.*$/s, "*");

/** Whether a name fits a part of a glob; `*` is any run of characters, after a mismatch the last one is longer. */
function fits(name: string, part: string) {
  let at = 0;
  let want = 0;
  let star = -1;
  let end = 0;
  while (at < name.length) {
    if (part[want] === "*") {
      star = want++;
      end = at;
    } else if (part[want] === "?" || part[want] === name[at]) {
      at++;
      want++;
    } else if (star >= 0) {
      want = star + 1;
      at = ++end;
    } else {
      return false;
    }
  }
  while (part[want] === "*") want++;
  return want === part.length;
}

/** The paths that globs match. */
class Globs {
  #host: Host;
  #left = MOST_NAMES;
  paths = new Set<string>();
  /** There was too much to look at. */
  isOpen = false;

  constructor(host: Host) {
    this.#host = host;
  }

  async add(glob: string) {
    const parts = glob.split("/");
    const first = parts.findIndex((part) => GLOB.test(part));
    await this.#expand(parts.slice(0, first).join("/") || "/", parts.slice(first));
  }

  async #expand(folder: string, [part, ...rest]: string[]): Promise<void> {
    if (part === undefined) {
      this.paths.add(folder);
      return;
    }
    if (part === "") return this.#expand(folder, rest);
    if (!GLOB.test(part)) return this.#expand(below(folder, part), rest);
    let entries: Awaited<ReturnType<FileSystem["readdir"]>>;
    try {
      entries = await this.#host.fs.readdir(await physical(this.#host, folder));
    } catch {
      return;
    }
    const wildcard = simplified(part);
    for (const { name, kind } of entries) {
      if (this.#left-- <= 0) {
        this.isOpen = true;
        return;
      }
      if (!fits(name, wildcard) || (name.startsWith(".") && !part.startsWith("."))) continue;
      await this.#expand(below(folder, name), rest);
      // `**` is any number of folders.
      if (part === "**" && kind === "directory") {
        await this.#expand(below(folder, name), [part, ...rest]);
      }
    }
  }
}

/** What the globs of a command match: of some only what is not a folder. */
async function matched(host: Host, { globs, fileGlobs }: ShellReading) {
  const all = new Globs(host);
  for (const glob of globs) await all.add(glob);
  const files = new Globs(host);
  for (const glob of fileGlobs) await files.add(glob);
  const paths = new Set(all.paths);
  for (const path of files.paths) {
    const isFolder = await host.fs.stat(path).then(
      ({ kind }) => kind === "directory",
      () => false,
    );
    if (!isFolder) paths.add(path);
  }
  return { paths, isOpen: all.isOpen || files.isOpen };
}

/** Names that are several words, or others, where a list of them is split. */
const SPLIT = /[\s'"\\]/;

/** Whether a link in folders that are gone through leads outside, or there is too much to look at. */
async function leadsOut(host: Host, walks: string[]) {
  let left = MOST_NAMES;
  const seen = new Set<string>();
  const open = walks.map((walk) => ({ path: walk.slice(2), kind: walk.slice(0, 2) }));
  for (let walk = open.pop(); walk !== undefined; walk = open.pop()) {
    const { kind } = walk;
    const { real, isOutside } = await placeOf(host, walk.path);
    if (isOutside) return true;
    if (seen.has(kind + real)) continue;
    seen.add(kind + real);
    let entries: Awaited<ReturnType<FileSystem["readdir"]>>;
    try {
      entries = await host.fs.readdir(real);
    } catch (error) {
      // What cannot be read cannot be gone through; nor can a file.
      if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) continue;
      return true;
    }
    for (const entry of entries) {
      if (left-- <= 0 || (kind[1] === "n" && SPLIT.test(entry.name))) return true;
      const isLink = entry.kind === "link";
      if (entry.kind === "directory" || (isLink && kind[0] === "l")) {
        open.push({ path: below(real, entry.name), kind });
      }
    }
  }
  return false;
}

/** Whether a file whose name is known only up to a number, or to what a glob finds, may be a link or behind one. */
async function mayBeLink(host: Host, path: string, { globs, fileGlobs }: ShellReading) {
  if (!path.endsWith("*")) return false;
  const start = path.slice(path.lastIndexOf("/") + 1, -1);
  try {
    const { real } = await placeOf(host, parentOf(path));
    const entries = await host.fs.readdir(real);
    const isGlob = [...globs, ...fileGlobs].some((glob) => GLOB.test(glob));
    const fits = (name: string) =>
      name.startsWith(start) && (isGlob || /^[-\d]/.test(name.slice(start.length)));
    return entries.some(({ name, kind }) => kind === "link" && fits(name));
  } catch (error) {
    // Nothing is there.
    return codeOf(error) !== "ENOENT";
  }
}

/** What a command asks for. */
export interface BashRequest {
  request: ShellReading;
  /** The folders outside that it names; `*` stands for what is not known. */
  folders: string[];
  /** The places that its redirects write to, undefined for one that is not known. */
  writes: (Place | undefined)[];
  /** What rules for `read` call the files that it reads. */
  reads: string[];
}

/** What rules for `read` call the files among paths; what is no regular file is left out. */
async function readPatterns(host: Host, paths: string[]) {
  const globs = new Globs(host);
  const named: string[] = [];
  for (const path of paths) {
    if (GLOB.test(path)) await globs.add(path);
    else named.push(path);
  }
  const patternsOf = async (path: string) => {
    try {
      const place = await placeOf(host, path);
      const { kind } = await host.fs.stat(place.real);
      return kind === "file" ? place.patterns : [];
    } catch {
      return []; // Nothing is there that could be read.
    }
  };
  const patterns = await Promise.all([...new Set([...named, ...globs.paths])].map(patternsOf));
  return [...new Set(patterns.flat())];
}

/** What a command asks for, with where its paths lead. */
export async function requestOf(
  host: Host,
  { text, variables }: CommandLine,
  cwd: string,
): Promise<BashRequest> {
  const inside = new Set<string>();
  const folders = new Map<string, string>();
  const judge = async (path: string) => {
    let folder: string | undefined = "*";
    try {
      folder = await folderOutside(host, await placeOf(host, path));
    } catch {
      // Not to be followed: it may lead anywhere.
    }
    if (folder === undefined) inside.add(path);
    else folders.set(path, folder);
  };
  // Whether a path is inside depends on links, so all of them are read from the command first; if they are
  // very many, in several rounds.
  const isInside = (path: string) => inside.has(path);
  const read = () => toolsShell(text, cwd, host.home ?? "/~", isInside, variables);
  let request = read();
  for (let round = 1; ; round++) {
    const known = inside.size;
    const { dirs } = request;
    const open = dirs.filter((path) => path !== "*" && !folders.has(path));
    await Promise.all(open.map(judge));
    if (dirs.length <= MOST_PATHS || inside.size === known || round === MOST_ROUNDS) break;
    request = read();
  }
  const { paths, isOpen } = await matched(host, request);
  const led = [...request.climbs, ...paths];
  for (const path of led) if (!inside.has(path) && !folders.has(path)) await judge(path);
  let outside = [...request.dirs, ...led].filter((path) => !inside.has(path));
  // The star stands for the walks alone.
  if (request.walks.length > 0 && !(await leadsOut(host, request.walks).catch(() => true))) {
    outside = outside.filter((path) => path !== "*");
  }
  if (isOpen) outside.push("*");
  const writes = await Promise.all(
    request.writes.map(async (path) =>
      path === "*" || (await mayBeLink(host, path, request)) ? undefined : placeOf(host, path),
    ),
  );
  const reads = await readPatterns(host, request.reads);
  return { request, folders: outside.map((path) => folders.get(path) ?? path), writes, reads };
}
