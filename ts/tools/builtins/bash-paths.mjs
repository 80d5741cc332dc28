// Where the paths of a text of bash really lead: through links, `..` behind links, and globs.
import { toolsShell } from "apex-parts:glue";
import { below, located, parentOf } from "./paths.ts";

/** So many paths are read from a command at once. */
const MOST_PATHS = 256;
const MOST_ROUNDS = 16;
/** So many names are looked at for the globs of a command. */
const MOST_NAMES = 20_000;
const GLOB = /[*?[]/;

/** The folder of a place outside, as a pattern; undefined if the place is inside. */
export async function folderOutside(host, place) {
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
async function physical(host, path) {
  if (!/\/\.\.(?:\/|$)/.test(path)) return path;
  let at = path.startsWith("/") ? "/" : path.slice(0, 2);
  for (const name of path.slice(at.length).split("/")) {
    if (name === "..") at = parentOf((await located(host, at)).real);
    else if (name !== "" && name !== ".") at = below(at, name);
  }
  return at;
}

/** Where a path leads. */
export const placeOf = async (host, path) => located(host, await physical(host, path));

/** A part of a glob with `*` for all from its first set of characters on: it finds no less. */
const simplified = (part) => part.replace(/\[.*$/s, "*");

/** Whether a name fits a part of a glob; `*` is any run of characters, after a mismatch the last one is longer. */
function fits(name, part) {
  let [at, want, star, end] = [0, 0, -1, 0];
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

class Globs {
  #host;
  #left = MOST_NAMES;
  found = new Set();
  /** There was too much to look at. */
  isOpen = false;

  constructor(host) {
    this.#host = host;
  }

  async add(glob) {
    const parts = glob.split("/");
    const first = parts.findIndex((part) => GLOB.test(part));
    await this.#expand(parts.slice(0, first).join("/") || "/", parts.slice(first));
  }

  async #expand(folder, [part, ...rest]) {
    if (part === undefined) {
      this.found.add(folder);
      return;
    }
    if (part === "") return this.#expand(folder, rest);
    if (!GLOB.test(part)) return this.#expand(below(folder, part), rest);
    let entries;
    try {
      entries = await this.#host.fs.readdir(await physical(this.#host, folder));
    } catch {
      return;
    }
    const wildcard = simplified(part);
    for (const entry of entries) {
      const name = typeof entry === "string" ? entry : entry.name;
      if (this.#left-- <= 0) {
        this.isOpen = true;
        return;
      }
      if (!fits(name, wildcard) || (name.startsWith(".") && !part.startsWith("."))) continue;
      await this.#expand(below(folder, name), rest);
      // `**` is any number of folders.
      if (part === "**" && entry.kind === "directory") {
        await this.#expand(below(folder, name), [part, ...rest]);
      }
    }
  }
}

/** What the globs of a command find: of some only what is no folder. */
async function foundBy(host, { globs, fileGlobs }) {
  const all = new Globs(host);
  for (const glob of globs) await all.add(glob);
  const files = new Globs(host);
  for (const glob of fileGlobs) await files.add(glob);
  const paths = new Set(all.found);
  for (const path of files.found) {
    const isFolder = await host.fs.stat(path).then(
      ({ kind }) => kind === "directory",
      () => false,
    );
    if (!isFolder) paths.add(path);
  }
  return { paths, isOpen: all.isOpen || files.isOpen };
}

/**
 * What a command asks for, the folders outside that it names (`*` among them stands for what is not known), and the
 * places that its redirects write to, undefined for one that is not known.
 */
export async function requestOf(host, command, cwd) {
  const inside = new Set();
  const folders = new Map();
  const judge = async (path) => {
    let folder = "*";
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
  let request;
  for (let round = 1; ; round++) {
    request = toolsShell(command, cwd, host.home ?? "/~", (path) => inside.has(path), true);
    const known = inside.size;
    const { dirs } = request;
    const open = dirs.filter((path) => path !== "*" && !folders.has(path));
    await Promise.all(open.map(judge));
    if (dirs.length <= MOST_PATHS || inside.size === known || round === MOST_ROUNDS) break;
  }
  const found = await foundBy(host, request);
  const led = [...request.climbs, ...found.paths];
  for (const path of led) if (!inside.has(path) && !folders.has(path)) await judge(path);
  const outside = [...request.dirs, ...led].filter((path) => !inside.has(path));
  if (found.isOpen) outside.push("*");
  const writes = await Promise.all(
    request.writes.map((path) => (path === "*" ? undefined : placeOf(host, path))),
  );
  return { request, folders: outside.map((path) => folders.get(path) ?? path), writes };
}
