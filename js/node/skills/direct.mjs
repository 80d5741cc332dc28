// Direct mode: the instructions of a skill as a text for the model.

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** A name inside the markup: on one line, and without a character that would end it. */
const escaped = (text) =>
  text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").replace(/[&<>"]/g, (c) => ENTITIES[c]);

/**
 * The body of a skill; `wrap` says whether the folder and its files are named around it: `always`, `never`, or
 * `auto`, if it has any.
 */
export function directText({ name, body, dir, files, filesCut }, wrap) {
  const text = body.trim() === "" ? "(this skill has no instructions)" : body.trim();
  if (wrap === "never" || (wrap === "auto" && files.length === 0)) return text;
  const lines = [
    `<skill_content name="${escaped(name)}">`,
    text,
    "",
    `Skill directory: ${dir}`,
    "Paths are relative to it.",
  ];
  if (files.length > 0) {
    lines.push("<skill_files>", ...files.map((file) => `<file>${escaped(file)}</file>`));
    if (filesCut) lines.push(`(the first ${files.length}: there are more)`);
    lines.push("</skill_files>");
  }
  return [...lines, "</skill_content>"].join("\n");
}
