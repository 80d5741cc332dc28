/** What tools may do: rules, and a gate where requests wait for a reply. */
export namespace Permission {
  /** What a rule says. */
  type Action = "allow" | "deny" | "ask";
  /** What holds for requests whose permission and pattern match its wildcards: `*` any text, `?` a character. */
  interface Rule {
    permission: string;
    pattern: string;
    action: Action;
  }
  /** Rules in order: the last that matches decides. */
  type Ruleset = Rule[];
  /**
   * The rules of a configuration in the order of its keys; an action alone is that of the pattern `*`. `~` and
   * `$HOME` at the front of a pattern become `home`, by default that of the process.
   * @param config - By permission, an action, or actions by pattern.
   * @param options - The home directory.
   * @returns The rules.
   * @example
   * ```ts
   * Permission.fromConfig({ edit: "ask" }); // [{ permission: "edit", pattern: "*", action: "ask" }]
   * ```
   */
  function fromConfig(
    config: Record<string, Action | Record<string, Action>>,
    options?: { home?: string },
  ): Ruleset;
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
  function merge(...rulesets: Ruleset[]): Ruleset;
  /**
   * The last rule of all that matches; `{action: "ask", permission, pattern: "*"}` if none does. For `bash` the
   * pattern is a text of bash, and the rule is the strictest of all its commands in all their spellings: it never
   * allows where the bash tool would ask or deny.
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
  function evaluate(permission: string, pattern: string, ...rulesets: Ruleset[]): Rule;
  /**
   * What rules say of a text of bash, with the paths outside (`external_directory`) and the files that its
   * redirects write to (`edit`). Links and globs are not followed: nothing is looked at.
   * @param command - The text for the shell.
   * @param options - Absolute paths, and what is inside.
   * @param rulesets - Rulesets; later ones win.
   * @returns The strictest action, its rule, and what would be asked.
   * @example
   * ```ts
   * const rules = Permission.fromConfig({ "*": "allow", bash: { "*": "allow", "rm *": "deny" } });
   * const options = { cwd: "/demo", home: "/home/me", isInside: () => true };
   * Permission.evaluateShell("ls && sudo rm x", options, rules).action; // "deny"
   * ```
   */
  function evaluateShell(
    command: string,
    options: { cwd: string; home: string; isInside(path: string): boolean },
    ...rulesets: Ruleset[]
  ): ShellVerdict;
  /** What rules say of a text of bash. */
  interface ShellVerdict {
    /** The strictest of all. */
    action: Action;
    /** The rule that decides. */
    rule: Rule;
    /** Something runs that cannot be known, or the text could not be parsed. */
    opaque: boolean;
    /** What would be asked. */
    asks: { permission: string; pattern: string }[];
  }
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
  function disabled(tools: string[], ruleset: Ruleset): Set<string>;
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
  function match(text: string, wildcard: string, options?: { windows?: boolean }): boolean;
  /**
   * What a text of bash asks for. `cwd` and `home` are absolute paths; `isInside` says of an absolute path
   * whether it is inside the directories that need no permission.
   * @param command - The text for the shell.
   * @param options - Absolute paths, and what is inside.
   * @returns What to ask for.
   */
  function shellRequest(
    command: string,
    options: { cwd: string; home: string; isInside(path: string): boolean },
  ): ShellRequest;
  /** What a text of bash asks for. */
  interface ShellRequest {
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
  interface Request {
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
  type Reply =
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
  /** Where requests that rules do not decide wait for a reply. */
  class Gate {
    /**
     * Creates a gate without requests.
     * @param options - Who shows requests, and how far an approval reaches.
     */
    constructor(options: {
      /** Shows a request; gives the reply, or nothing if `reply` will be called. */
      onAsk(request: Request): void | Reply | Promise<void | Reply>;
      /** How far `always` reaches: this session (the default), this agent, or everything. */
      scope?: "session" | "agent" | "instance";
    });
    /**
     * Resolves when it is allowed; rejects with `PermissionDenied`, `PermissionRejected` or `PermissionCorrected`.
     * @param input - The request, and the rules that hold for it.
     * @returns Nothing, when it is allowed.
     */
    ask(input: Omit<Request, "id"> & { rules: Ruleset[] }): Promise<void>;
    /**
     * Answers a request; `false` if none with this id waits. A rejection rejects all of the session.
     * @param id - The id of the request.
     * @param reply - The answer.
     * @returns `false` if none waits.
     */
    reply(id: string, reply: Reply): boolean;
    /**
     * The requests that wait, oldest first.
     * @param sessionID - Only those of this session.
     * @returns The requests.
     */
    pending(sessionID?: string): Request[];
    /**
     * What `always` has allowed. An approval never beats a rule that denies.
     * @returns The rules, and for whom they hold.
     */
    approved(): (Rule & { sessionID?: string; agent?: string })[];
    /**
     * Takes an approval back.
     * @param rule - One of `approved()`.
     * @returns `false` if there is none.
     */
    revoke(rule: Rule): boolean;
    /**
     * Rejects all requests of a session.
     * @param sessionID - The id of the session.
     */
    rejectSession(sessionID: string): void;
  }
}
