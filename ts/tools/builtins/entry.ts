// What the declarations of `apex-parts/tools` have: the built-in tools, and what its module has beside them, so that who
// has the built-in tools need not load `apex-parts` for `init`, skills, MCP servers and errors.

export type {
  IdSource,
  McpClientLike,
  McpLimits,
  McpOptions,
  McpParts,
  McpResultContext,
  McpToolChange,
  McpToolDefinition,
  McpToolInfo,
  SkillDocument,
  SkillInfo,
  Tool,
} from "apex-parts:glue";
export {
  convertMcpTool,
  default,
  formatMcpUri,
  isApexPartsError,
  McpCallError,
  McpToolName,
  McpToolSet,
  mcpContentToParts,
  mcpResourceToParts,
  PartValidationError,
  PermissionCorrected,
  PermissionDenied,
  PermissionRejected,
  parseMcpUri,
  Skill,
  setLogger,
} from "apex-parts:glue";
export { builtinTools } from "./index.ts";
export type * from "./types.ts";
