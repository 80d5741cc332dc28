/** A JSON Schema of the dialect 2020-12. */
export type JSONSchema = { type?: string | string[]; [keyword: string]: unknown };

/** How a long output is cut: at whole lines, at most 2,000 of them and 51,200 bytes unless set otherwise. */
export interface TruncateOptions {
  maxLines?: number;
  maxBytes?: number;
  /** Which end is kept; the head by default. */
  direction?: "head" | "tail";
}

export namespace Tool {
  /** An `AbortSignal`, or its shape where the program's lib has none. */
  type Abort = typeof globalThis extends { AbortSignal: { prototype: infer T } }
    ? T
    : {
        readonly aborted: boolean;
        readonly reason?: unknown;
        addEventListener(type: "abort", listener: () => void): void;
        removeEventListener(type: "abort", listener: () => void): void;
      };
  type Metadata = Record<string, unknown>;
  /** What a tool gets beside its arguments. */
  interface Context {
    sessionID: string;
    messageID: string;
    callID: string;
    /** The name of the agent; "" if the call named none. */
    agent: string;
    /** Fires when the call is aborted, or takes too long. */
    abort: Abort;
    extra?: Record<string, unknown>;
    /** Sets the title and merges metadata (shallow) in the running state: one event. Ignored after the end. */
    metadata(update: { title?: string; metadata?: Record<string, unknown> }): void;
    /**
     * Resolves when the rules or a reply allow it; rejects with `PermissionDenied`, `PermissionRejected` or
     * `PermissionCorrected`, which the tool lets through.
     */
    ask(request: {
      permission: string;
      patterns: string[];
      always?: string[];
      metadata?: Record<string, unknown>;
    }): Promise<void>;
    /** The messages before this call, if the caller gave them. */
    messages(): WithParts[];
    /** The rules of this call: those of the registry, then its own. A registry gives it. */
    rules?(): Permission.Ruleset;
    /** What these rules say, whatever was approved at the gate. A registry gives it. */
    evaluate?(permission: string, pattern: string): Permission.Rule;
  }
  interface Result {
    title: string;
    output: string;
    metadata?: Record<string, unknown>;
    attachments?: (FilePart | { type: "file"; mime: string; url: string; filename?: string })[];
  }
  /** Parameters: of a library that implements Standard Schema, or JSON Schema. */
  type Parameters =
    | {
        readonly "~standard": {
          readonly version: 1;
          readonly vendor: string;
          validate(value: unknown): unknown;
          readonly types?: { readonly input: unknown; readonly output: unknown };
        };
      }
    | JSONSchema;
  type InferArgs<S> = 0 extends 1 & S
    ? Record<string, any>
    : S extends { "~standard": { types?: { output: infer O } } }
      ? O
      : Record<string, unknown>;
  /** What does not fit the parameters. */
  interface Issue {
    path: (string | number)[];
    message: string;
    expected?: string;
    received?: string;
  }
  interface Definition<S extends Parameters = Parameters> {
    description: string;
    parameters: S;
    /** JSON Schema for the model, if the schema library gives none. */
    jsonSchema?: JSONSchema;
    /**
     * Runs the tool: gives a result, a text, or an iterable of updates whose last element is a result. What it
     * throws becomes the error of the call.
     */
    execute(
      args: InferArgs<S>,
      context: Context,
    ):
      | Result
      | string
      | Promise<Result | string>
      | AsyncIterable<{ title?: string; metadata?: Record<string, unknown> } | Result>;
    /** The error for the model in place of the default one. */
    formatValidationError?(issues: Issue[], args: unknown): string;
    /** The time the tool itself may take, in milliseconds; waiting for a reply does not count. */
    timeoutMs?: number;
    /** `false`: the tool limits its own output. */
    truncate?: false | TruncateOptions;
    /** Calls for which this gives the same key run one after another. */
    lock?(args: InferArgs<S>): string | undefined;
  }
  interface InitContext {
    agent?: { id?: string; name: string; permission?: Permission.Ruleset };
  }
  /** A tool: its id, and its definition when it is asked for. */
  interface Info<S extends Parameters = any, M extends Metadata = Metadata> {
    id: string;
    /** Other names under which a registry finds it. */
    aliases?: readonly string[];
    init(context?: InitContext): Promise<Definition<S>>;
  }
  type InferParameters<T extends Info> = T extends Info<infer P> ? InferArgs<P> : never;
  type InferMetadata<T extends Info> = T extends Info<any, infer M> ? M : never;
  /**
   * A tool of a definition, or of a function that gives one for an agent. Changes nothing of it. Throws
   * `ToolDefinitionError` if a definition has no `execute`, or no JSON Schema can be had for the model.
   */
  function define<S extends Parameters>(
    id: string,
    definition: Definition<S> | ((context?: InitContext) => Definition<S> | Promise<Definition<S>>),
  ): Info<S>;
  /** An error that a tool throws on purpose; it does not count against the tool's health. */
  class Expected extends Error {
    constructor(message: string);
    name: "Expected";
    readonly expected: true;
  }
}

