// Permission: rules, what a bash command asks for, and the gate at which requests wait for a reply.
import { type ShellReading, toolsShell } from "apex-parts:glue";
import { guarded, invalid } from "./boundary.ts";
import { variablesOf } from "./context.ts";
import { Gate } from "./gate.ts";
import { nameOf } from "./permission-names.ts";
import {
  disabled,
  evaluate as evaluatePlain,
  evaluateTarget,
  fromConfig,
  match,
  merge,
  shellRule,
  shellVerdict,
  toConfig2,
} from "./rules.ts";

const SURE = ["allow", "ask", "deny"];

/** Where a bash command would run. */
interface ShellPlace {
  cwd: string;
  home: string;
  isInside(path: string): boolean;
  environment?: Record<string, string | undefined>;
}

/** The names of the variables that the shell has, if its environment was given. */
function given({ environment }: ShellPlace): string[] | undefined {
  if (environment === undefined) return undefined;
  if (typeof environment !== "object" || environment === null) {
    throw invalid("the environment must be an object");
  }
  return variablesOf(environment);
}

function read(command: string, options: ShellPlace): ShellReading {
  const { cwd, home, isInside } = options;
  if ([command, cwd, home].some((text) => typeof text !== "string")) {
    throw invalid("a command, cwd and home must be strings");
  }
  if (typeof isInside !== "function") throw invalid("isInside must be a function");
  return toolsShell(command, cwd, home, isInside, given(options));
}

function shellRequest(command: string, options: ShellPlace): Permission.ShellRequest {
  const { patterns, always, dirs, opaque, commands } = read(command, options);
  // What only the bash tool needs is not given.
  return { patterns, always, dirs, opaque, commands: commands.map(({ opaque, ...rest }) => rest) };
}

/** For bash the strictest rule of everything in the command; otherwise the last rule that matches. */
function evaluate(
  permission: string,
  pattern: string,
  ...rulesets: Permission.Ruleset[]
): Permission.Rule {
  return nameOf(permission) === "bash"
    ? shellRule(pattern, rulesets)
    : evaluatePlain(permission, pattern, ...rulesets);
}

/** A path as patterns of `edit` name it, `..` resolved by its letters. */
function seenFrom(cwd: string, path: string) {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  const root = path.startsWith("/") ? "/" : "";
  const whole = path === "*" ? path : root + names.join("/");
  const base = cwd.endsWith("/") ? cwd : `${cwd}/`;
  return whole.startsWith(base) ? whole.slice(base.length) : whole;
}

