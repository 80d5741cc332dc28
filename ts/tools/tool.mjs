// Tool.define: a definition, or a function that makes one, with its id.
import { guarded } from "./boundary.ts";
import { definitionError } from "./errors.ts";
import { Expected } from "./expected.ts";
import { schemaOf } from "./schema.mjs";

/** Throws `ToolDefinitionError` if the definition cannot run. */
export function checkDefinition(id, definition) {
  if (typeof definition !== "object" || definition === null) {
    throw definitionError(id, "it is not an object with description, parameters and execute");
  }
  if (typeof definition.execute !== "function")
    throw definitionError(id, "it has no execute function");
  schemaOf(id, definition);
  return definition;
}

function define(id, definition) {
  if (typeof id !== "string" || id === "") throw definitionError(id, "its id is not a text");
  if (typeof definition === "function") {
    return { id, init: async (context) => definition(context) };
  }
  checkDefinition(id, definition);
  return { id, init: async () => definition };
}

export const Tool = { define: /* @__PURE__ */ guarded(define), Expected };
