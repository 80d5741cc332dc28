// Skill.parse and Skill.listing.
import { toolsSkillListing, toolsSkillParse, toolsSkillRefused } from "apex-parts:glue";
import { guarded, invalid } from "../tools/boundary.ts";
import { messageOf } from "../tools/errors.ts";
import type { SkillDocument, SkillInfo } from "./types.ts";

const MAX_BYTES = 1 << 20;
const sameName = (a: string, b: string) => a.normalize("NFC") === b.normalize("NFC");
const LONE = /\p{Surrogate}/u;

/** How a `SKILL.md` is read. */
type ParseOptions = Parameters<typeof Skill.parse>[1];

function readOptions(options: ParseOptions) {
  const { dirName, strict, maxBytes } = options ?? {};
  return {
    dirName: typeof dirName === "string" ? dirName : undefined,
    strict: strict === true,
    maxBytes: typeof maxBytes === "number" && maxBytes >= 0 ? maxBytes : MAX_BYTES,
  };
}

/** Reads a SKILL.md. What cannot be read is a document with a problem: nothing is thrown. */
function parse(markdown: string | Uint8Array, options?: ParseOptions): SkillDocument {
  try {
    const { dirName, strict, maxBytes } = readOptions(options);
    // Before it is copied: its bytes are at least as many as these.
    const size = typeof markdown === "string" ? markdown.length : (markdown?.byteLength ?? 0);
    if (size > maxBytes) {
      return toolsSkillRefused(
        `the file has more than ${maxBytes} bytes, and no more are read: move text to other files`,
      );
    }
    if (typeof markdown === "string" && LONE.test(markdown)) {
      return toolsSkillRefused("the text contains a lone surrogate, which UTF-8 cannot represent");
    }
    return toolsSkillParse(markdown, dirName, strict, maxBytes, sameName);
  } catch (error) {
    return toolsSkillRefused(`it cannot be read: ${messageOf(error) || "reading it threw"}`);
  }
}

const MAX_CHARS = 8000;
const textOf = (value: unknown) => (typeof value === "string" ? value : "");
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A model may see it: it can be used, and its author does not forbid it. */
const isListed = (skill: SkillInfo) =>
  skill.valid !== false &&
  skill.modelInvocable !== false &&
  skill.extra?.["disable-model-invocation"] !== true;

/** The skills for the description of a tool. */
const listing: typeof Skill.listing = guarded((skills, options) => {
  if (!Array.isArray(skills)) throw invalid("Skill.listing needs a list of skills");
  const names: string[] = [];
  const descriptions: string[] = [];
  for (const skill of skills) {
    if (typeof skill?.name !== "string" || skill.name === "") {
      throw invalid("Skill.listing needs skills, each with a name: this is not one");
    }
    if (!isListed(skill)) continue;
    names.push(skill.name);
    descriptions.push(textOf(skill.description));
  }
  const { maxChars, style, recent } = options ?? {};
  const most = typeof maxChars === "number" && maxChars >= 0 ? maxChars : MAX_CHARS;
  const recentNames = listOf(recent).filter((name) => typeof name === "string");
  return toolsSkillListing(names, descriptions, most, style === "markdown", recentNames);
});

/** Reads and lists skills. */
export const Skill: {
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
  parse(
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
  listing(
    skills: readonly SkillInfo[],
    options?: { maxChars?: number; style?: "xml" | "markdown"; recent?: readonly string[] },
  ): {
    text: string;
    cut: { name: string; kept: number }[];
    nameOnly: string[];
    hidden: string[];
  };
} = { parse, listing };
