import type { StepFinishPart, StepStartPart } from "apex-parts:glue";
import type { DoomLoopConfig } from "./loops.d.ts";

/** The options of a `ReActRecorder`. */
export interface ReActRecorderOptions {
  /** The id of the session; not empty. */
  sessionID: string;
  /** The id of the message that is recorded; not empty. */
  messageID: string;
  /** The settings of the loop detector. */
  doomLoop?: DoomLoopConfig;
}
/** An event of a run, in the form that apex-bridge streams; `type` says what `data` is. */
export type StreamEvent =
  /** Reasoning begins or ends: the id of its part. */
  | StreamEventOf<"reasoning-start" | "reasoning-end", { id: string }>
  /** A piece of the reasoning, or of the answer's text. */
  | StreamEventOf<"reasoning-delta" | "content", { id: string; text: string }>
  | StreamEventOf<"step-start", StepStartPart>
  | StreamEventOf<"step-finish", StepFinishPart>
  | StreamEventOf<"tool_start", { callID: string; tool: string; input: Record<string, unknown> }>
  | StreamEventOf<"tool_end", ToolEnd>
  /** For a program's own events: a recorder creates none of these. */
  | StreamEventOf<"done" | "error", unknown>;
/** The end of a tool call; `success` says whether there is an output or an error. */
export type ToolEnd =
  | { callID: string; tool: string; success: true; output: string }
  | { callID: string; tool: string; success: false; error: string };
/** An event of this type with this data. */
export interface StreamEventOf<Type extends string, Data> {
  /** What has happened. */
  type: Type;
  /** The facts. */
  data: Data;
  /** Milliseconds since the Unix epoch. */
  timestamp: number;
  /** The number of steps started so far. */
  iteration: number;
  /** The number of its step, from 1; 0 before the first step. */
  stepNumber?: number;
}
