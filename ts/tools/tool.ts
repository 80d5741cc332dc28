// Tool.define: a definition, or a function that makes one, with its id.
import type {
  FilePart,
  JSONSchema,
  Permission,
  SchemaValue,
  TruncateOptions,
  WithParts,
} from "apex-parts:glue";
import { guarded } from "./boundary.ts";
import { definitionError } from "./errors.ts";
import { Expected } from "./expected.ts";
import { schemaOf } from "./schema.ts";

/** Throws `ToolDefinitionError` if the definition cannot run. */
export function checkDefinition(id: string, given: unknown): Tool.Definition {
  if (typeof given !== "object" || given === null) {
    throw definitionError(id, "it is not an object with description, parameters and execute");
  }
  // A cast: what else it has is checked where it is used.
  const definition = given as Tool.Definition;
  if (typeof definition.execute !== "function")
    throw definitionError(id, "it has no execute function");
  schemaOf(id, definition);
  return definition;
}

const define: typeof Tool.define = (id, definition) => {
  if (typeof id !== "string" || id === "") throw definitionError(id, "its id is not a string");
  if (typeof definition === "function") {
    return { id, init: async (context) => definition(context) };
  }
  checkDefinition(id, definition);
  return { id, init: async () => definition };
};

/** Tools: what a program defines, and what a registry knows of them. */
export namespace Tool {
  /** An `AbortSignal`, or its shape where the program's lib has none. */
  export type Abort = typeof globalThis extends { AbortSignal: { prototype: infer T } }
    ? T
    : {
        readonly aborted: boolean;
        readonly reason?: unknown;
        addEventListener(type: "abort", listener: () => void): void;
        removeEventListener(type: "abort", listener: () => void): void;
      };
  /** What a tool says of a call beside its output. */
  export type Metadata = Record<string, unknown>;
  /** What a tool gets beside its arguments. */
  export interface Context {
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
  export interface Result {
    title: string;
    output: string;
    metadata?: Record<string, unknown>;
    attachments?: (FilePart | { type: "file"; mime: string; url: string; filename?: string })[];
  }
  /** Parameters: of a library that implements Standard Schema, or JSON Schema. */
  export type Parameters =
    | {
        readonly "~standard": {
          readonly version: 1;
          readonly vendor: string;
          validate(value: unknown): unknown;
          readonly types?: { readonly input: unknown; readonly output: unknown };
        };
      }
    | JSONSchema
    // A type that a program declares as an interface has no index signature.
    | { readonly type: "object"; readonly properties?: object };
  /**
   * The arguments that a schema describes: what a schema library infers, or what the keywords of a JSON Schema say that
   * is written out (`SchemaValue`). Of any other schema, a record.
   */
  export type InferArgs<S> = S extends { "~standard": { types?: { output: infer O } } }
    ? unknown extends O
      ? Record<string, unknown>
      : O
    : S extends { readonly type: "object" }
      ? SchemaValue<S>
      : Record<string, unknown>;
  /** What does not fit the parameters. */
  export interface Issue {
    path: (string | number)[];
    message: string;
    expected?: string;
    received?: string;
  }
  /** What a tool is. */
  export interface Definition<S extends Parameters = Parameters> {
    description: string;
    parameters: S;
    /** JSON Schema for the model, if the schema library has none. */
    jsonSchema?: JSONSchema;
    /**
     * Runs the tool: returns a result, a string, or an iterable of updates whose last element is a result. What it
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
     * The error for the model instead of the default one.
     * @param issues - What does not fit.
     * @param args - The arguments as they came.
     * @returns The text.
     */
    formatValidationError?(issues: Issue[], args: unknown): string;
    /**
     * The time that the tool itself may take, in milliseconds, if the call does not say it; waiting for a reply does not
     * count. Without one, that of the registry holds.
     */
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
  /** A definition, or a function that gives it for an agent. */
  export type Source<S extends Parameters = Parameters> =
    | Definition<S>
    | ((context?: InitContext) => Definition<S> | Promise<Definition<S>>);
  /** For whom a definition is. */
  export interface InitContext {
    agent?: { id?: string; name: string; permission?: Permission.Ruleset };
  }
  /** A tool: its id, and its definition when it is asked for. */
  export interface Info<S extends Parameters = Parameters, _M extends Metadata = Metadata> {
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
  export type InferParameters<T extends Info> = T extends Info<infer P> ? InferArgs<P> : never;
  /** The metadata of a tool. */
  export type InferMetadata<T extends Info> = T extends Info<infer _P, infer M> ? M : never;
}

export const Tool: {
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
  define<const S extends Tool.Parameters>(id: string, definition: Tool.Source<S>): Tool.Info<S>;
  Expected: typeof Expected;
} = { define: /* @__PURE__ */ guarded(define) as typeof Tool.define, Expected };
