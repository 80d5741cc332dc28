// The folders in which skills are looked for.
import { existsSync } from "node:fs";
import type { SkillRoot } from "../types.ts";
import { invalid, reading } from "./errors.ts";
import { absolute, at, isInside } from "./places.ts";

type DefaultRoots = Parameters<typeof defaultSkillRoots>[0];

/** A root in which skills are looked for. */
export interface Root {
  path: string;
  scope: NonNullable<SkillRoot["scope"]>;
  mayExecute: boolean;
}

/** Where agents keep skills, below a project or the home directory. */
const FOLDERS = [
  ".apex/skills",
  ".agents/skills",
  ".claude/skills",
  ".opencode/skill",
  ".opencode/skills",
];

const parentOf = (path: string) => absolute(at(path, ".."));

/** The folders from `cwd` upward to `stopAt`, both included; `cwd` alone if `stopAt` is not above it. */
function upward(cwd: string, stopAt: string): string[] {
  if (!isInside(cwd, stopAt)) return [cwd];
  const folders = [cwd];
  for (let folder = cwd; folder !== stopAt; ) {
    folder = parentOf(folder);
    folders.push(folder);
  }
  return folders;
}

/** The nearest folder with `.git`, which a work tree and a submodule have as a file; `cwd` if there is none. */
function projectOf(cwd: string): string {
  for (let folder = cwd; ; ) {
    if (existsSync(at(folder, ".git"))) return folder;
    const parent = parentOf(folder);
    if (parent === folder) return cwd;
    folder = parent;
  }
}

function folderOption(options: DefaultRoots, name: "cwd" | "home" | "stopAt"): string {
  const value = options?.[name];
  if (typeof value !== "string" || value === "") {
    throw invalid(`defaultSkillRoots needs ${name}, a path`);
  }
  return absolute(value);
}

/**
 * The roots that agents use: `.apex/skills`, `.agents/skills`, `.claude/skills`, `.opencode/{skill,skills}` from
 * `cwd` upward to `stopAt` (by default the nearest folder with `.git`, else `cwd` alone), then below `home`. Those of
 * the project only with `trustProject`: the skills of a cloned repository are instructions from strangers.
 * @param options - Absolute paths, and whether the project is trusted.
 * @returns The roots, in the order of their precedence.
 * @example
 * ```ts
 * import { defaultSkillRoots } from "apex-parts/node";
 *
 * defaultSkillRoots({ cwd: "/work", home: "/home/me", trustProject: false }).length > 0; // true
 * ```
 */
export function defaultSkillRoots(options: {
  cwd: string;
  home: string;
  stopAt?: string;
  trustProject: boolean;
}): SkillRoot[] {
  return reading(() => {
    const cwd = folderOption(options, "cwd");
    const home = folderOption(options, "home");
    const { stopAt, trustProject } = options;
    const top = stopAt === undefined ? projectOf(cwd) : folderOption(options, "stopAt");
    // Nothing but `true` means that somebody trusts it.
    const project = trustProject === true ? upward(cwd, top) : [];
    const roots = new Map<string, SkillRoot>();
    const scopes: [scope: SkillRoot["scope"], folders: string[]][] = [
      ["project", project],
      ["user", [home]],
    ];
    for (const [scope, folders] of scopes) {
      for (const path of folders.flatMap((folder) => FOLDERS.map((name) => at(folder, name)))) {
        if (!roots.has(path)) roots.set(path, { path, scope });
      }
    }
    return [...roots.values()];
  });
}

function rootOf(given: string | SkillRoot): Root {
  const {
    path,
    scope = "custom",
    execute,
  }: SkillRoot = typeof given === "string" ? { path: given } : given;
  if (typeof path !== "string" || path === "") throw invalid("a root of skills must have a path");
  if (!["custom", "project", "user"].includes(scope)) {
    throw invalid(`the scope of a root must be custom, project or user, not ${String(scope)}`);
  }
  // Skills that were written for other agents have scripts that are meant to be run by hand, or not at all.
  const mayExecute = execute === undefined ? scope === "custom" : execute === true;
  return { path: absolute(path), scope, mayExecute };
}

/** The roots as they were given to `scanSkills`. */
export function rootsOf(given: readonly (string | SkillRoot)[]): Root[] {
  return reading(() => {
    if (!Array.isArray(given)) throw invalid("scanSkills needs a list of roots");
    return given.map((root) => {
      if (root === null || root === undefined) throw invalid("a root of skills must have a path");
      return rootOf(root);
    });
  });
}