function evaluateShell(
  command: string,
  options: ShellPlace,
  ...rulesets: Permission.Ruleset[]
): Permission.ShellVerdict {
  const { dirs, writes, reads } = read(command, options);
  const line = { text: command, variables: given(options) };
  const { action, rule, opaque, asked } = shellVerdict(line, rulesets);
  let strictest = { action, rule };
  const asks: Permission.ShellVerdict["asks"] = [];
  const add = (permission: string, pattern: string, spellings = [pattern]) => {
    const rules = spellings.map((text) => evaluateTarget(permission, text, rulesets));
    const sure = (rule: Permission.Rule) => SURE.indexOf(rule.action);
    const decisive = rules.reduce((most, rule) => (sure(rule) > sure(most) ? rule : most));
    if (decisive.action === "ask") asks.push({ permission, pattern });
    if (sure(decisive) > SURE.indexOf(strictest.action)) {
      strictest = { action: decisive.action, rule: decisive };
    }
  };
  // It may be a folder: the tool asks for all that is in it.
  for (const path of dirs) {
    add("external_directory", path, path === "*" ? [path] : [path, `${path}/*`]);
  }
  for (const path of writes) add("edit", seenFrom(options.cwd, path));
  for (const path of reads) {
    const name = seenFrom(options.cwd, path);
    const rule = evaluatePlain("read", name, ...rulesets);
    // A word without any of these is rarely a file.
    if (rule.action !== "deny" || !/[./*?[]/u.test(name)) continue;
    if (strictest.action !== "deny")
      strictest = { action: "deny", rule: { ...rule, permission: "read" } };
  }
  for (const pattern of asked) asks.push({ permission: "bash", pattern });
  return { ...strictest, opaque, asks };
}

/** What tools may do: rules, and a gate where requests wait for a reply. */
export namespace Permission {
  /** What a rule says. */
  export type Action = "allow" | "deny" | "ask";
  /** What holds for requests whose permission and pattern match its wildcards: `*` any text, `?` a character. */
  export interface Rule {
    permission: string;
    pattern: string;
    action: Action;
  }
  /** The same as OpenCode 2 has it in `permissions`: `shell` is `bash`, `subagent` is `task`. */
  export interface Rule2 {
    /** The permission. */
    action: string;
    /** The pattern. */
    resource: string;
    /** What holds. */
    effect: Action;
  }
  /** Rules in order: the last that matches decides. */
  export type Ruleset = Rule[];
  /** What the rules say about a bash command. */
  export interface ShellVerdict {
    /** The strictest of all. */
    action: Action;
    /** The rule that decides. */
    rule: Rule;
    /** Something runs that cannot be known, or the text could not be parsed. */
    opaque: boolean;
    /** What would be asked. */
    asks: { permission: string; pattern: string }[];
  }
  /** What a bash command asks for. */
  export interface ShellRequest {
    /** The source of each simple command, its redirects included. */
    patterns: string[];
    /** The known prefix of each command and ` *`. */
    always: string[];
    /** The paths outside, absolute; `*` for one that is not known. */
    dirs: string[];
    /** Something runs that cannot be known, or the text could not be parsed. */
    opaque: boolean;
    commands: {
      text: string;
      name?: string;
      /** Without quotes; `null` for a word that is not literal. */
      words: (string | null)[];
      /** What a wrapper runs. */
      inner: string[];
      redirects: { op: string; target: string | null }[];
    }[];
  }
  /** A request that waits for a reply. */
  export interface Request {
    id: string;
    sessionID: string;
    permission: string;
    patterns: string[];
    /** What `always` would allow. */
    always: string[];
    metadata: Record<string, unknown>;
    agent?: string;
    tool?: { messageID: string; callID: string };
  }
  /** The answer to a request. */
  export type Reply =
    | "once"
    | "always"
    | "reject"
    | {
        reply: "once" | "always" | "reject";
        /** With `reject`: what the model is told. */
        message?: string;
        /** With `always`: narrower than `request.always`. */
        patterns?: string[];
      };
}

export const Permission: {
  /**
   * The rules of a configuration in its order; an action alone is that of the pattern `*`. `~` and `$HOME` at the
   * front of a pattern become `home`, by default that of the process. The array of OpenCode 2 is read too, its names
   * as those of this package: `shell` is `bash`, `subagent` is `task`, `write` and `patch` are `edit`.
   * @param config - By permission, an action, or actions by pattern; or OpenCode 2's array.
   * @param options - The home directory.
   * @returns The rules.
   * @example
   * ```ts
   * Permission.fromConfig({ edit: "ask" }); // [{ permission: "edit", pattern: "*", action: "ask" }]
   * Permission.fromConfig([{ action: "shell", resource: "git *", effect: "allow" }])[0].permission; // "bash"
   * ```
   */
  fromConfig(
    config:
      | Record<string, Permission.Action | Record<string, Permission.Action>>
      | readonly Permission.Rule2[],
    options?: { home?: string },
  ): Permission.Ruleset;
  /**
   * Rules as OpenCode 2 has them in `permissions`, with its names. A pattern that `fromConfig` made of `~` or `$HOME`
   * is written with it again.
   * @param rules - The rules.
   * @returns OpenCode 2's array, in the same order.
   * @example
   * ```ts
   * const rules = Permission.fromConfig({ bash: { "rm *": "deny" } });
   * Permission.toConfig2(rules); // [{ action: "shell", resource: "rm *", effect: "deny" }]
   * ```
   */
  toConfig2(rules: Permission.Ruleset): Permission.Rule2[];
  /**
   * Rulesets laid end to end.
   * @param rulesets - Rulesets; later ones win.
   * @returns One ruleset.
   * @example
   * ```ts
   * const defaults = Permission.fromConfig({ edit: "ask" });
   * const own = Permission.fromConfig({ edit: "allow" });
   * Permission.merge(defaults, own).map(({ action }) => action); // ["ask", "allow"]
   * ```
   */
  merge(...rulesets: Permission.Ruleset[]): Permission.Ruleset;
  /**
   * The last rule of all that matches; `{action: "ask", permission, pattern: "*"}` if none does. Names of OpenCode 2
   * (`shell`, `subagent`, `write`, `patch`) are those of this package (`bash`, `task`, `edit`). For `bash` the pattern
   * is a whole command line, and the rule is the strictest of all its commands in all their spellings: it never allows
   * where the bash tool would ask or deny.
   * @param permission - The name of the permission.
   * @param pattern - What it is for.
   * @param rulesets - Rulesets; later ones win.
   * @returns The rule.
   * @example
   * ```ts
   * const rules = Permission.fromConfig({ bash: { "*": "ask", "git *": "allow" } });
   * Permission.evaluate("bash", "git status", rules).action; // "allow"
   * Permission.evaluate("bash", "rm -r .", rules).action; // "ask"
   * ```
   */
  evaluate(permission: string, pattern: string, ...rulesets: Permission.Ruleset[]): Permission.Rule;
  /**
   * What the rules say about a bash command, with the paths outside (`external_directory`) and the files that its
   * redirects write to (`edit`). Links and globs are not followed: nothing is looked at. With `environment`, the
   * variables of the shell, a variable that only the command itself reads needs no rule (`x=5; echo $x`).
   * @param command - The command.
   * @param options - Absolute paths, what is inside, and the variables of the shell.
   * @param rulesets - Rulesets; later ones win.
   * @returns The strictest action, its rule, and what would be asked.
   * @example
   * ```ts
   * const rules = Permission.fromConfig({ "*": "allow", bash: { "*": "allow", "rm *": "deny" } });
   * const options = { cwd: "/demo", home: "/home/me", isInside: () => true };
   * Permission.evaluateShell("ls && sudo rm x", options, rules).action; // "deny"
   * ```
   */
  evaluateShell(
    command: string,
    options: {
      cwd: string;
      home: string;
      isInside(path: string): boolean;
      environment?: Record<string, string | undefined>;
    },
    ...rulesets: Permission.Ruleset[]
  ): Permission.ShellVerdict;
  /**
   * The tools that are off: the last rule that names their permission denies `*`.
   * @param tools - The ids of tools.
   * @param ruleset - The rules.
   * @returns The ids of those that are off.
   * @example
   * ```ts
   * [...Permission.disabled(["read", "edit"], Permission.fromConfig({ edit: "deny" }))]; // ["edit"]
   * ```
   */
  disabled(tools: string[], ruleset: Permission.Ruleset): Set<string>;
  /**
   * Whether a whole text matches a wildcard; `\` reads as `/`, a last ` *` may match nothing.
   * @param text - The text.
   * @param wildcard - The wildcard: `*` any text, `?` a character.
   * @param options - Whether letters of both cases are the same, as on Windows.
   * @returns `true` if it matches.
   * @example
   * ```ts
   * Permission.match("git status", "git *"); // true
   * Permission.match("git", "git *"); // true
   * ```
   */
  match(text: string, wildcard: string, options?: { windows?: boolean }): boolean;
  /**
   * What a bash command asks for. `cwd` and `home` are absolute paths; `isInside` says of an absolute path
   * whether it is inside the directories that need no permission.
   * @param command - The command.
   * @param options - Absolute paths, and what is inside.
   * @returns What to ask for.
   */
  shellRequest(
    command: string,
    options: {
      cwd: string;
      home: string;
      isInside(path: string): boolean;
      environment?: Record<string, string | undefined>;
    },
  ): Permission.ShellRequest;
  Gate: typeof Gate;
} = {
  fromConfig: /* @__PURE__ */ guarded(fromConfig),
  toConfig2: /* @__PURE__ */ guarded(toConfig2),
  merge: /* @__PURE__ */ guarded(merge),
  evaluate: /* @__PURE__ */ guarded(evaluate),
  evaluateShell: /* @__PURE__ */ guarded(evaluateShell),
  disabled: /* @__PURE__ */ guarded(disabled),
  match: /* @__PURE__ */ guarded(match),
  shellRequest: /* @__PURE__ */ guarded(shellRequest),
  Gate,
};
