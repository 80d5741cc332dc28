// Tools and permissions: what index.d.ts declares of js/{tools,registry,permission}.d.ts.

export { Permission } from "./permission.mjs";
export { ToolRegistry, ToolStatus, ToolType, toolRegistry } from "./registry.mjs";
export { Tool } from "./tool.mjs";
