// Tools and permissions: definitions, the registry, rules and the gate.

export type * from "./error-types.ts";
export { Permission } from "./permission.ts";
export { ToolRegistry, ToolStatus, ToolType, toolRegistry } from "./registry.ts";
export type { SchemaValue } from "./schema-types.ts";
export { Tool } from "./tool.ts";
export type * from "./types.ts";
