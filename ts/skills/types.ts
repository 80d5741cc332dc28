/** What is read of a `SKILL.md`. */
export interface SkillDocument {
  /** No problem is an error: it may be listed and called. */
  valid: boolean;
  /** Trimmed; "" where there is none. */
  name: string;
  /** Trimmed; "" where there is none. */
  description: string;
  license?: string;
  compatibility?: string;
  /** As written, `Bash(git add:*)`: approved before they are asked for, never all that is allowed. */
  allowedTools: string[];
  /** How its author wants it to run; `auto` where he does not say. */
  mode: "auto" | "direct" | "sandbox";
  /** Values as written: 1.10 stays "1.10". */
  metadata: Record<string, string>;
  /** Every further field, by the core schema of YAML 1.2 (`no` is a text). */
  extra: Record<string, unknown>;
  /** All after the line of the closing fence, unchanged. */
  body: string;
  /** What is wrong; each with its rule (SK-01 …), its place and what to do. */
  problems: Problem[];
}

/** A skill in a folder. */
export interface SkillInfo extends SkillDocument {
  /** The path of its `SKILL.md`. */
  location: string;
  /** Its folder. */
  dir: string;
  /** The root in which it was found. */
  root: string;
  /** What a call of it does. */
  runs: "direct" | "sandbox";
  /** Up to 50 paths of the other files in its folder, relative to it, in order. */
  files: string[];
  /** There are more files than that. */
  filesCut: boolean;
  /** A model may call it, and sees it in the listing. */
  modelInvocable: boolean;
  /** A user may call it by name. */
  userInvocable: boolean;
}

/** Reads and lists skills. */
export namespace Skill {
  /**
   * Reads a `SKILL.md`: text or UTF-8, at most `maxBytes` (1 MiB). Never throws for what is in it; runs nothing of
   * it. `dirName` is the name of its folder; `strict` makes errors of warnings, as the specification's validator.
   * @param markdown - The file.
   * @param options - The name of its folder, and how strict to be.
   * @returns What it says, and what is wrong with it.
   * @example
   * ```ts
   * Skill.parse("---\nname: pdf-tools\ndescription: Reads PDFs\n---\n# Do it\n", { dirName: "pdf-tools" }).valid; // true
   * ```
   */
  function parse(
    markdown: string | Uint8Array,
    options?: { dirName?: string; strict?: boolean; maxBytes?: number },
  ): SkillDocument;
  /**
   * The skills that a model may call, for the description of a tool: at most `maxChars` (8,000) code points of names
   * and descriptions. `cut` says which descriptions were shortened and to what, `nameOnly` which are left out,
   * `hidden` which skills are. `recent` names keep their descriptions longest. The same skills give the same text.
   * @param skills - The skills, as `scanSkills` finds them.
   * @param options - The length in code points, the form, and which were used of late.
   * @returns The text, and what it leaves out.
   * @example
   * ```ts
   * Skill.listing([]).hidden; // []
   * ```
   */
  function listing(
    skills: readonly SkillInfo[],
    options?: { maxChars?: number; style?: "xml" | "markdown"; recent?: readonly string[] },
  ): {
    text: string;
    cut: { name: string; kept: number }[];
    nameOnly: string[];
    hidden: string[];
  };
}
