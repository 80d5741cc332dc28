// What a model is told of a file that is not there: names that are near to the one it gave.
import { toolsNearest } from "apex-parts:glue";
import { Expected } from "../expected.ts";
import { sameAs } from "./content.ts";
import { below, located, nameOf, type Place, parentOf } from "./paths.ts";
import type { FileSystem, Host } from "./types.ts";

type Where = Pick<Place, "path" | "real">;

const MOST_NAMES = 3;
/** The most entries of a directory that are compared. */
const MOST_ENTRIES = 10_000;
/** The most directories in which a name is looked for. */
const MOST_DIRECTORIES = 100;

/** The entries of a directory that are compared; none if it cannot be listed. */
export async function entriesOf({ fs }: Host, path: string): ReturnType<FileSystem["readdir"]> {
  try {
    return (await fs.readdir(path, sameAs(await fs.stat(path)))).slice(0, MOST_ENTRIES);
  } catch {
    return [];
  }
}

/** What may be meant. */
interface Candidate {
  name: string;
  isDirectory: boolean;
  path: string;
}

/** The entries of a directory, as paths below the one by which the model knows it. */
async function candidates(host: Host, directory: string, real: string): Promise<Candidate[]> {
  const entries = await entriesOf(host, real);
  return entries.map(({ name, kind }) => ({
    name,
    isDirectory: kind === "directory",
    path: below(directory, name),
  }));
}

/** The directories one level up, unless they are outside: nobody was asked for those. */
async function directoriesAbove(host: Host, directory: string) {
  const above = await located(host, parentOf(directory));
  if (above.isOutside || above.path === directory) return [];
  const all = await candidates(host, above.path, above.real);
  return all.filter(({ isDirectory, path }) => isDirectory && path !== directory);
}

/** The candidates whose names are nearest to one, the nearest first: those that have it are elsewhere. */
function nearest(wanted: string, all: Candidate[]) {
  const same = all.filter(({ name }) => name === wanted);
  const names = all.map(({ name }) => name);
  const near = [...toolsNearest(wanted, names, MOST_NAMES)].flatMap((index) => all[index] ?? []);
  return [...same, ...near].slice(0, MOST_NAMES);
}

/** Where the path may be if the name of its directory is wrong: in those beside that, the nearest ones first. */
async function inOtherDirectories(host: Host, path: string) {
  const directory = parentOf(path);
  const beside = (await directoriesAbove(host, directory)).slice(0, MOST_DIRECTORIES);
  const near = nearest(nameOf(directory), beside);
  const paths: string[] = [];
  for (const other of [...near, ...beside.filter((entry) => !near.includes(entry))]) {
    const there = await located(host, `${other.path}/${nameOf(path)}`);
    if (there.isOutside) continue;
    if (there.exists) paths.push(there.path);
    else if (near.includes(other)) paths.push(`${other.path}/`);
  }
  return paths.slice(0, MOST_NAMES);
}

async function nearPaths(host: Host, { path, real }: Where) {
  const directory = parentOf(path);
  const parent = await located(host, directory);
  if (!parent.exists) return inOtherDirectories(host, path);
  const others = await directoriesAbove(host, directory);
  // What is beside a link outside may not be listed because the link leads inside.
  if (!parent.isOutside || parent.real === parentOf(real)) {
    others.unshift(...(await candidates(host, directory, parent.real)));
  }
  // A link that leads to nothing is an entry, too.
  const beside = others.filter((entry) => entry.path !== path && entry.path !== real);
  return nearest(nameOf(path), beside).map((entry) =>
    entry.isDirectory ? `${entry.path}/` : entry.path,
  );
}

/** The first file on the way to a path, where a directory must be. */
async function fileOnTheWay({ fs }: Host, path: string) {
  for (let at = parentOf(path); ; at = parentOf(at)) {
    try {
      return (await fs.stat(at)).kind === "directory" ? undefined : at;
    } catch {
      if (parentOf(at) === at) return undefined;
    }
  }
}

/** The error for a place where nothing is. */
export async function missing(host: Host, place: Where): Promise<Expected> {
  const file = await fileOnTheWay(host, place.path);
  if (file !== undefined) return new Expected(`${place.path}: ${file} is a file, not a directory.`);
  const near = await nearPaths(host, place);
  const hint = near.length === 0 ? "" : ` Near names:\n${near.join("\n")}`;
  return new Expected(`There is no file ${place.path}.${hint}`);
}
