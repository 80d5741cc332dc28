// Files that somebody may take for skills and that are none, and why: the rules of `scanSkills` seen from the file.
import { readdir, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";

/** How many folders are looked into. */
const MOST_FOLDERS = 5000;
/** How far below a root: farther than skills are found. */
const DEPTH = 9;
/** The default of `scanSkills`. */
const FOUND_TO = 5;

/** Names that are meant to be SKILL.md. */
const LOOKS_LIKE = /^skills?([-_ .]?md)?\.(md|markdown|mdx|txt)$/i;

const FOLDERS = [".apex", ".agents", ".claude", ".opencode"];

const native = (path) => path.replaceAll("/", sep);

async function entriesOf(folder) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

const isMain = (name) => name === "SKILL.md" || name === "skill.md";

/** The files below a root that look like skills, also where none is looked for; links are not followed. */
async function candidates(root) {
  const found = [];
  const waiting = [[root, 0]];
  for (let i = 0; i < waiting.length && i < MOST_FOLDERS; i++) {
    const [folder, depth] = waiting[i];
    for (const entry of await entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isFile() && LOOKS_LIKE.test(entry.name)) found.push(path);
      const isSearched = entry.isDirectory() && depth < DEPTH && entry.name !== ".git";
      if (isSearched) waiting.push([path, depth + 1]);
    }
  }
  return found;
}

/** Why a file below a root is no skill. */
function whyNot(file, root, skills, others) {
  const name = basename(file);
  if (!isMain(name)) return "is not read: the name of the file must be SKILL.md";
  const owner = skills.find(({ dir }) => file.startsWith(native(dir) + sep));
  if (owner) {
    const isBeside = dirname(file) === native(owner.dir);
    return isBeside
      ? "is not read: SKILL.md beside it counts"
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

/** What is directly in a root and holds no skill. */
async function strays(root, found) {
  const entries = await entriesOf(root);
  if (entries.some(({ name }) => isMain(name))) return [];
  const told = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { name } = entry;
    const file = join(root, name);
    if (entry.isFile() && /\.md$/i.test(name) && !/^(readme|changelog|license)/i.test(name)) {
      if (LOOKS_LIKE.test(name)) continue;
      const folder = name.replace(/\.md$/i, "");
      told.push({ file, why: `a skill is a folder: move it to ${folder}/SKILL.md` });
    }
    if (!entry.isDirectory() || name.startsWith(".") || name === "node_modules") continue;
    if (found.some((path) => path.startsWith(file + sep))) continue;
    told.push({ file, why: "there is no SKILL.md in this folder" });
  }
  return told;
}

/** Skills beside the folders in which agents look for them. */
async function beside(roots) {
  const isRoot = new Set(roots.map(({ path }) => native(path)));
  const bases = new Set(roots.map(({ path }) => dirname(dirname(native(path)))));
  const told = [];
  const tell = (file) => told.push({ file, why: "is not in a folder where skills are looked for" });
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
  return told;
}

/** The files and folders that may be taken for skills, that are none, and that no problem names; with the reason. */
export async function missed(roots, { skills, problems, isDefault }) {
  const told = new Map();
  const files = [...skills.map(({ location }) => location), ...problems.map(({ file }) => file)];
  // Also where a link led to them.
  const real = await Promise.all(files.map((file) => realpath(file).catch(() => file)));
  const known = new Set([...files, ...real].map(native));
  for (const { path, isThere } of roots) {
    if (!isThere) continue;
    const root = native(path);
    const found = await candidates(root);
    const others = found.filter((file) => isMain(basename(file)) && known.has(file));
    for (const file of found) {
      if (!known.has(file) && !told.has(file)) told.set(file, whyNot(file, root, skills, others));
    }
    for (const { file, why } of await strays(root, found)) {
      if (!known.has(file) && !told.has(file)) told.set(file, why);
    }
  }
  if (isDefault) {
    for (const { file, why } of await beside(roots)) {
      if (!known.has(file) && !told.has(file)) told.set(file, why);
    }
  }
  return [...told].map(([file, why]) => ({ file, why }));
}
