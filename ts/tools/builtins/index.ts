// The built-in tools over a host: what `apex-parts/tools` exports.
import { type Tool, toolsOtherName } from "apex-parts:glue";
import { invalid } from "../boundary.ts";
import { name2Of } from "../permission-names.ts";
import { bashTool } from "./bash.ts";
import { editTool } from "./edit.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { isAbsolute } from "./paths.ts";
import { readTool } from "./read.ts";
import { codeSearchTool, webSearchTool } from "./search-tools.ts";
import { taskTool } from "./task.ts";
import { todoReadTool, todoWriteTool } from "./todo.ts";
import type { Host } from "./types.ts";
import { webFetchTool } from "./web-fetch.ts";
import { writeTool } from "./write.ts";

/** A tool over a host, and what it needs of it. */
type BuiltIn = [create: (host: Host) => Tool.Info, ...needs: (keyof Host)[]];

/** All of them, in the order in which a model sees them. */
const TOOLS: BuiltIn[] = [
  [bashTool, "fs", "shell"],
  [readTool, "fs"],
  [globTool, "fs"],
  [grepTool, "fs"],
  [editTool, "fs"],
  [writeTool, "fs"],
  [taskTool, "runTask"],
  [webFetchTool, "fetch"],
  [todoWriteTool],
  [todoReadTool],
  [webSearchTool, "search"],
  [codeSearchTool, "codeSearch"],
];

/**
 * A tool that is known by either of its names; the second one is OpenCode's. What has another name in OpenCode 2 alone,
 * as bash and task have, keeps its own: only rules may use that one.
 */
function named(tool: Tool.Info, names: Host["names"]): Tool.Info {
  const other = name2Of(tool.id) === tool.id ? toolsOtherName(tool.id) : undefined;
  if (other === undefined) return tool;
  const [id, alias] = names === "opencode" ? [other, tool.id] : [tool.id, other];
  return { ...tool, id, aliases: [alias] };
}

/**
 * The built-in tools over a host: bash, read, glob, grep, edit, write, web-fetch, todo-write, todo-read, and task,
 * web-search and code-search where the host has what they need. A registry knows them by OpenCode's names too.
 * @param host - What the tools work on.
 * @returns The tools, for `ToolRegistry.register`.
 * @example
 * ```ts
 * import { nodeHost } from "apex-parts/node";
 * import { builtinTools } from "apex-parts/tools";
 *
 * const tools = builtinTools(nodeHost({ directory: process.cwd() }));
 * tools.some(({ id }) => id === "read"); // true
 * ```
 */
export function builtinTools(host: Host): Tool.Info[] {
  const { directory } = host ?? {};
  if (typeof directory !== "string" || !isAbsolute(directory)) {
    throw invalid("a host has a directory, which is an absolute path");
  }
  const able = TOOLS.filter(([, ...needs]) => needs.every((name) => host[name]));
  return able.map(([tool]) => named(tool(host), host.names));
}
