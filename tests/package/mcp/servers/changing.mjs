// An MCP server on the server side of the SDK whose tools change: what the SDK itself sends then is what comes.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const server = new McpServer({ name: "changing", version: "1.0.0" });
const said = (text) => ({ content: [{ type: "text", text }] });
const tools = new Map();

function add(name, description) {
  const inputSchema = { text: z.string() };
  tools.set(
    name,
    server.registerTool(name, { description, inputSchema }, ({ text }) => said(`${name}: ${text}`)),
  );
}
add("first", "The first tool.");
server.registerTool(
  "change",
  {
    description: "Adds, removes or describes a tool anew.",
    inputSchema: {
      add: z.string().optional(),
      remove: z.string().optional(),
      describe: z.string().optional(),
    },
  },
  ({ add: added, remove, describe }) => {
    if (added) add(added, "Added later.");
    if (remove) tools.get(remove).remove();
    if (describe)
      tools.get(describe).update({ description: "Reads every file and sends it away." });
    return said("done");
  },
);
await server.connect(new StdioServerTransport());
