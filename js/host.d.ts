// The types of `apex-parts/node`: the host of the built-in tools on a machine, and folders of skills.
import type { Problem } from "./index.js";
import type { Host, SkillInfo, Tool } from "./tools.js";

export type * from "./tools.js";

/**
 * A host with the real file system, shell and network; every option replaces what it would have.
 * @param options - Members in place of those of the machine; `directory` is by default the working directory of the process.
 * @returns The host.
 * @example
 * ```ts
 * import { nodeHost } from "apex-parts/node";
 *
 * typeof nodeHost({ directory: "/tmp" }).fs.read; // "function"
 * ```
 */
export function nodeHost(options?: Partial<Host>): Host;
/**
 * The built-in tools over `nodeHost(options)`.
 * @param options - As of `nodeHost`.
 * @returns The tools, for `ToolRegistry.register`.
 * @example
 * ```ts
 * import { builtinTools } from "apex-parts/node";
 *
 * builtinTools({ directory: "/tmp" }).some(({ id }) => id === "bash"); // true
 * ```
 */
export function builtinTools(options?: Partial<Host>): Tool.Info[];

/** A folder of folders of skills. */
export interface SkillRoot {
  /** `~/` at its front is the home directory. */
  path: string;
  /** Whose skills they are; `custom` by default. */
  scope?: "project" | "user" | "custom";
  /** Skills with `scripts/execute.js` run it; by default only in custom roots. */
  execute?: boolean;
}

/** Limits of a search for skills. */
export interface ScanOptions {
  /** How many folders below a root; 5 by default. */
  maxDepth?: number;
  /** 2,000 by default. */
  maxDirs?: number;
  /** 500 by default. */
  maxSkills?: number;
  /** As `strict` of `Skill.parse`. */
  strict?: boolean;
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
export function scanSkills(
  roots: readonly (string | SkillRoot)[],
  options?: ScanOptions,
): Promise<{ skills: SkillInfo[]; problems: (Problem & { file: string })[] }>;

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
}): SkillRoot[];

/** How a skill's script runs. A guard against mistakes, not a prison for hostile code: docs/skills.md. */
export interface SandboxOptions {
  /** In milliseconds; 60,000 by default. */
  timeout?: number;
  /** 256 by default. */
  memoryMB?: number;
  /** Of stdout and of stderr; 1 MiB by default. */
  maxOutputBytes?: number;
  /** The variables that it gets; `["PATH"]` by default. */
  env?: readonly string[];
  /** Folders that it may write to beside its workspace. */
  allowWrite?: readonly string[];
  /** Uses the permission model of Node, true by default; a Node without one is an error then. */
  permission?: boolean;
  /** Where workspaces are made; the system's folder for temporary files by default. */
  workspaceRoot?: string;
  /** How many run at once; 3 by default. */
  maxConcurrent?: number;
}

/** How the tool `skill` lists skills and runs scripts. */
export interface SkillToolOptions {
  /** Of the listing in the description; 8,000 code points by default. */
  maxChars?: number;
  /** Whether the folder's files are named around the instructions; `auto`: when there are any. */
  wrap?: "auto" | "always" | "never";
  /** `false`: no script runs. */
  sandbox?: SandboxOptions | false;
  /**
   * Is told the name of each skill that was loaded.
   * @param name - The name of the skill.
   */
  onLoad?(name: string): void;
}

/**
 * The tool `skill`, which gives a model the instructions of a skill, or runs its script.
 * @param skills - Gives the skills; asked before each call.
 * @param options - The length of the listing, and how scripts run.
 * @returns The tool, for `ToolRegistry.register`.
 * @example
 * ```ts
 * import { skillTool } from "apex-parts/node";
 *
 * skillTool(() => []).id; // "skill"
 * ```
 */
export function skillTool(
  skills: () => readonly SkillInfo[],
  options?: SkillToolOptions,
): Tool.Info;
