/**
 * Serves a list of runs for the viewer: the files below a folder that can be transcripts, or several files. Only what
 * the list names is served, and only while it is what it was when it was listed.
 */
import { promises as fs, statSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { filesOf } from "../js/cli/folder-files.mjs";
import { MOST_FILES } from "../js/cli/transcript-files.mjs";

const LIST = "/runs/list.json";
const FILES = "/runs/files/";

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

/** The files below a folder. Links that lead out of it are not followed: they would serve what is not in it. */
async function filesBelow(folder) {
  const root = await fs.realpath(folder);
  const base = root.endsWith(sep) ? root : root + sep;
  return filesOf(folder, (real) => real === root || real.startsWith(base));
}

/** The files that are named, and those below the folders that are. */
async function found(paths) {
  const files = [];
  let more = false;
  for (const path of paths) {
    const { isDirectory, size, mtimeMs } = describe(path);
    if (isDirectory) {
      const inside = await filesBelow(path);
      files.push(...inside.files);
      more ||= inside.more;
    } else if (size !== undefined) {
      files.push({ path, real: await fs.realpath(path), size, modified: Math.floor(mtimeMs) });
    }
  }
  return { files: files.slice(0, MOST_FILES), more: more || files.length > MOST_FILES };
}

function describe(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return { isDirectory: true };
  return stat?.isFile() ? { size: stat.size, mtimeMs: stat.mtimeMs } : {};
}

/**
 * A list of the runs at these paths, which is made anew each time it is asked for.
 *
 * @param {string[]} paths folders and files
 */
export async function listable(paths) {
  const all = paths.map((path) => resolve(path));
  for (const [i, path] of all.entries()) {
    const { isDirectory, size } = describe(path);
    if (!isDirectory && size === undefined) throw new Error(`There is no file ${paths[i]}.`);
  }
  const [folder] = all;
  const isFolder = all.length === 1 && describe(folder).isDirectory === true;
  const root = isFolder ? folder : commonFolder(all);
  const name = isFolder ? basename(folder) || folder : `${all.length} files`;
  /** What is listed, by its path below `root`. */
  let listed = new Map();

  async function list() {
    const { files, more } = await found(all);
    const next = new Map();
    for (const file of files) next.set(relative(root, file.path).split(sep).join("/"), file);
    listed = next;
    const entries = [...next].map(([path, { size, modified }]) => {
      const address = `files/${path.split("/").map(encodeURIComponent).join("/")}`;
      return { path, address, size, modified };
    });
    return JSON.stringify({ name, more, files: entries });
  }

  await list();
  return {
    query: `?runs=${LIST.slice(1)}`,
    /** The text of the list, if this is its address. */
    list: (path) => (path === LIST ? list() : undefined),
    /** The file at this address, if it is listed and still what it was. */
    async file(path) {
      const file = path.startsWith(FILES) ? listed.get(path.slice(FILES.length)) : undefined;
      const real = file && (await fs.realpath(file.path).catch(() => undefined));
      return file !== undefined && real === file.real ? real : undefined;
    },
  };
}
