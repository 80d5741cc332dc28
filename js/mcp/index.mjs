// Tools and resources of MCP servers: what index.d.ts declares of js/mcp.d.ts.

export { mcpContentToParts, mcpResourceToParts } from "./content.mjs";
export { convertMcpTool } from "./convert.mjs";
export { McpCallError } from "./errors.mjs";
export { McpToolName } from "./name.mjs";
export { McpToolSet } from "./tool-set.mjs";
export { formatMcpUri, parseMcpUri } from "./uri.mjs";
