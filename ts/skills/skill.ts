// Skill.parse and Skill.listing.
import { toolsSkillListing, toolsSkillParse, toolsSkillRefused } from "apex-parts:glue";
import { guarded, invalid } from "../tools/boundary.ts";
import { messageOf } from "../tools/errors.ts";

const MAX_BYTES = 1 << 20;
const sameName = (a, b) => a.normalize("NFC") === b.normalize("NFC");
const LONE = /\p{Surrogate}/u;

function readOptions(options) {
  const { dirName, strict, maxBytes } = options ?? {};
  return {
    dirName: typeof dirName === "string" ? dirName : undefined,
    strict: strict === true,
    maxBytes: typeof maxBytes === "number" && maxBytes >= 0 ? maxBytes : MAX_BYTES,
  };
}

/** Reads a SKILL.md. What cannot be read is a document with a problem: nothing is thrown. */
function parse(markdown, options) {
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
      return toolsSkillRefused(
        "the text holds half of a character (a lone surrogate), which UTF-8 cannot",
      );
    }
    return toolsSkillParse(markdown, dirName, strict, maxBytes, sameName);
  } catch (error) {
    return toolsSkillRefused(`it cannot be read: ${messageOf(error) || "reading it threw"}`);
  }
}

const MAX_CHARS = 8000;
const textOf = (value) => (typeof value === "string" ? value : "");
const listOf = (value) => (Array.isArray(value) ? value : []);

/** A model may see it: it can be used, and its author does not forbid it. */
const isListed = (skill) =>
  skill.valid !== false &&
  skill.modelInvocable !== false &&
  skill.extra?.["disable-model-invocation"] !== true;

/** The skills for the description of a tool. */
const listing = guarded((skills, options) => {
  if (!Array.isArray(skills)) throw invalid("Skill.listing takes a list of skills");
  const names = [];
  const descriptions = [];
  for (const skill of skills) {
    if (typeof skill?.name !== "string" || skill.name === "") {
      throw invalid("Skill.listing takes skills, each with a name: this is not one");
    }
    if (!isListed(skill)) continue;
    names.push(skill.name);
    descriptions.push(textOf(skill.description));
  }
  const { maxChars, style, recent } = options ?? {};
  const most = typeof maxChars === "number" && maxChars >= 0 ? maxChars : MAX_CHARS;
  const known = listOf(recent).filter((name) => typeof name === "string");
  return toolsSkillListing(names, descriptions, most, style === "markdown", known);
});

export const Skill = { parse, listing };
