// scanSkills: the folders below roots that hold a `SKILL.md`, and what is in them.
import type { Problem } from "apex-parts:glue";
import { Skill, type SkillDocument, type SkillInfo } from "apex-parts:tools";
import type { Dirent } from "node:fs";
import fs from "node:fs/promises";
import { problem } from "../../problem.ts";
import { type Failure, slashed } from "../file-identity.ts";
import type { ScanOptions, SkillRoot } from "../types.ts";
import { reading, wholeNumber } from "./errors.ts";
import { entriesIn, filesOf, followed, isSkipped, scriptIn } from "./folder.ts";
import { nameKey } from "./names.ts";
import { at, baseName, byCodeUnits, whyUnreadable } from "./places.ts";
import { type Root, rootsOf } from "./roots.ts";
import { readSkillFile } from "./skill-file.ts";

/** A root, and where it really is. */
type RealRoot = Root & { real: string };
/** A folder of a root, and where it really is. */
interface Folder {
  dir: string;
  real: string;
  depth: number;
}
/** A folder with a skill; `main` is the name of its file. */
type Place = Omit<Folder, "depth"> & { main: string };
type FileProblem = Problem & { file: string };
/** A search of one root. */
interface State {
  root: RealRoot;
  found: Place[];
  links: Omit<Folder, "real">[];
  tooDeep: string[];
  visited: Set<string>;
}

/** How many files are read at once. */
const AT_ONCE = 16;
/** How many of what a limit leaves out are named. */
const MOST_NAMED = 10;

const NAMES = ["SKILL.md", "skill.md"];

/** `a, b and 3 more` */
function some(list: string[]): string {
  const named = list.slice(0, MOST_NAMED).join(", ");
  return list.length > MOST_NAMED ? `${named} and ${list.length - MOST_NAMED} more` : named;
}

/** The parts of a path below a root, so that a folder comes before what is in it, and before those after it. */
function byPath(a: Place, b: Place): number {
  const [first, second] = [a.dir.split("/"), b.dir.split("/")];
  for (let i = 0; i < Math.min(first.length, second.length); i++) {
    const order = byCodeUnits(first[i] ?? "", second[i] ?? "");
    if (order !== 0) return order;
  }
  return first.length - second.length;
}

/** Whether a field of the frontmatter says this; a quoted one says the same. */
const says = (value: unknown, wanted: string) => String(value).toLowerCase() === wanted;

class Scan {
  #limits: Required<ScanOptions>;
  #dirs = 0;
  /** The real folders of the skills, and of the roots, that were looked at. */
  #seen = new Set<string>();
  #byName = new Map<string, string>();
  skills: SkillInfo[] = [];
  problems: FileProblem[] = [];

  constructor(limits: Required<ScanOptions>) {
    this.#limits = limits;
  }

