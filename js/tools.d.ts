/** A JSON Schema of the dialect 2020-12. */
export type JSONSchema = { type?: string | string[]; [keyword: string]: unknown };

/** How a long output is cut: at whole lines, at most 2,000 of them and 51,200 bytes unless set otherwise. */
export interface TruncateOptions {
  maxLines?: number;
  maxBytes?: number;
  /** Which end is kept; the head by default. */
  direction?: "head" | "tail";
}

/** Tools: what a program defines, and what a registry knows of them. */
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
  /** What a tool says of a call beside its output. */
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
    /**
     * Sets the title and merges metadata (shallow) in the running state: one event. Ignored after the end.
     * @param update - The title, and the metadata to merge.
     */
    metadata(update: { title?: string; metadata?: Record<string, unknown> }): void;
    /**
     * Resolves when the rules or a reply allow it; rejects with `PermissionDenied`, `PermissionRejected` or
     * `PermissionCorrected`. The tool lets these through.
     * @param request - The permission, and what it is for.
     * @returns Nothing, when it is allowed.
     */
    ask(request: {
      permission: string;
      patterns: string[];
      always?: string[];
      metadata?: Record<string, unknown>;
    }): Promise<void>;
    /**
     * The messages before this call, if the caller gave them.
     * @returns The messages.
     */
    messages(): WithParts[];
    /**
     * The rules of this call: those of the registry, then its own. A registry gives it.
     * @returns The rules.
     */
    rules?(): Permission.Ruleset;
    /**
     * What these rules say, whatever was approved at the gate. A registry gives it.
     * @param permission - The name of the permission.
     * @param pattern - What it is for.
     * @returns The rule that decides.
     */
    evaluate?(permission: string, pattern: string): Permission.Rule;
  }
  /** What a tool gives. */
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
  /** The arguments that a schema describes. */
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
  /** What a tool is. */
  interface Definition<S extends Parameters = Parameters> {
    description: string;
    parameters: S;
    /** JSON Schema for the model, if the schema library gives none. */
    jsonSchema?: JSONSchema;
    /**
     * Runs the tool: gives a result, a text, or an iterable of updates whose last element is a result. What it
     * throws becomes the error of the call.
     * @param args - The arguments, as the schema library gives them.
     * @param context - What a tool gets besides.
     * @returns The result.
     */
    execute(
      args: InferArgs<S>,
      context: Context,
    ):
      | Result
      | string
      | Promise<Result | string>
      | AsyncIterable<{ title?: string; metadata?: Record<string, unknown> } | Result>;
    /**
     * The error for the model in place of the default one.
     * @param issues - What does not fit.
     * @param args - The arguments as they came.
     * @returns The text.
     */
    formatValidationError?(issues: Issue[], args: unknown): string;
    /** The time the tool itself may take, in milliseconds; waiting for a reply does not count. */
    timeoutMs?: number;
    /** `false`: the tool limits its own output. */
    truncate?: false | TruncateOptions;
    /**
     * Calls for which this gives the same key run one after another.
     * @param args - The arguments.
     * @returns The key; `undefined`: nothing is waited for.
     */
    lock?(args: InferArgs<S>): string | undefined;
  }
  /** For whom a definition is. */
  interface InitContext {
    agent?: { id?: string; name: string; permission?: Permission.Ruleset };
  }
  /** A tool: its id, and its definition when it is asked for. */
  interface Info<S extends Parameters = any, M extends Metadata = Metadata> {
    id: string;
    /** Other names under which a registry finds it. */
    aliases?: readonly string[];
    /**
     * The definition of the tool.
     * @param context - The agent that is to use it.
     * @returns The definition.
     */
    init(context?: InitContext): Promise<Definition<S>>;
  }
  /** The arguments of a tool. */
  type InferParameters<T extends Info> = T extends Info<infer P> ? InferArgs<P> : never;
  /** The metadata of a tool. */
  type InferMetadata<T extends Info> = T extends Info<any, infer M> ? M : never;
  /**
   * A tool of a definition, or of a function that gives one for an agent. Changes nothing of it. Throws
   * `ToolDefinitionError` if a definition has no `execute`, or no JSON Schema can be had for the model.
   * @param id - The name of the tool.
   * @param definition - The definition, or a function that gives it.
   * @returns The tool, for `ToolRegistry.register`.
   * @example
   * ```ts
   * const greet = Tool.define("greet", {
   *   description: "Greets",
   *   parameters: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
   *   execute: async ({ name }) => `Hello ${name}`,
   * });
   * greet.id; // "greet"
   * ```
   */
  function define<S extends Parameters>(
    id: string,
    definition: Definition<S> | ((context?: InitContext) => Definition<S> | Promise<Definition<S>>),
  ): Info<S>;
  /** An error that a tool throws on purpose; it does not count against the tool's health. */
  class Expected extends Error {
    /**
     * Creates an error.
     * @param message - What the model is told.
     */
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

/** Where a tool comes from. */
export type ToolType = "builtin" | "skill" | "mcp";
/** Where a tool comes from. */
export const ToolType: { BUILTIN: "builtin"; SKILL: "skill"; MCP: "mcp" };
/** Whether a tool works. */
export type ToolStatus = "healthy" | "unhealthy" | "unknown";
/** Whether a tool works. */
export const ToolStatus: { HEALTHY: "healthy"; UNHEALTHY: "unhealthy"; UNKNOWN: "unknown" };

/** A definition that cannot become a tool. */
export class ToolDefinitionError extends Error {
  /**
   * @param message - What is wrong, and what to do.
   * @param details - The facts, as the property `details` has them.
   */
  constructor(message: string, details: ToolDefinitionError["details"]);
  name: "ToolDefinitionError";
  details: { id: unknown; [more: string]: unknown };
}
/** Rules deny a request, or nobody is there to answer it. */
export class PermissionDenied extends Error {
  /**
   * @param message - What is wrong, and what to do.
   * @param details - The facts, as the property `details` has them.
   */
  constructor(message: string, details: PermissionDenied["details"]);
  name: "PermissionDenied";
  details: { permission: string; [more: string]: unknown };
}
/** A request was turned down. */
export class PermissionRejected extends Error {
  /**
   * @param message - What is wrong, and what to do.
   * @param details - The facts, as the property `details` has them.
   */
  constructor(message: string, details: PermissionRejected["details"]);
  name: "PermissionRejected";
  details: { request: Permission.Request; [more: string]: unknown };
}
/** A request was turned down, with a message for the model. */
export class PermissionCorrected extends Error {
  /**
   * @param message - What is wrong, and what to do.
   * @param details - The facts, as the property `details` has them.
   */
  constructor(message: string, details: PermissionCorrected["details"]);
  name: "PermissionCorrected";
  details: { request: Permission.Request; [more: string]: unknown };
}
