// The parameters of a tool: Standard Schema or JSON Schema, compiled once, and the JSON Schema for the model.
import { log } from "apex-parts:bridge";
import { ToolsSchema } from "apex-parts:glue";
import { definitionError } from "./errors.ts";

/** The compiled schemas, by the object that was given. */
const compiled = /* @__PURE__ */ new WeakMap();
/** Regular expressions by their source; undefined if one is not valid. */
const expressions = /* @__PURE__ */ new Map();
const MOST_EXPRESSIONS = 1000;

const isObject = (value) => typeof value === "object" && value !== null;

/** Whether the parameters are of a schema library: the library checks them, and converts them. */
export const isStandard = (parameters) =>
  (isObject(parameters) || typeof parameters === "function") &&
  typeof parameters["~standard"]?.validate === "function";

/** The JSON Schema of the parameters, as the library or the definition gives it; undefined if neither does. */
function jsonSchemaOf({ parameters, jsonSchema }) {
  if (isObject(jsonSchema)) return jsonSchema;
  if (!isStandard(parameters)) return isObject(parameters) ? parameters : undefined;
  const library = parameters["~standard"].jsonSchema;
  if (typeof library?.input !== "function") return undefined;
  return library.input({ target: "draft-2020-12" });
}

/** Whether a text matches a regular expression; true if the expression is not valid. */
function matches(source, text) {
  if (!expressions.has(source)) {
    let expression;
    for (const flags of ["u", ""]) {
      try {
        expression ??= new RegExp(source, flags);
      } catch {
        // Tried without the flag, then ignored.
      }
    }
    if (!expression)
      log("warn", `the pattern ${source} of a tool's schema is ignored: it is not valid`);
    if (expressions.size >= MOST_EXPRESSIONS) expressions.clear();
    expressions.set(source, expression);
  }
  return expressions.get(source)?.test(text) ?? true;
}

/**
 * The compiled parameters of a definition: the JSON Schema for the model, `check(value)` with the issues or
 * undefined, and the signature. Throws `ToolDefinitionError` if there is no JSON Schema.
 */
export function schemaOf(id, definition) {
  const key = isObject(definition.jsonSchema) ? definition.jsonSchema : definition.parameters;
  const known = compiled.get(key);
  if (known) return known;
  let json;
  try {
    json = jsonSchemaOf(definition);
  } catch (error) {
    throw definitionError(id, `its schema has no JSON Schema: ${error?.message}`);
  }
  if (json === undefined) {
    throw definitionError(
      id,
      isStandard(definition.parameters)
        ? "its schema library gives no JSON Schema; set jsonSchema"
        : "its parameters are neither a schema nor JSON Schema",
    );
  }
  let schema;
  try {
    schema = ToolsSchema.compile(json);
  } catch (why) {
    throw definitionError(
      id,
      typeof why === "string" ? why : `its schema is not usable: ${why?.message}`,
    );
  }
  const unknown = schema.unknown();
  if (unknown.length > 0) {
    log(
      "warn",
      `the tool ${id} has keywords in its schema that are ignored: ${unknown.join(", ")}`,
    );
  }
  const made = {
    json,
    signature: schema.signature(),
    check: (value) => schema.check(value, matches),
  };
  compiled.set(key, made);
  return made;
}
