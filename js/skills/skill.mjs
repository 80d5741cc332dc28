// Skill.parse and Skill.listing.
import { toolsSkillParse, toolsSkillRefused } from "apex-parts:glue";
import { messageOf } from "../tools/errors.mjs";

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

export const Skill = { parse };
