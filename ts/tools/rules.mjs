// Rules of permissions, compiled once for each ruleset and again where it was changed.

import { ToolsPermissions, ToolsRules, toolsExpandHome, toolsMatch } from "apex-parts:glue";
import { invalid } from "./boundary.ts";
import { namesOf } from "./permission-names.ts";
import { urlPattern, urlText } from "./urls.ts";

const MOST_RULES = 1_000_000;

/** For each ruleset the compiled rules and the texts of which they were made. */
const compiled = /* @__PURE__ */ new WeakMap();

const WEB = /* @__PURE__ */ namesOf("webfetch");

/** Whether a permission is one whose patterns are URLs. */
const isWeb = (permission) => WEB.includes(permission);

/** The pattern of a rule as it is compared: that of URLs as these are written. */
function compared(permission, pattern) {
  if (typeof pattern !== "string" || !pattern.includes(":")) return pattern;
  const isForUrls =
    typeof permission === "string" && WEB.some((name) => toolsMatch(name, permission, false));
  return isForUrls ? urlPattern(pattern) : pattern;
}

/** Whether a text matches a wildcard, both of a permission. */
export const matchOf = (permission, text, wildcard) =>
  isWeb(permission)
    ? toolsMatch(urlPattern(text), urlPattern(wildcard), false)
    : match(text, wildcard);

function isCurrent({ texts }, ruleset) {
  if (texts.length !== ruleset.length * 3) return false;
  for (let i = 0, at = 0; i < ruleset.length; i++) {
    const rule = ruleset[i];
    if (rule.permission !== texts[at++] || rule.pattern !== texts[at++]) return false;
    if (rule.action !== texts[at++]) return false;
  }
  return true;
}

function compile(ruleset) {
  const rules = new ToolsRules();
  const texts = [];
  for (const rule of ruleset) {
    const { permission, pattern, action } = rule ?? {};
    if (texts.length >= MOST_RULES * 3) throw invalid(`a ruleset has at most ${MOST_RULES} rules`);
    if (!rules.add(permission, compared(permission, pattern), action)) {
      rules.free();
      throw invalid(
        `rule ${texts.length / 3} does not have a permission and a pattern, both texts, and the action allow, deny or ask`,
      );
    }
    texts.push(permission, pattern, action);
  }
  return { rules, texts };
}

function rulesOf(ruleset) {
  if (!Array.isArray(ruleset)) throw invalid("a ruleset is an array of rules");
  const known = compiled.get(ruleset);
  if (known && isCurrent(known, ruleset)) return known.rules;
  known?.rules.free();
  compiled.delete(ruleset);
  const made = compile(ruleset);
  compiled.set(ruleset, made);
  return made.rules;
}

/** What holds where no rule matches. */
const unruled = (permission) => ({ permission, pattern: "*", action: "ask" });

/** The result of `run` with all rules, and the approvals that hold for them. */
function withPermissions(rulesets, approved, run) {
  const permissions = new ToolsPermissions();
  try {
    for (const ruleset of rulesets) permissions.add(rulesOf(ruleset));
    for (const { permission, pattern } of approved) {
      permissions.approve(permission, isWeb(permission) ? urlPattern(pattern) : pattern);
    }
    return run(permissions);
  } finally {
    permissions.free();
  }
}

const given = (rulesets) => rulesets.filter((ruleset) => ruleset !== undefined);

/**
 * What rules and approvals say of patterns: `denied` is the pattern or the command that rules deny, `asked` are the
 * patterns that need a reply, none if all are allowed. `whole` is the text of bash whose commands the patterns are: in
 * it is also what is never asked.
 */
export function decide(permission, patterns, rulesets, approved = [], whole = undefined) {
  if (patterns.length > 0) checkTexts(permission, ...patterns);
  const compare = isWeb(permission) ? urlText : (pattern) => pattern;
  const decision = withPermissions(given(rulesets), approved, (permissions) =>
    permissions.decide(permission, patterns.map(compare), whole),
  );
  if (typeof decision === "string") return { denied: decision, asked: [] };
  if (typeof decision === "number") return { denied: patterns[decision], asked: [] };
  return { asked: decision.map((index) => (index < 0 ? whole : patterns[index])) };
}

/** What rules say of a text of bash: `action`, the `rule` that decides, whether it is `opaque`, and the texts `asked`. */
export function shellVerdict(command, rulesets) {
  const own = given(rulesets);
  const [action, reason, opaque, asked] = withPermissions(own, [], (permissions) =>
    permissions.shell(command),
  );
  return { action, rule: ruleOf(reason, own), opaque, asked: asked.filter((_, i) => i % 2 === 0) };
}

/** The rule of a reason, as the module writes it. */
function ruleOf(reason, rulesets) {
  if (typeof reason === "string") return { permission: "bash", pattern: reason, action: "allow" };
  const [kind, ruleset, index] = reason;
  if (kind === NO_RULE) return unruled("bash");
  const rule = rulesets[ruleset][index];
  return kind === MAY_MATCH ? { ...rule, action: "ask" } : rule;
}

/** The kinds of reasons, as in src/wasm/api/tools.rs. */
const MAY_MATCH = 1;
const NO_RULE = 2;

function checkTexts(...texts) {
  if (texts.some((text) => typeof text !== "string")) {
    throw invalid("a permission and a pattern are texts");
  }
}

/** The last rule of all rulesets, laid end to end, that matches; asks if none does. */
export function evaluate(permission, pattern, ...rulesets) {
  checkTexts(permission, pattern);
  const text = isWeb(permission) ? urlText(pattern) : pattern;
  for (const ruleset of given(rulesets).reverse()) {
    const index = rulesOf(ruleset).last(permission, text);
    if (index >= 0) return ruleset[index];
  }
  return unruled(permission);
}

/** The tools that are off: the last rule that names their permission denies everything. */
export function disabled(tools, ruleset) {
  const rules = rulesOf(ruleset);
  return new Set([...tools].filter((tool) => typeof tool === "string" && rules.isOff(tool)));
}

/** Whether a text matches a wildcard. */
export function match(text, wildcard, options) {
  if (typeof text !== "string" || typeof wildcard !== "string") {
    throw invalid("a text and a wildcard are texts");
  }
  return toolsMatch(text, wildcard, options?.windows === true);
}

function homeOf(options) {
  if (typeof options?.home === "string") return options.home;
  // In Node, where the caller does not say it.
  const environment = globalThis.process?.env;
  return environment?.HOME ?? environment?.USERPROFILE;
}

/** The rules of a configuration, in the order of its keys; an action alone is that of the pattern `*`. */
export function fromConfig(config, options) {
  const home = homeOf(options);
  const ruleset = [];
  const add = (permission, pattern, action) => {
    if (!["allow", "deny", "ask"].includes(action)) {
      throw invalid(`the permission ${permission} has an action that is not allow, deny or ask`);
    }
    const expanded = home === undefined ? pattern : toolsExpandHome(pattern, home);
    ruleset.push({ permission, pattern: expanded, action });
  };
  for (const [permission, value] of Object.entries(config ?? {})) {
    if (typeof value === "string") add(permission, "*", value);
    else
      for (const [pattern, action] of Object.entries(value ?? {})) add(permission, pattern, action);
  }
  return ruleset;
}

/** Rulesets laid end to end. */
export const merge = (...rulesets) => rulesets.flat();