/** A tool for a prompt. */
export interface ToolDescription {
  name: string;
  description: string;
  parameters: { name: string; type: string; description: string; required: boolean }[];
}

export type ToolType = "builtin" | "skill" | "mcp";
export const ToolType: { BUILTIN: "builtin"; SKILL: "skill"; MCP: "mcp" };
export type ToolStatus = "healthy" | "unhealthy" | "unknown";
export const ToolStatus: { HEALTHY: "healthy"; UNHEALTHY: "unhealthy"; UNKNOWN: "unknown" };

/** A tool as apex-bridge's ToolDispatcher knows it. */
export interface ToolInfo {
  id: string;
  description: string;
  parameters?: { type: "object"; properties: Record<string, any>; required?: string[] };
  execute(
    args: Record<string, unknown>,
  ): Promise<{ output: string; metadata?: Record<string, any> }>;
}

/** Where whole outputs are put that are too long for a model. */
export interface OutputStore {
  /** Saves a text of at most 64 MiB; gives what the model is shown: a path or a URI. */
  save(text: string, about: { sessionID: string; callID: string; tool: string }): Promise<string>;
}

/** A call of a tool, as a model made it. */
export interface ToolCall {
  callID: string;
  tool: string;
  /** The arguments, parsed or as JSON text. */
  input?: unknown;
  /** The arguments as the model wrote them. */
  raw?: string;
  sessionID: string;
  messageID: string;
  agent?: string;
  /** Rules after those of the registry. */
  rules?: Permission.Ruleset[];
  abort?: Tool.Abort;
  extra?: Record<string, unknown>;
  messages?: WithParts[];
  /** A pending part to continue. */
  part?: ToolPart;
}

/**
 * A call that runs. Awaited, it gives the part in its last state, completed or error, and never rejects;
 * iterated, it gives every state in order, the last one included.
 */
export interface ToolRun extends PromiseLike<ToolPart>, AsyncIterable<ToolPart> {
  /** The part in its present state. */
  readonly part: ToolPart;
  /** Stops the call: at once while it waits, after at most 3 s while the tool runs. */
  abort(reason?: string): void;
}

/** What `ToolRegistry.execute` takes beside the call. */
export interface ExecuteOptions {
  /** Gets the part in each state. */
  onState?(part: ToolPart): void;
  /** Checks the call before, and records its result: an interruption ends the call, a warning is in its metadata. */
  detector?: DoomLoopDetector;
  /**
   * The same with a recorder, which gets the call and its result: with the loops of its one message. Where a detector
   * is given too, for those of the whole run, either may interrupt.
   */
  recorder?: ReActRecorder;
}

