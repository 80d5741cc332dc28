// The built-in tools over a host: what `apex-parts/tools` exports.
import { invalid } from "../boundary.ts";
import { bashTool } from "./bash.mjs";
import { editTool } from "./edit.mjs";
import { globTool } from "./glob.mjs";
import { grepTool } from "./grep.mjs";
import { isAbsolute } from "./paths.ts";
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

/** Each tool with what it needs of the host. */
const TOOLS = [
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

/** A tool that is known by either of its names. */
function named(tool, names) {
  const other = OPENCODE[tool.id];
  if (other === undefined) return tool;
  const [id, alias] = names === "opencode" ? [other, tool.id] : [tool.id, other];
  return { ...tool, id, aliases: [alias] };
}

/** The tools for which the host has what they need. */
export function builtinTools(host) {
  const { directory } = host ?? {};
  if (typeof directory !== "string" || !isAbsolute(directory)) {
    throw invalid("a host has a directory, which is an absolute path");
  }
  const able = TOOLS.filter(([, ...needs]) => needs.every((name) => host[name]));
  return able.map(([tool]) => named(tool(host), host.names));
}
