// Tools and resources of MCP servers.
export { mcpContentToParts, mcpResourceToParts } from "./content.ts";
export { convertMcpTool } from "./convert.ts";
export { McpCallError } from "./errors.ts";
export { McpToolName } from "./name.ts";
export { McpToolSet } from "./tool-set.ts";
export type * from "./types.ts";
export { formatMcpUri, parseMcpUri } from "./uri.ts";
