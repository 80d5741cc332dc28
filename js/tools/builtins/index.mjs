// The built-in tools over a host: what `apex-parts/tools` exports.
import { bashTool } from "./bash.mjs";
import { editTool } from "./edit.mjs";
import { globTool } from "./glob.mjs";
import { grepTool } from "./grep.mjs";
import { readTool } from "./read.mjs";
import { codeSearchTool, webSearchTool } from "./search-tools.mjs";
import { taskTool } from "./task.mjs";
import { todoReadTool, todoWriteTool } from "./todo.mjs";
import { webFetchTool } from "./web-fetch.mjs";
import { writeTool } from "./write.mjs";

/** OpenCode's names of the tools. */
export const BUILTIN_ALIASES = Object.freeze({
  webfetch: "web-fetch",
  websearch: "web-search",
  codesearch: "code-search",
  todowrite: "todo-write",
  todoread: "todo-read",
});

const OPENCODE = Object.fromEntries(Object.entries(BUILTIN_ALIASES).map(([a, b]) => [b, a]));

/** Makes a tool; undefined if the host lacks what it needs. */
const TOOLS = [
  bashTool,
  readTool,
  globTool,
  grepTool,
  editTool,
  writeTool,
  taskTool,
  webFetchTool,
  todoWriteTool,
  todoReadTool,
  webSearchTool,
  codeSearchTool,
];

/** The tools for which the host has what they need. */
export function builtinTools(host) {
  const tools = TOOLS.map((tool) => tool(host)).filter((tool) => tool !== undefined);
  if (host.names !== "opencode") return tools;
  return tools.map((tool) => ({ ...tool, id: OPENCODE[tool.id] ?? tool.id }));
}
