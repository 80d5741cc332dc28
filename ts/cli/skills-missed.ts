// Files that somebody may take for skills and that are not, and why: the rules of `scanSkills` seen from the file.
import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import type { SkillInfo } from "apex-parts";

/** How many folders are looked into. */
const MOST_FOLDERS = 5000;
/** How far below a root: farther than skills are found. */
const DEPTH = 9;
/** The default of `scanSkills`. */
const FOUND_TO = 5;

/** Names that are meant to be SKILL.md. */
const LOOKS_LIKE = /^skills?([-_ .]?md)?\.(md|markdown|mdx|txt)$/i;

const FOLDERS = [".apex", ".agents", ".claude", ".opencode"];

const native = (path: string) => path.replaceAll("/", sep);

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

const isMain = (name: string) => name === "SKILL.md" || name === "skill.md";

/** The files below a root that look like skills, also where none is looked for; links are not followed. */
async function candidates(root: string): Promise<string[]> {
  const paths: string[] = [];
  const waiting: [folder: string, depth: number][] = [[root, 0]];
  let folders = 0;
  // What is added on the way is visited, too.
  for (const [folder, depth] of waiting) {
    if (++folders > MOST_FOLDERS) break;
    for (const entry of await entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isFile() && LOOKS_LIKE.test(entry.name)) paths.push(path);
      const isSearched = entry.isDirectory() && depth < DEPTH && entry.name !== ".git";
      if (isSearched) waiting.push([path, depth + 1]);
    }
  }
  return paths;
}

/** Why a file below a root is not a skill. */
function whyNot(
  file: string,
  root: string,
  skills: readonly SkillInfo[],
  others: readonly string[],
): string {
  const name = basename(file);
  if (!isMain(name)) return "is not read: the name of the file must be SKILL.md";
  const owner = skills.find(({ dir }) => file.startsWith(native(dir) + sep));
  if (owner) {
    const isBeside = dirname(file) === native(owner.dir);
    return isBeside
      ? "is not read: the SKILL.md beside it is"
      : `is in the folder of the skill ${owner.name}, which is not searched further`;
  }
  const folders = relative(root, dirname(file)).split(sep);
  const skipped = folders.find((folder) => folder === "node_modules" || /^\../.test(folder));
  if (skipped) return `is in ${skipped}, and such folders are not searched`;
  const outer = others.find((other) => file.startsWith(dirname(other) + sep));
  if (outer) return `is in the folder of ${outer}, which is not searched further`;
  if (folders.length > FOUND_TO) return `is more than ${FOUND_TO} folders below ${root}`;
  return "is not among the folders that were searched";
}

/** A file or folder that is not a skill, and why. */
export interface Missed {
  file: string;
  why: string;
}

/** What is directly in a root and holds no skill. */
async function strays(root: string, paths: readonly string[]): Promise<Missed[]> {
  const entries = await entriesOf(root);
  if (entries.some(({ name }) => isMain(name))) return [];
  const list: Missed[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { name } = entry;
    const file = join(root, name);
    if (entry.isFile() && /\.md$/i.test(name) && !/^(readme|changelog|license)/i.test(name)) {
      if (LOOKS_LIKE.test(name)) continue;
      const folder = name.replace(/\.md$/i, "");
      list.push({ file, why: `a skill is a folder: move it to ${folder}/SKILL.md` });
    }
    if (!entry.isDirectory() || name.startsWith(".") || name === "node_modules") continue;
    if (paths.some((path) => path.startsWith(file + sep))) continue;
    list.push({ file, why: "this folder has no SKILL.md" });
  }
  return list;
}

/** Skills beside the folders in which agents look for them. */
async function beside(roots: readonly Root[]): Promise<Missed[]> {
  const isRoot = new Set(roots.map(({ path }) => native(path)));
  const bases = new Set(roots.map(({ path }) => dirname(dirname(native(path)))));
  const list: Missed[] = [];
  const tell = (file: string) =>
    list.push({ file, why: "is not in a folder that is searched for skills" });
  for (const base of bases) {
    const own = FOLDERS.map((folder) => join(base, folder));
    const entries = await entriesOf(base);
    const dots = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith("."));
    const folders = [
      ...(base === process.cwd() ? [base] : []),
      ...["skill", "skills"].map((name) => join(base, name)),
      ...own,
      ...dots.flatMap(({ name }) => ["skill", "skills"].map((last) => join(base, name, last))),
    ];
    for (const folder of new Set(folders)) {
      if (isRoot.has(folder)) continue;
      for (const entry of (await entriesOf(folder)).slice(0, 1000)) {
        const path = join(folder, entry.name);
        if (entry.isFile() && isMain(entry.name)) tell(path);
        if (!entry.isDirectory() || isRoot.has(path) || entry.name === "node_modules") continue;
        const main = (await entriesOf(path)).find(({ name }) => isMain(name));
        if (main) tell(join(path, main.name));
      }
    }
  }
  return list;
}

/** A root, and whether it is there. */
export interface Root {
  path: string;
  isThere: boolean;
}

/** What `scanSkills` gave, and whether its roots were the default ones. */
interface Scanned {
  skills: readonly SkillInfo[];
  problems: readonly { file: string }[];
  isDefault: boolean;
}

/** The files and folders that may be taken for skills, are not, and that no problem names; with the reason. */
export async function missed(
  roots: readonly Root[],
  { skills, problems, isDefault }: Scanned,
): Promise<Missed[]> {
  const reasons = new Map<string, string>();
  const files = [...skills.map(({ location }) => location), ...problems.map(({ file }) => file)];
  // Also where a link led to them.
  const real = await Promise.all(files.map((file) => realpath(file).catch(() => file)));
  const reported = new Set([...files, ...real].map(native));
  for (const { path, isThere } of roots) {
    if (!isThere) continue;
    const root = native(path);
    const paths = await candidates(root);
    const others = paths.filter((file) => isMain(basename(file)) && reported.has(file));
    for (const file of paths) {
      if (!reported.has(file) && !reasons.has(file))
        reasons.set(file, whyNot(file, root, skills, others));
    }
    for (const { file, why } of await strays(root, paths)) {
      if (!reported.has(file) && !reasons.has(file)) reasons.set(file, why);
    }
  }
  if (isDefault) {
    for (const { file, why } of await beside(roots)) {
      if (!reported.has(file) && !reasons.has(file)) reasons.set(file, why);
    }
  }
  return [...reasons].map(([file, why]) => ({ file, why }));
}
