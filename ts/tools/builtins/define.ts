// A built-in tool.
import { type JSONSchema, type Tool, type TruncateOptions, toolsVisible } from "apex-parts:glue";
import type { RunContext } from "../context.ts";
import { withVisible } from "../visible.ts";

/** What a built-in tool is; the registry checks that arguments fit its parameters. */
export interface BuiltInDefinition<Args> {
  description: string;
  parameters: JSONSchema;
  execute: (args: Args, context: RunContext) => Promise<Tool.Result>;
  lock?: (args: Args) => string | undefined;
  timeoutMs?: number;
  truncate?: false | TruncateOptions;
}

/** A tool of an id and a definition. */
export function define<Args>(
  id: string,
  { execute, ...given }: BuiltInDefinition<Args>,
): Tool.Info {
  // A cast: a registry passes on only arguments that fit the parameters.
  const definition = {
    ...given,
    execute: withVisible(execute, toolsVisible),
  } as unknown as Tool.Definition;
  return { id, init: async () => definition };
}
