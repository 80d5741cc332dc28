// The errors of tools and permissions as programs see them: src/wasm/errors.js makes the classes.
import type { Permission } from "apex-parts:glue";

/** A definition that cannot become a tool. */
export declare class ToolDefinitionError extends Error {
  /**
   * @param message - What is wrong, and what to do.
   * @param details - The facts, as the property `details` has them.
   */
  constructor(message: string, details: ToolDefinitionError["details"]);
  name: "ToolDefinitionError";
  details: { id: unknown; [more: string]: unknown };
}
/** Rules deny a request, or nobody is there to answer it. */
export declare class PermissionDenied extends Error {
  /**
   * @param message - What is wrong, and what to do.
   * @param details - The facts, as the property `details` has them.
   */
  constructor(message: string, details: PermissionDenied["details"]);
  name: "PermissionDenied";
  details: { permission: string; [more: string]: unknown };
}
/** A request was turned down. */
export declare class PermissionRejected extends Error {
  /**
   * @param message - What is wrong, and what to do.
   * @param details - The facts, as the property `details` has them.
   */
  constructor(message: string, details: PermissionRejected["details"]);
  name: "PermissionRejected";
  details: { request: Permission.Request; [more: string]: unknown };
}
/** A request was turned down, with a message for the model. */
export declare class PermissionCorrected extends Error {
  /**
   * @param message - What is wrong, and what to do.
   * @param details - The facts, as the property `details` has them.
   */
  constructor(message: string, details: PermissionCorrected["details"]);
  name: "PermissionCorrected";
  details: { request: Permission.Request; [more: string]: unknown };
}
