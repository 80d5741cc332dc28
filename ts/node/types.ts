// The types of the host in Node and of folders of skills.

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
