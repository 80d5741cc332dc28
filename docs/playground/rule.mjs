// Links from the code of a rule to its section in the documentation, which is built beside the playground.
import { made } from "./elements.mjs";

/** The headings of the page of rules have the ids that GitHub gives them. */
const anchorOf = (code) => code.toLowerCase().replace(/[^a-z0-9_-]/g, "");

/** The address of what the documentation says of a rule, from the playground. */
export const ruleAddress = (code) => `../documents/rules.html#${anchorOf(code)}`;

/** The code as a link. It opens beside the playground: what was pasted there is nowhere else. */
export function ruleLink(code) {
  const link = made("a", "rule", code);
  link.href = ruleAddress(code);
  link.target = "_blank";
  link.rel = "noopener";
  link.title = `What ${code} says, an example and the cure (a new tab)`;
  return link;
}
