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
import type { FileHandle } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, relative, resolve, sep } from "node:path";
import type { FilesBelow, FoundFile } from "../folder-files.ts";
import { filesOf } from "../folder-files.ts";
import { CliError, unreadable } from "../output.ts";
import { MOST_FILES } from "../transcript-files.ts";
import { plural } from "../units.ts";

const LIST = "list.json";

/** A file or folder that was named, with its path without links. */
interface NamedPath {
  path: string;
  isFolder: boolean;
  real: string;
}

/** What was found at the start, for the words of the command. */
export interface Served {
  root: string;
  isOne: boolean;
  listed: number;
  total: number | undefined;
  more: boolean;
  unread: string[];
}

/** A plain file that is open, with its size. */
export interface OpenFile {
  handle: FileHandle;
  size: number;
}

/** The runs that the server has. */
export interface Runs {
  /** The query with which the page opens them. */
  query: string;
  found: Served;
  /** The text of the list, if this is its address. */
  list(address: string): string | undefined;
  /** The file at this address, opened, if it is listed and still what it was. The caller closes it. */
  file(address: string): Promise<OpenFile | undefined>;
}

/** A file or folder that was named; throws why it cannot be shown, in one sentence. */
export function checkedPath(
  name: string,
  { isFile = false }: { isFile?: boolean } = {},
): NamedPath {
  if (name === "-") {
    throw new CliError(
      "-: the viewer reads files, not standard input; save it, and name the file",
      2,
    );
  }
  const path = resolve(name);
  try {
    const stat = statSync(path);
    const isFolder = stat.isDirectory();
    if (isFolder && isFile) throw new CliError(`${name}: it is a folder, not a file`, 2);
    if (!isFolder && !stat.isFile()) {
      throw new CliError(
        `${name}: it is not a file or folder, but a device, a pipe or a socket`,
        2,
      );
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
function commonFolder(paths: readonly string[]): string {
  const [first = [], ...rest] = paths.map((path) => dirname(path).split(sep));
  let length = first.length;
  for (const steps of rest) {
    const differs = first.findIndex((step, i) => step !== steps[i]);
    if (differs >= 0) length = Math.min(length, differs);
  }
  return first.slice(0, length).join(sep) || sep;
}

/** A path as people write it. */
function shortPath(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path;
}

/** The files below a folder. Links that lead out of it are not followed: they would serve what is not in it. */
function filesBelow({ path, real: root }: NamedPath): FilesBelow {
  const base = root.endsWith(sep) ? root : root + sep;
  return filesOf(path, (real) => real === root || real.startsWith(base));
}

/** A named file as it is now; undefined if it is gone. */
function describe({ path, real }: NamedPath): FoundFile | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) return undefined;
  return { path, real, size: stat.size, modified: Math.floor(stat.mtimeMs) };
}

/** The files that are named, and those below the folders that are. */
function filesAt(given: readonly NamedPath[]): FilesBelow {
  const files: FoundFile[] = [];
  const unread: string[] = [];
  /** Undefined once a folder could not be counted. */
  let total: number | undefined = 0;
  let more = false;
  for (const one of given) {
    if (one.isFolder) {
      const inside = filesBelow(one);
      files.push(...inside.files);
      unread.push(...inside.unread);
      more ||= inside.more;
      total = total === undefined || inside.total === undefined ? undefined : total + inside.total;
    } else {
      const file = describe(one);
      if (!file) continue;
      files.push(file);
      if (total !== undefined) total++;
    }
  }
  return {
    files: files.slice(0, MOST_FILES),
    more: more || files.length > MOST_FILES,
    total,
    unread,
  };
}

/** An address as the value of a query. */
const asValue = (address: string) => encodeURIComponent(address).replaceAll("%2F", "/");

/** The runs at these paths of folders and files. The list is read again for each request. */
export function openRuns(names: readonly string[]): Runs {
  const inputs = names.map((name) => checkedPath(name));
  /** The only path, if there is one. */
  const only = inputs.length === 1 ? inputs[0] : undefined;
  const isFolder = only?.isFolder === true;
  const root = isFolder ? only.path : commonFolder(inputs.map(({ path }) => path));
  const name = isFolder ? basename(root) || root : plural(inputs.length, "file");
  /** The numbers of the paths that were listed since the start: a file keeps its own. */
  const numbers = new Map<string, number>();
  /** What is listed, by its address. */
  let listed = new Map<string, FoundFile>();

  const addressOf = (path: string) => {
    if (!numbers.has(path)) numbers.set(path, numbers.size + 1);
    // The page shows the name; what is looked up is the whole address.
    return `files/${numbers.get(path)}/${encodeURIComponent(basename(path).toWellFormed())}`;
  };

  function list(): FilesBelow {
    const all = filesAt(inputs);
    listed = new Map(all.files.map((file) => [addressOf(file.path), file]));
    return all;
  }

  const { files, total, more, unread } = list();
  const isOne = only !== undefined && !isFolder;
  return {
    query: isOne ? `src=${asValue(addressOf(only.path))}` : `runs=${LIST}`,
    found: { root: shortPath(root), isOne, listed: files.length, total, more, unread },
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

/** A plain file with its size; undefined if it is something else, or may not be read. */
export async function openReal(path: string): Promise<OpenFile | undefined> {
  const handle = await fs.open(path, FLAGS).catch(() => undefined);
  if (!handle) return undefined;
  const stat = await handle.stat();
  if (stat.isFile()) return { handle, size: stat.size };
  await handle.close();
  return undefined;
}
