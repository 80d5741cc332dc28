// What rules say of a text of bash: of each of its commands, in all spellings, and of what cannot be known.
import { toolsShellTexts } from "apex-parts:glue";
import { lastRule, match, unruled } from "./rules.mjs";

const BASH = "bash";
const BEYOND_LIMITS = 2;
const nothingApproved = () => false;

const decided = (text, rulesets) =>
  lastRule(BASH, text, rulesets) ?? { rule: unruled(BASH), place: -1 };

const concerning = (rulesets) =>
  rulesets.flat().filter((rule) => rule && match(BASH, rule.permission));

/** Whether everything of bash is allowed by the pattern `*`, and nothing is denied. */
function isAllAllowed(rulesets, isApproved) {
  const rules = concerning(rulesets);
  if (rules.some(({ action }) => action === "deny")) return false;
  const last = rules.at(-1);
  return (last?.pattern === "*" && last.action === "allow") || isApproved(BASH, undefined);
}

/** The rule that asks about a text, unless that was approved. */
function asks(text, rulesets, isApproved) {
  const { rule } = decided(text, rulesets);
  return rule.action !== "allow" && !isApproved(BASH, text) ? rule : undefined;
}

/** The rule that asks about what a word may be: one behind the rule of the text itself. */
function asksOpen(open, place, rulesets) {
  for (const text of open) {
    const last = lastRule(BASH, text, rulesets, true);
    if (last !== undefined && last.rule.action !== "allow" && last.place > place) {
      return { ...last.rule, action: "ask" };
    }
  }
  return undefined;
}

/** What rules say of the spellings of a command, of which the first is its text: what denies, and what asks. */
function spelled([own, , spellings, open], rulesets, isApproved) {
  let place;
  let asking;
  for (const text of spellings) {
    const { rule, place: at } = decided(text, rulesets);
    if (rule.action === "deny") return { denial: rule };
    place ??= at;
    // An earlier rule than that of the text itself is overruled by it.
    if (rule.action === "ask" && at > place && !isApproved(BASH, text)) asking ??= rule;
  }
  if (own === undefined || isApproved(BASH, own)) return {};
  return { asking: asking ?? asksOpen(open, place, rulesets) };
}

/**
 * What rules say of a text: `action`, the `rule` that decides it, whether it is `opaque`, in `asked` the texts of
 * commands that are not allowed, and the `text` of one that is denied. `isApproved(permission, text)` turns a
 * question into an allowance.
 */
export function shellVerdict(command, rulesets, isApproved = nothingApproved) {
  const lists = toolsShellTexts(command);
  const whole = lists.at(-1);
  const opaque = whole[4] > 0;
  const asked = new Map();
  const denied = (rule, text) => ({ action: "deny", rule, opaque, asked, text });
  const found = lists.map((list) => spelled(list, rulesets, isApproved));
  const at = found.findIndex(({ denial }) => denial !== undefined);
  if (at >= 0) return denied(found[at].denial, lists[at][0] ?? command);
  if (whole[4] === BEYOND_LIMITS) {
    const denial = concerning(rulesets).findLast(({ action }) => action === "deny");
    if (denial) return denied(denial, command);
  }
  // Nothing runs, as in a comment: what is asked is what the text says.
  if (lists.length === 1 && !opaque) {
    const rule = asks(command, rulesets, isApproved);
    if (rule !== undefined) asked.set(command, rule);
  }
  let isAllFree;
  for (const [i, [own, inner, , , how]] of lists.entries()) {
    let rule;
    for (const text of own === undefined ? inner : [own, ...inner]) {
      rule ??= asks(text, rulesets, isApproved);
    }
    // What is no command is denied, but not asked.
    if (i < lists.length - 1) rule ??= found[i].asking;
    if (rule === undefined && how > 0) {
      isAllFree ??= isAllAllowed(rulesets, isApproved);
      if (!isAllFree) rule = unruled(BASH);
    }
    if (rule !== undefined && !asked.has(own ?? command)) asked.set(own ?? command, rule);
  }
  const [first] = asked.values();
  if (first !== undefined) return { action: "ask", rule: first, opaque, asked };
  // The rule that allows the first command that is asked; what is never asked needs none.
  const own = lists.find(([text]) => text !== undefined)?.[0] ?? command;
  const { rule } = decided(own, rulesets);
  const allowing = { permission: BASH, pattern: own, action: "allow" };
  return { action: "allow", rule: rule.action === "allow" ? rule : allowing, opaque, asked };
}
