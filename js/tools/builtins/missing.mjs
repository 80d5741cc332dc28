// What a model is told of a file that is not there: names that are near to the one it gave.
import { toolsNearest } from "apex-parts:glue";
import { Expected } from "../expected.mjs";
import { located, nameOf, parentOf } from "./paths.mjs";

const MOST_NAMES = 3;
/** The most entries of a directory that are compared. */
const MOST_ENTRIES = 10_000;

async function entriesOf({ fs }, path) {
  try {
    return (await fs.readdir(path)).slice(0, MOST_ENTRIES);
  } catch {
    return [];
  }
}

/** The entries of a directory, as paths below the one by which the model knows it. */
async function candidates(host, directory, real) {
  const entries = await entriesOf(host, real);
  return entries.map(({ name, kind }) => ({
    name,
    isDirectory: kind === "directory",
    path: directory === "/" ? `/${name}` : `${directory}/${name}`,
  }));
}

/** The directories one level up, unless they are outside: nobody was asked for those. */
async function directoriesAbove(host, directory) {
  const above = await located(host, parentOf(directory));
  if (above.isOutside || above.path === directory) return [];
  const all = await candidates(host, above.path, above.real);
  return all.filter(({ isDirectory, path }) => isDirectory && path !== directory);
}

/** The candidates whose names are nearest to one, the nearest first. */
function nearest(wanted, found) {
  const indexes = toolsNearest(
    wanted,
    found.map(({ name }) => name),
    MOST_NAMES,
  );
  return [...indexes].map((index) => found[index]);
}

/** Where the same name is in directories that are named nearly as the missing one. */
async function inNearDirectories(host, path) {
  const directory = parentOf(path);
  const near = nearest(nameOf(directory), await directoriesAbove(host, directory));
  const found = [];
  for (const { path: other } of near) {
    const there = await located(host, `${other}/${nameOf(path)}`);
    if (there.isOutside) continue;
    found.push(there.exists ? there.path : `${other}/`);
  }
  return found;
}

async function nearPaths(host, { path, real }) {
  const directory = parentOf(path);
  const parent = await located(host, directory);
  if (!parent.exists) return inNearDirectories(host, path);
  // A link that leads to nothing: what is beside the link counts, not what is beside its target.
  const beside = await candidates(host, directory, parent.real);
  const others = beside.filter((entry) => entry.path !== path && entry.path !== real);
  const found = nearest(nameOf(path), [...others, ...(await directoriesAbove(host, directory))]);
  return found.map((entry) => (entry.isDirectory ? `${entry.path}/` : entry.path));
}

/** The first file on the way to a path, where a directory must be. */
async function fileOnTheWay({ fs }, path) {
  for (let at = parentOf(path); ; at = parentOf(at)) {
    try {
      return (await fs.stat(at)).kind === "directory" ? undefined : at;
    } catch {
      if (parentOf(at) === at) return undefined;
    }
  }
}

/** The error for a place where nothing is. */
export async function missing(host, place) {
  const file = await fileOnTheWay(host, place.path);
  if (file !== undefined) return new Expected(`${place.path}: ${file} is a file, not a directory.`);
  const near = await nearPaths(host, place);
  const hint = near.length === 0 ? "" : ` Near names:\n${near.join("\n")}`;
  return new Expected(`There is no file ${place.path}.${hint}`);
}
