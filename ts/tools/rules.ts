// Rules of permissions, compiled once for each ruleset and again where it was changed.

import {
  type Permission,
  type ShellReason,
  ToolsPermissions,
  ToolsRules,
  toolsExpandHome,
  toolsMatch,
} from "apex-parts:glue";
import { invalid } from "./boundary.ts";
import type { CommandLine } from "./context.ts";
import { name2Of, nameOf, namesOf } from "./permission-names.ts";
import { urlPattern, urlText } from "./urls.ts";

const MOST_RULES = 1_000_000;

/** Compiled rules, and the strings of which they were made, three a rule. */
interface Compiled {
  rules: ToolsRules;
  strings: unknown[];
  /** The same rules and no approvals, for requests that have no other ruleset. */
  alone?: ToolsPermissions;
}

/** For each ruleset its compiled rules. */
const compiled = /* @__PURE__ */ new WeakMap<Permission.Ruleset, Compiled>();

/** What approvals and rules have: a permission, and a pattern of what it is for. */
type Pattern = Pick<Permission.Rule, "permission" | "pattern">;

let cachedWebNames: string[] | undefined;

/** The names of the permission for URLs. The module is asked once: every evaluation needs them. */
function webNames(): string[] {
  cachedWebNames ??= namesOf("webfetch");
  return cachedWebNames;
}

/** Whether a permission is one whose patterns are URLs. */
const isWeb = (permission: string) => webNames().includes(permission);

/** The pattern of a rule as it is compared: that of URLs as these are written. */
function compared(permission: unknown, pattern: unknown) {
  if (typeof pattern !== "string" || !pattern.includes(":")) return pattern;
  const isForUrls =
    typeof permission === "string" &&
    webNames().some((name) => toolsMatch(name, permission, false));
  return isForUrls ? urlPattern(pattern) : pattern;
}

/** Whether a string matches a wildcard, both of a permission. */
export const matchOf = (permission: string, text: string, wildcard: string): boolean =>
  isWeb(permission)
    ? toolsMatch(urlPattern(text), urlPattern(wildcard), false)
    : match(text, wildcard);

function isCurrent({ strings }: Compiled, ruleset: Permission.Ruleset) {
  if (strings.length !== ruleset.length * 3) return false;
  let at = 0;
  for (const rule of ruleset) {
    if (rule.permission !== strings[at++] || rule.pattern !== strings[at++]) return false;
    if (rule.action !== strings[at++]) return false;
  }
  return true;
}

function compile(ruleset: Permission.Ruleset): Compiled {
  const rules = new ToolsRules();
  const strings: unknown[] = [];
  for (const rule of ruleset as unknown[]) {
    // A cast: what a caller gives as a rule may be anything.
    const { permission, pattern, action } = (rule ?? {}) as Partial<Permission.Rule>;
    if (strings.length >= MOST_RULES * 3)
      throw invalid(`a ruleset can have at most ${MOST_RULES} rules`);
    if (!rules.add(permission, compared(permission, pattern), action)) {
      rules.free();
      throw invalid(
        `rule ${strings.length / 3} does not have a permission and a pattern, both strings, and the action allow, deny or ask`,
      );
    }
    strings.push(permission, pattern, action);
  }
  return { rules, strings };
}

function compiledOf(ruleset: Permission.Ruleset): Compiled {
  if (!Array.isArray(ruleset)) throw invalid("a ruleset must be an array of rules");
  const cached = compiled.get(ruleset);
  if (cached && isCurrent(cached, ruleset)) return cached;
  cached?.rules.free();
  cached?.alone?.free();
  compiled.delete(ruleset);
  const own = compile(ruleset);
  compiled.set(ruleset, own);
  return own;
}

const rulesOf = (ruleset: Permission.Ruleset) => compiledOf(ruleset).rules;

/** The rules of one ruleset, for a request without approvals. */
function aloneOf(ruleset: Permission.Ruleset): ToolsPermissions {
  const own = compiledOf(ruleset);
  if (own.alone === undefined) {
    own.alone = new ToolsPermissions();
    own.alone.add(own.rules);
  }
  return own.alone;
}

/** What holds where no rule matches. */
const unruled = (permission: string): Permission.Rule => ({
  permission,
  pattern: "*",
  action: "ask",
});

