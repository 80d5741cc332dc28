// The types of skills.
import type { Problem } from "apex-parts:glue";

/** A value of frontmatter. */
export type SkillValue =
  | null
  | boolean
  | number
  | string
  | SkillValue[]
  | { [field: string]: SkillValue };

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
  /**
   * Every field of the frontmatter as it stands there, by the core schema of YAML 1.2: numbers, booleans, lists and maps
   * as such, nothing trimmed or left out. Empty if the frontmatter cannot be read.
   */
  data: Record<string, SkillValue>;
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
