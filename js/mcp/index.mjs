// Tools and resources of MCP servers: what index.d.ts declares of js/mcp.d.ts.

export { McpToolName } from "./name.mjs";
