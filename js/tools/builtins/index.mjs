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

/** OpenCode's names of tools. */
const OPENCODE = {
  "web-fetch": "webfetch",
  "web-search": "websearch",
  "code-search": "codesearch",
  "todo-write": "todowrite",
  "todo-read": "todoread",
};

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

/** A tool that is known by either of its names. */
function named(tool, names) {
  const other = OPENCODE[tool.id];
  if (other === undefined) return tool;
  const [id, alias] = names === "opencode" ? [other, tool.id] : [tool.id, other];
  return { ...tool, id, aliases: [alias] };
}

/** The tools for which the host has what they need. */
export function builtinTools(host) {
  const tools = TOOLS.map((tool) => tool(host)).filter((tool) => tool !== undefined);
  return tools.map((tool) => named(tool, host.names));
}