/** The result of `run` with all rules, and the approvals that hold for them. */
function withPermissions<Result>(
  rulesets: Permission.Ruleset[],
  approved: Pattern[],
  run: (permissions: ToolsPermissions) => Result,
): Result {
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

/** The rulesets that a caller has: a list of them may have holes. */
const withoutHoles = (rulesets: (Permission.Ruleset | undefined)[]) =>
  rulesets.filter((ruleset) => ruleset !== undefined);

/** What rules and approvals say of patterns. */
export interface Decision {
  /** The pattern or the command that rules deny. */
  denied?: string | undefined;
  /** The patterns that need a reply; none if all are allowed. */
  asked: string[];
}

/**
 * What rules and approvals say of patterns. `whole` is the bash command line that contains the commands; some
 * of it is never asked.
 */
export function decide(
  permission: string,
  patterns: string[],
  rulesets: Permission.Ruleset[],
  approved: Pattern[] = [],
  whole?: CommandLine,
): Decision {
  if (patterns.length > 0) checkStrings(permission, ...patterns);
  const compare = isWeb(permission) ? urlText : (pattern: string) => pattern;
  const decision = withPermissions(withoutHoles(rulesets), approved, (permissions) => {
    if (whole?.variables) permissions.within(whole.variables);
    return permissions.decide(permission, patterns.map(compare), whole?.text);
  });
  if (typeof decision === "string") return { denied: decision, asked: [] };
  if (typeof decision === "number") return { denied: patterns[decision], asked: [] };
  const asked = decision.map((index) => (index < 0 ? whole?.text : patterns[index]));
  return { asked: asked.filter((pattern) => pattern !== undefined) };
}

/** What the rules say about a bash command. */
export interface ShellDecision {
  action: Permission.Action;
  /** The rule that decides. */
  rule: Permission.Rule;
  opaque: boolean;
  /** The commands that would be asked. */
  asked: string[];
}

/** What the rules say about a bash command. */
export function shellVerdict(
  { text, variables }: CommandLine,
  rulesets: Permission.Ruleset[],
): ShellDecision {
  const own = withoutHoles(rulesets);
  const [action, reason, opaque, asked] = withPermissions(own, [], (permissions) => {
    if (variables) permissions.within(variables);
    return permissions.shell(text);
  });
  return { action, rule: ruleOf(reason, own), opaque, asked };
}

/** The rule of a reason, as the module writes it. */
function ruleOf(reason: ShellReason, rulesets: Permission.Ruleset[]): Permission.Rule {
  if (typeof reason === "string") return { permission: "bash", pattern: reason, action: "allow" };
  if (reason < 0) return unruled("bash");
  const place = Math.floor(reason / 2);
  const index = place % RULES_OF_ONE;
  const rule = rulesets[(place - index) / RULES_OF_ONE]?.[index];
  if (rule === undefined) return unruled("bash");
  return reason % 2 === MAY_MATCH ? { ...rule, action: "ask" } : rule;
}

/** By how much the number of a rule grows with its ruleset, and with a match that is not sure: as in src/wasm/api/tools.rs. */
const RULES_OF_ONE = 2 ** 20;
const MAY_MATCH = 1;

/** The rule that decides about a bash command line. */
export function shellRule(
  text: string,
  rulesets: (Permission.Ruleset | undefined)[],
): Permission.Rule {
  checkStrings(text);
  const own = withoutHoles(rulesets);
  const [first] = own;
  const isOne = own.length === 1 && first !== undefined;
  const reason = isOne
    ? aloneOf(first).reason(text)
    : withPermissions(own, [], (permissions) => permissions.reason(text));
  return ruleOf(reason, own);
}

function checkStrings(...values: unknown[]) {
  if (values.some((value) => typeof value !== "string")) {
    throw invalid("a permission and a pattern must be strings");
  }
}

/** The last rule of all rulesets, laid end to end, that matches; asks if none does. */
export function evaluate(
  permission: string,
  pattern: string,
  ...rulesets: (Permission.Ruleset | undefined)[]
): Permission.Rule {
  checkStrings(permission, pattern);
  const text = isWeb(permission) ? urlText(pattern) : pattern;
  const own = nameOf(permission);
  for (const ruleset of withoutHoles(rulesets).reverse()) {
    const rules = rulesOf(ruleset);
    const last = rules.last(permission, text);
    const rule = ruleset[own === permission ? last : Math.max(last, rules.last(own, text))];
    if (rule !== undefined) return rule;
  }
  return unruled(own);
}

/** The same for what a bash command reads or writes: where that is not known, what all rules say that may decide. */
export function evaluateTarget(
  permission: string,
  pattern: string,
  rulesets: Permission.Ruleset[],
): Permission.Rule {
  const rule = evaluate(permission, pattern, ...rulesets);
  const { denied, asked } = decide(permission, [pattern], rulesets);
  return { ...rule, action: denied !== undefined ? "deny" : asked.length > 0 ? "ask" : "allow" };
}

/** The tools that are off: the last rule that names their permission denies everything. */
export function disabled(tools: string[], ruleset: Permission.Ruleset): Set<string> {
  const rules = rulesOf(ruleset);
  return new Set([...tools].filter((tool) => typeof tool === "string" && rules.isOff(tool)));
}

/** Whether a string matches a wildcard. */
export function match(text: string, wildcard: string, options?: { windows?: boolean }): boolean {
  if (typeof text !== "string" || typeof wildcard !== "string") {
    throw invalid("a text and a wildcard must be strings");
  }
  return toolsMatch(text, wildcard, options?.windows === true);
}

function homeOf(options: { home?: string } | undefined) {
  if (typeof options?.home === "string") return options.home;
  // In Node, where the caller does not say it.
  const environment = globalThis.process?.env;
  return environment?.HOME ?? environment?.USERPROFILE;
}

/** The resources of rules that were given with `~` or `$HOME`, each with the pattern that came of it. */
const written = /* @__PURE__ */ new WeakMap<
  Permission.Rule,
  { pattern: string; resource: string }
>();

/** The rules of a configuration, in its order; an action alone is that of the pattern `*`. */
export function fromConfig(
  config:
    | Record<string, Permission.Action | Record<string, Permission.Action>>
    | readonly Permission.Rule2[],
  options?: { home?: string },
): Permission.Ruleset {
  const home = homeOf(options);
  const ruleset: Permission.Ruleset = [];
  const add = (permission: string, resource: string, action: Permission.Action) => {
    if (!["allow", "deny", "ask"].includes(action)) {
      throw invalid(`the permission ${permission} has an action that is not allow, deny or ask`);
    }
    const pattern = home === undefined ? resource : toolsExpandHome(resource, home);
    const rule = { permission, pattern, action };
    if (pattern !== resource) written.set(rule, { pattern, resource });
    ruleset.push(rule);
  };
  if (Array.isArray(config)) {
    for (const [at, one] of config.entries()) {
      // A cast: what a caller gives as a rule may be anything.
      const { action, resource, effect } = (one ?? {}) as Partial<Permission.Rule2>;
      if (typeof action !== "string" || typeof resource !== "string" || effect === undefined) {
        throw invalid(
          `the permission ${at} does not have an action and a resource, both strings, and the effect allow, deny or ask`,
        );
      }
      add(nameOf(action), resource, effect);
    }
    return ruleset;
  }
  // A cast: that an array is none of these, TypeScript does not tell of one that is readonly.
  const own = config as Record<string, Permission.Action | Record<string, Permission.Action>>;
  for (const [permission, value] of Object.entries(own ?? {})) {
    if (typeof value === "string") add(permission, "*", value);
    else
      for (const [pattern, action] of Object.entries(value ?? {})) add(permission, pattern, action);
  }
  return ruleset;
}

/** The same as OpenCode 2 has it. */
export function toConfig2(rules: Permission.Ruleset): Permission.Rule2[] {
  // As when they decide: what is no rule is an error.
  compiledOf(rules);
  return rules.map((rule) => {
    const { permission, pattern, action } = rule;
    const given = written.get(rule);
    const resource = given?.pattern === pattern ? given.resource : pattern;
    return { action: name2Of(permission), resource, effect: action };
  });
}

/** Rulesets laid end to end. */
export const merge = (...rulesets: Permission.Ruleset[]): Permission.Ruleset => rulesets.flat();
