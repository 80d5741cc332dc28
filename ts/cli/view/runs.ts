/**
 * What the viewer's server has beside its page: the files that were named, and those below the folders that were.
 * A file is known by its number of this start; no request is made a path of. Only what the list names is served, and
 * only while it is what it was when it was listed.
 */
import {
  accessSync,
  constants,
  promises as fs,
  opendirSync,
  realpathSync,
  statSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { filesOf } from "../folder-files.ts";
import { CliError, unreadable } from "../output.ts";
import { MOST_FILES } from "../transcript-files.ts";
import { plural } from "../units.ts";

const LIST = "list.json";

/** A file or folder that was named; throws why it cannot be shown, in one sentence. */
export function checkedPath(name, { isFile = false } = {}) {
  if (name === "-") {
    throw new CliError(
      "-: the viewer reads files, and not standard input; save it, and name that",
      2,
    );
  }
  const path = resolve(name);
  try {
    const stat = statSync(path);
    const isFolder = stat.isDirectory();
    if (isFolder && isFile) throw new CliError(`${name}: it is a folder, and not one file`, 2);
    if (!isFolder && !stat.isFile()) {
      throw new CliError(`${name}: it is no file or folder, but a device, a pipe or a socket`, 2);
    }
    if (isFolder) opendirSync(path).closeSync();
    else accessSync(path, constants.R_OK);
    return { path, isFolder, real: realpathSync(path) };
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw unreadable(name, error);
  }
}

/** The folder that all of these paths are in. */
function commonFolder(paths) {
  const [first, ...rest] = paths.map((path) => dirname(path).split(sep));
  let length = first.length;
  for (const steps of rest) {
    const differs = first.findIndex((step, i) => step !== steps[i]);
    if (differs >= 0) length = Math.min(length, differs);
  }
  return first.slice(0, length).join(sep) || sep;
}

/** A path as people write it. */
function shortPath(path) {
  const home = homedir();
  return path === home || path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}

/** The files below a folder. Links that lead out of it are not followed: they would serve what is not in it. */
function filesBelow({ path, real: root }) {
  const base = root.endsWith(sep) ? root : root + sep;
  return filesOf(path, (real) => real === root || real.startsWith(base));
}

/** A named file as it is now; undefined if it is gone. */
function describe({ path, real }) {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() && { path, real, size: stat.size, modified: Math.floor(stat.mtimeMs) };
}

/** The files that are named, and those below the folders that are. */
function found(given) {
  const files = [];
  const unread = [];
  let total = 0;
  let more = false;
  for (const one of given) {
    const inside = one.isFolder ? filesBelow(one) : { files: [describe(one)].filter(Boolean) };
    files.push(...inside.files);
    unread.push(...(inside.unread ?? []));
    more ||= inside.more ?? false;
    total += "total" in inside ? (inside.total ?? Number.NaN) : inside.files.length;
  }
  const known = Number.isNaN(total) ? undefined : total;
  return {
    files: files.slice(0, MOST_FILES),
    more: more || files.length > MOST_FILES,
    total: known,
    unread,
  };
}

/** An address as the value of a query. */
const asValue = (address) => encodeURIComponent(address).replaceAll("%2F", "/");

/**
 * The runs at these paths. The list is made anew each time it is asked for.
 *
 * @param {string[]} names folders and files
 */
export function openRuns(names) {
  const given = names.map((name) => checkedPath(name));
  const [first] = given;
  const isFolder = given.length === 1 && first.isFolder;
  const paths = given.map(({ path }) => path);
  const root = isFolder ? first.path : commonFolder(paths);
  const name = isFolder ? basename(root) || root : plural(given.length, "file");
  /** The numbers of the paths that were listed since the start: a file keeps its own. */
  const numbers = new Map();
  /** What is listed, by its address. */
  let listed = new Map();

  const addressOf = (path) => {
    if (!numbers.has(path)) numbers.set(path, numbers.size + 1);
    // The page shows the name; what is looked up is the whole address.
    return `files/${numbers.get(path)}/${encodeURIComponent(basename(path).toWellFormed())}`;
  };

  function list() {
    const all = found(given);
    listed = new Map(all.files.map((file) => [addressOf(file.path), file]));
    return all;
  }

  const { files, total, more, unread } = list();
  const isOne = given.length === 1 && !first.isFolder;
  return {
    query: isOne ? `src=${asValue(addressOf(first.path))}` : `runs=${LIST}`,
    /** What was found at the start, for the words of the command. */
    found: { root: shortPath(root), isOne, listed: files.length, total, more, unread },
    /** The text of the list, if this is its address. */
    list(address) {
      if (address !== `/${LIST}`) return undefined;
      const now = list();
      const entries = [...listed].map(([to, { path, size, modified }]) => {
        const below = relative(root, path).split(sep).join("/");
        return { path: below || basename(path), address: to, size, modified };
      });
      const { more, total } = now;
      return JSON.stringify({ name, folder: shortPath(root), more, total, files: entries });
    },
    /** The file at this address, opened, if it is listed and still what it was. The caller closes it. */
    async file(address) {
      const file = listed.get(address.slice(1));
      if (!file || (await fs.realpath(file.path).catch(() => undefined)) !== file.real) {
        return undefined;
      }
      return openReal(file.real);
    },
  };
}

/** What has been a file may be a link or a pipe by now: neither is followed or waited for. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** A plain file with its size; undefined if it is none, or may not be read. */
export async function openReal(path) {
  const handle = await fs.open(path, FLAGS).catch(() => undefined);
  if (!handle) return undefined;
  const stat = await handle.stat();
  if (stat.isFile()) return { handle, size: stat.size };
  await handle.close();
  return undefined;
}
