// A built-in tool.
import { toolsVisible } from "apex-parts:glue";
import { withVisible } from "../visible.ts";

/** A tool of an id and a definition; the registry checks the definition. */
export function define(id, { execute, ...given }) {
  const definition = { ...given, execute: withVisible(execute, toolsVisible) };
  return { id, init: async () => definition };
}