  #tell(severity: Problem["severity"], rule: string, file: string, message: string): void {
    this.problems.push({ ...problem(severity, rule, message), file });
  }

  #onLink = (path: string, why: string): void =>
    this.#tell("warning", "SK-23", path, `${why}; it is not followed`);

  #onUnreadable = (path: string, error: unknown): void =>
    this.#tell("error", "SK-21", path, `cannot be read: ${whyUnreadable(error)}`);

  async search(root: Root): Promise<void> {
    let real: string;
    try {
      real = slashed(await fs.realpath(root.path));
    } catch (error) {
      // Most of the folders that agents use are not there.
      if ((error as Failure).code !== "ENOENT" || root.scope === "custom")
        this.#onUnreadable(root.path, error);
      return;
    }
    if (this.#seen.has(`root ${real}`)) return;
    this.#seen.add(`root ${real}`);
    const skills = await this.#find({ ...root, real });
    await this.#readAll({ ...root, real }, skills.sort(byPath));
  }

  // ── Folders ───────────────────────────────────────────────────────────────────────────────────

  /** The folders with a skill: first all that are there themselves, then those that only links lead to. */
  async #find(root: RealRoot): Promise<Place[]> {
    const { maxDirs, maxDepth } = this.#limits;
    const state: State = { root, found: [], links: [], tooDeep: [], visited: new Set([root.real]) };
    let waiting: Folder[] = [{ dir: root.path, real: root.real, depth: 0 }];
    while (waiting.length > 0 || state.links.length > 0) {
      if (waiting.length === 0) waiting = await this.#followOne(state);
      // Level by level: where a limit is reached, it is the deepest folders that are left.
      for (const [i, folder] of waiting.entries()) {
        if (this.#dirs >= maxDirs) {
          const left = waiting.slice(i).map(({ dir }) => dir);
          const why = `the limit of ${maxDirs} folders (maxDirs) is reached`;
          const links = state.links.map(({ dir }) => dir);
          this.#tell(
            "warning",
            "SK-22",
            root.path,
            `${why}; not searched: ${some([...left, ...links])}`,
          );
          return state.found;
        }
        this.#dirs++;
        waiting.push(...(await this.#look(folder, state)));
      }
      waiting = [];
    }
    if (state.tooDeep.length > 0) {
      const why = `these folders are more than ${maxDepth} below the root (maxDepth)`;
      this.#tell("warning", "SK-22", root.path, `${why} and not searched: ${some(state.tooDeep)}`);
    }
    return state.found;
  }

  /** The folder to which the first link leads, unless it was searched. */
  async #followOne({ root, links, visited, tooDeep }: State): Promise<Folder[]> {
    const link = links.shift();
    if (link === undefined) return [];
    const { dir, depth } = link;
    const target = await followed(dir, root.real, this.#onLink);
    if (!target?.isFolder || visited.has(target.real)) return [];
    if (depth > this.#limits.maxDepth) {
      tooDeep.push(dir);
      return [];
    }
    visited.add(target.real);
    return [{ dir, real: target.real, depth }];
  }

  /** Looks into a folder; gives those below that are searched next. */
  async #look({ dir, real, depth }: Folder, state: State): Promise<Folder[]> {
    let entries: Dirent[];
    try {
      entries = await entriesIn(real);
    } catch (error) {
      this.#onUnreadable(dir, error);
      return [];
    }
    const main = NAMES.find((wanted) => entries.some(({ name }) => name === wanted));
    if (main !== undefined) {
      state.found.push({ dir, real, main });
      return [];
    }
    const next: Folder[] = [];
    for (const entry of entries) {
      const { name } = entry;
      const path = at(dir, name);
      if (/^skill\.md$/i.test(name)) {
        const why = `is not read: the name of the file must be SKILL.md, not ${name}`;
        this.#tell("warning", "SK-19", path, why);
      }
      if (isSkipped(name)) continue;
      if (entry.isSymbolicLink()) {
        state.links.push({ dir: path, depth: depth + 1 });
      } else if (!entry.isDirectory() || state.visited.has(at(real, name))) {
      } else if (depth === this.#limits.maxDepth) {
        state.tooDeep.push(path);
      } else {
        state.visited.add(at(real, name));
        next.push({ dir: path, real: at(real, name), depth: depth + 1 });
      }
    }
    return next;
  }

  // ── Files ─────────────────────────────────────────────────────────────────────────────────────

  async #readAll(root: RealRoot, found: Place[]): Promise<void> {
    for (let i = 0; i < found.length; i += AT_ONCE) {
      const { maxSkills } = this.#limits;
      if (this.skills.length >= maxSkills) {
        const left = found.slice(i).map(({ dir, main }) => at(dir, main));
        this.#tellTooMany(root, left);
        return;
      }
      // A skill in two roots, one of which is in the other, is one skill.
      const batch = found.slice(i, i + AT_ONCE).filter(({ real }) => !this.#seen.has(real));
      const read = await Promise.all(batch.map((place) => this.#read(root, place)));
      for (const [n, { place, info, problems }] of read.entries()) {
        if (this.skills.length >= maxSkills) {
          const left = [...batch.slice(n), ...found.slice(i + AT_ONCE)];
          this.#tellTooMany(
            root,
            left.map(({ dir, main }) => at(dir, main)),
          );
          return;
        }
        this.#seen.add(place.real);
        this.problems.push(...problems);
        if (info?.valid) this.#add(info);
      }
    }
  }

  #tellTooMany(root: Root, left: string[]): void {
    const why = `the limit of ${this.#limits.maxSkills} skills (maxSkills) is reached`;
    this.#tell("warning", "SK-22", root.path, `${why}; left out: ${some(left)}`);
  }

  #add(info: SkillInfo): void {
    const { name, location } = info;
    const first = this.#byName.get(nameKey(name));
    if (first !== undefined) {
      const why = `another skill with the name ${name} comes first: ${first}; ${location} is left out`;
      this.#tell("warning", "SK-20", location, why);
      return;
    }
    this.#byName.set(nameKey(name), location);
    this.skills.push(info);
  }

  /** Reads one skill: its facts, and what is wrong with it. */
  async #read(
    root: RealRoot,
    place: Place,
  ): Promise<{ place: Place; info?: SkillInfo; problems: FileProblem[] }> {
    const { dir, real, main } = place;
    const location = at(dir, main);
    // Its problems come with it, in the order of the skills, whichever file is read first.
    const own = new Scan(this.#limits);
    const { problems } = own;
    if (main !== NAMES[0]) {
      own.#tell(
        "warning",
        "SK-19",
        location,
        `the name of the file should be SKILL.md, not ${main}`,
      );
    }
    let document: SkillDocument;
    try {
      const bytes = await readSkillFile(location, root.real);
      document = Skill.parse(bytes, { dirName: baseName(dir), strict: this.#limits.strict });
    } catch (error) {
      // What Node throws, or this package.
      const { code, message } = error as Failure;
      if (code === "EXDEV") own.#tell("warning", "SK-23", location, message.slice(7));
      else own.#onUnreadable(location, error);
      return { place, problems };
    }
    problems.push(...document.problems.map((problem) => ({ ...problem, file: location })));
    if (!document.valid) return { place, problems };
    const { files, filesCut } = await filesOf({
      ...{ dir, realDir: real, main, realRoot: root.real },
      ...{ onLink: own.#onLink, onUnreadable: own.#onUnreadable },
    });
    const script = root.mayExecute && document.mode !== "direct" ? await scriptIn(real) : undefined;
    const info: SkillInfo = {
      ...document,
      ...{ location, dir, root: root.path },
      runs: script === undefined ? "direct" : "sandbox",
      ...{ files, filesCut },
      modelInvocable: !says(document.extra["disable-model-invocation"], "true"),
      userInvocable: !says(document.extra["user-invocable"], "false"),
    };
    return { place, info, problems };
  }
}

/**
 * Finds the skills below these roots, which are in the order of their precedence: of two skills with one name the
 * first counts. Every file that is left out, and every limit that was reached, is in `problems`.
 * @param roots - Folders, or their paths.
 * @param options - Limits of the search.
 * @returns The skills, and what is wrong with the others.
 * @example
 * ```ts
 * import { scanSkills } from "apex-parts/node";
 *
 * const { skills } = await scanSkills([]);
 * skills; // []
 * ```
 */
export async function scanSkills(
  roots: readonly (string | SkillRoot)[],
  options?: ScanOptions,
): Promise<{ skills: SkillInfo[]; problems: (Problem & { file: string })[] }> {
  const [given, limits] = reading((): [Root[], Required<ScanOptions>] => {
    const { maxDepth, maxDirs, maxSkills, strict } = options ?? {};
    return [
      rootsOf(roots),
      {
        maxDepth: wholeNumber(maxDepth, 5),
        maxDirs: wholeNumber(maxDirs, 2000),
        maxSkills: wholeNumber(maxSkills, 500),
        strict: strict === true,
      },
    ];
  });
  const scan = new Scan(limits);
  for (const root of given) await scan.search(root);
  return { skills: scan.skills, problems: scan.problems };
}