/** The tools of a program, their health, and the calls of them. */
export class ToolRegistry {
  constructor(options?: {
    /** Rules for every call; those of the call come after them. */
    rules?: Permission.Ruleset[];
    /** Where requests wait for a reply; without one they are denied. */
    gate?: Permission.Gate;
    store?: OutputStore;
    /** The calls of a session that run at once; 8 by default. */
    maxConcurrency?: number;
    /** Other names of tools. */
    aliases?: Record<string, string>;
    /** The failures in a row after which a tool is unhealthy; 3 by default. */
    unhealthyAfter?: number;
    /** The time after which an unhealthy tool gets one call to try, in milliseconds; 30 s by default. */
    recheckMs?: number;
  });
  /** Adds a tool, in place of one with the same id, whose status stays; gives what it replaced. */
  register(tool: Tool.Info, type?: ToolType): Tool.Info | undefined;
  unregister(id: string): boolean;
  /** The tool; `undefined` if there is none, or it is unhealthy. */
  get(id: string): Tool.Info | undefined;
  has(id: string): boolean;
  list(): Tool.Info[];
  listByType(type: ToolType): Tool.Info[];
  ids(): string[];
  size(): number;
  clear(): void;
  getType(id: string): ToolType | undefined;
  updateStatus(id: string, status: ToolStatus, error?: string): boolean;
  isHealthy(id: string): boolean;
  getUnhealthyTools(): Tool.Info[];
  listDescriptions(): Promise<ToolDescription[]>;
  /** Keeps a tool for `getSimple`; it is not executed here. */
  registerSimple(tool: ToolInfo): void;
  getSimple(id: string): ToolInfo | undefined;
  /** What to send to the model: tools that are well, that the rules do not switch off, and that `user` has not. */
  definitions(
    context?: Tool.InitContext & { only?: string[]; user?: Record<string, boolean> },
  ): Promise<{ name: string; description: string; inputSchema: JSONSchema }[]>;
  execute(call: ToolCall, options?: ExecuteOptions): ToolRun;
}

/** A registry for programs that share one. */
export const toolRegistry: ToolRegistry;

export namespace Permission {
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
   */
  function fromConfig(
    config: Record<string, Action | Record<string, Action>>,
    options?: { home?: string },
  ): Ruleset;
  /** Rulesets laid end to end. */
  function merge(...rulesets: Ruleset[]): Ruleset;
  /** The last rule of all that matches; `{action: "ask", permission, pattern: "*"}` if none does. */
  function evaluate(permission: string, pattern: string, ...rulesets: Ruleset[]): Rule;
  /** The tools that are off: the last rule that names their permission denies `*`. */
  function disabled(tools: string[], ruleset: Ruleset): Set<string>;
  /** Whether a whole text matches a wildcard; `\` reads as `/`, a last ` *` may match nothing. */
  function match(text: string, wildcard: string, options?: { windows?: boolean }): boolean;
  /**
   * What a text of bash asks for. `cwd` and `home` are absolute paths; `isInside` says of an absolute path
   * whether it is inside the directories that need no permission.
   */
  function shellRequest(
    command: string,
    options: { cwd: string; home: string; isInside(path: string): boolean },
  ): ShellRequest;
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
    constructor(options: {
      /** Shows a request; gives the reply, or nothing if `reply` will be called. */
      onAsk(request: Request): void | Reply | Promise<void | Reply>;
      /** How far `always` reaches: this session (the default), this agent, or everything. */
      scope?: "session" | "agent" | "instance";
    });
    /** Resolves when it is allowed; rejects with `PermissionDenied`, `-Rejected` or `-Corrected`. */
    ask(input: Omit<Request, "id"> & { rules: Ruleset[] }): Promise<void>;
    /** Answers a request; `false` if none with this id waits. A rejection rejects all of the session. */
    reply(id: string, reply: Reply): boolean;
    pending(sessionID?: string): Request[];
    /** What `always` has allowed. An approval never beats a rule that denies. */
    approved(): (Rule & { sessionID?: string; agent?: string })[];
    revoke(rule: Rule): boolean;
    rejectSession(sessionID: string): void;
  }
}

/** A definition that cannot become a tool. */
export class ToolDefinitionError extends Error {
  constructor(message: string, details: ToolDefinitionError["details"]);
  name: "ToolDefinitionError";
  details: { id: unknown; [more: string]: unknown };
}
/** Rules deny a request, or nobody is there to answer it. */
export class PermissionDenied extends Error {
  constructor(message: string, details: PermissionDenied["details"]);
  name: "PermissionDenied";
  details: { permission: string; [more: string]: unknown };
}
/** A request was turned down. */
export class PermissionRejected extends Error {
  constructor(message: string, details: PermissionRejected["details"]);
  name: "PermissionRejected";
  details: { request: Permission.Request; [more: string]: unknown };
}
/** A request was turned down, with a message for the model. */
export class PermissionCorrected extends Error {
  constructor(message: string, details: PermissionCorrected["details"]);
  name: "PermissionCorrected";
  details: { request: Permission.Request; [more: string]: unknown };
}
