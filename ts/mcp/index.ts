// Tools and resources of MCP servers: what index.d.ts declares of js/mcp.d.ts.

export { mcpContentToParts, mcpResourceToParts } from "./content.ts";
export { convertMcpTool } from "./convert.ts";
export { McpCallError } from "./errors.ts";
export { McpToolName } from "./name.ts";
export { McpToolSet } from "./tool-set.ts";
export { formatMcpUri, parseMcpUri } from "./uri.ts";
