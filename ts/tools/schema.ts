// The parameters of a tool: Standard Schema or JSON Schema, compiled once, and the JSON Schema for the model.

import { type JSONSchema, type SchemaIssue, type Tool, ToolsSchema } from "apex-parts:glue";
import { log } from "apex-parts:shared";
import { definitionError, messageOf } from "./errors.ts";
import { Pattern, StepBudget } from "./pattern/pattern.ts";

/** Parameters of a library that implements Standard Schema. */
export type StandardSchema = Extract<Tool.Parameters, { "~standard": { version: 1 } }>;

/** Compiled parameters. */
export interface CompiledSchema {
  /** The JSON Schema for the model. */
  json: JSONSchema;
  /** The parameters in short. */
  signature: string;
  /**
   * The issues of a value; undefined if it fits. The patterns that were not checked, as that could take too long, are
   * added to `unchecked`.
   */
  check: (value: unknown, unchecked: Set<string>) => SchemaIssue[] | undefined;
}

/** The compiled schemas, by the object that was given. */
const compiled = /* @__PURE__ */ new WeakMap<object, CompiledSchema>();
/** Patterns by their source; undefined if one is not valid. */
const patterns = /* @__PURE__ */ new Map<string, Pattern | undefined>();
const MOST_PATTERNS = 1000;

/** Also of an array, whose keywords are none. */
const isObject = (value: unknown): value is JSONSchema =>
  typeof value === "object" && value !== null;

/** Whether the parameters are of a schema library: the library checks them, and converts them. */
export function isStandard(parameters: Tool.Parameters): parameters is StandardSchema {
  if (!isObject(parameters) && typeof parameters !== "function") return false;
  // A cast: what else a JSON Schema has under that name is not known.
  const { "~standard": standard } = parameters as { "~standard"?: { validate?: unknown } };
  return typeof standard?.validate === "function";
}

/** The JSON Schema of the parameters, as the library or the definition gives it; undefined if neither does. */
function jsonSchemaOf({ parameters, jsonSchema }: Tool.Definition): unknown {
  if (isObject(jsonSchema)) return jsonSchema;
  if (!isStandard(parameters)) return isObject(parameters) ? parameters : undefined;
  // A cast: newer versions of Standard Schema have it.
  const library = (parameters["~standard"] as { jsonSchema?: { input?: unknown } }).jsonSchema;
  if (typeof library?.input !== "function") return undefined;
  return library.input({ target: "draft-2020-12" });
}

/** The pattern with this source; undefined if it is not valid. */
function patternOf(source: string): Pattern | undefined {
  if (patterns.has(source)) return patterns.get(source);
  let pattern: Pattern | undefined;
  try {
    pattern = new Pattern(source);
  } catch {
    log("warn", `the pattern ${source} of a tool's schema is ignored: it is not valid`);
  }
  if (patterns.size >= MOST_PATTERNS) patterns.clear();
  patterns.set(source, pattern);
  return pattern;
}

/** The issues of a value. What a pattern that is not checked would say is never one. */
function check(schema: ToolsSchema, value: unknown, unchecked: Set<string>) {
  const budget = new StepBudget();
  const checkWith = (answer: boolean) =>
    schema.check(value, (source: string, text: string) => {
      const pattern = patternOf(source);
      if (pattern === undefined) return true;
      const matches = pattern.test(text, budget);
      if (matches === undefined) unchecked.add(source);
      return matches ?? answer;
    });
  const issues = checkWith(true);
  // Within `not` it is the other answer that fits.
  return issues === undefined || unchecked.size === 0 ? issues : checkWith(false) && issues;
}

/** The compiled parameters of a definition. Throws `ToolDefinitionError` if there is no JSON Schema. */
export function schemaOf(id: string, definition: Tool.Definition): CompiledSchema {
  const key = isObject(definition.jsonSchema) ? definition.jsonSchema : definition.parameters;
  const cached = compiled.get(key);
  if (cached) return cached;
  let json: unknown;
  try {
    json = jsonSchemaOf(definition);
  } catch (error) {
    throw definitionError(id, `its schema has no JSON Schema: ${messageOf(error)}`);
  }
  if (json === undefined) {
    throw definitionError(
      id,
      isStandard(definition.parameters)
        ? "its schema library produces no JSON Schema; set jsonSchema"
        : "its parameters are neither a schema nor JSON Schema",
    );
  }
  let schema: ToolsSchema;
  try {
    schema = ToolsSchema.compile(json);
  } catch (why) {
    throw definitionError(
      id,
      typeof why === "string" ? why : `its schema is not usable: ${messageOf(why)}`,
    );
  }
  const unknown = schema.unknown();
  if (unknown.length > 0) {
    log(
      "warn",
      `the tool ${id} has keywords in its schema that are ignored: ${unknown.join(", ")}`,
    );
  }
  const own: CompiledSchema = {
    json: json as JSONSchema, // It was compiled.
    signature: schema.signature(),
    check: (value, unchecked) => check(schema, value, unchecked),
  };
  compiled.set(key, own);
  return own;
}
