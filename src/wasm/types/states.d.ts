import type {
  FilePart,
  ToolState,
  ToolStateCompleted,
  ToolStateError,
  ToolStatePending,
  ToolStateRunning,
} from "apex-parts:glue";

/** The options of `createToolStatePending`. */
export interface CreateToolStatePendingOptions {
  input: Record<string, unknown>;
  raw: string;
}
/** The options of `createToolStateRunning`. Times are in milliseconds since the Unix epoch; default: now. */
export interface CreateToolStateRunningOptions {
  input: Record<string, unknown>;
  title?: string;
  metadata?: Record<string, unknown>;
  startTime?: number;
}
/** The options of `createToolStateCompleted`. Times are in milliseconds since the Unix epoch; default: now. */
export interface CreateToolStateCompletedOptions {
  input: Record<string, unknown>;
  output: string;
  title: string;
  metadata?: Record<string, unknown>;
  attachments?: FilePart[];
  startTime?: number;
  endTime?: number;
}
/** The options of `createToolStateError`. Times are in milliseconds since the Unix epoch; default: now. */
export interface CreateToolStateErrorOptions {
  input: Record<string, unknown>;
  error: string;
  metadata?: Record<string, unknown>;
  startTime?: number;
  endTime?: number;
}
/** The state of a tool call, under the name of apex-bridge. */
export type IToolState = ToolState;
/** A pending state, under the name of apex-bridge. */
export type IToolStatePending = ToolStatePending;
/** A running state, under the name of apex-bridge. */
export type IToolStateRunning = ToolStateRunning;
/** A completed state, under the name of apex-bridge. */
export type IToolStateCompleted = ToolStateCompleted;
/** A state in error, under the name of apex-bridge. */
export type IToolStateError = ToolStateError;
