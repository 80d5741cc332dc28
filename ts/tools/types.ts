// The types of tools and their calls.
import type {
  DoomLoopDetector,
  Permission,
  ReActRecorder,
  Tool,
  ToolPart,
  WithParts,
} from "apex-parts:glue";

/** A JSON Schema of the dialect 2020-12. */
export type JSONSchema = { type?: string | readonly string[]; [keyword: string]: unknown };

/** How a long output is cut: at whole lines, at most 2,000 of them and 51,200 bytes unless set otherwise. */
export interface TruncateOptions {
  maxLines?: number;
  maxBytes?: number;
  /** Which end is kept; the head by default. */
  direction?: "head" | "tail";
}

/** A tool for a prompt. */
export interface ToolDescription {
  name: string;
  description: string;
  parameters: { name: string; type: string; description: string; required: boolean }[];
}

/** A tool as apex-bridge's ToolDispatcher knows it. */
export interface ToolInfo {
  id: string;
  description: string;
  parameters?: { type: "object"; properties: Record<string, unknown>; required?: string[] };
  /**
   * Runs the tool.
   * @param args - The arguments.
   * @returns The output.
   */
  execute(
    args: Record<string, unknown>,
  ): Promise<{ output: string; metadata?: Record<string, unknown> }>;
}

/** Where whole outputs are put that are too long for a model. */
export interface OutputStore {
  /**
   * Saves an output of at most 64 MiB; returns what the model is shown: a path or a URI.
   * @param text - The output.
   * @param about - Whose output it is.
   * @returns A path or a URI.
   */
  save(text: string, about: { sessionID: string; callID: string; tool: string }): Promise<string>;
}

/** A call of a tool, as a model made it. */
export interface ToolCall {
  callID: string;
  tool: string;
  /** The arguments, parsed or as JSON text. */
  input?: unknown;
  /** The arguments as the model wrote them. */
  raw?: string;
  sessionID: string;
  messageID: string;
  agent?: string;
  /** Rules after those of the registry. */
  rules?: Permission.Ruleset[];
  abort?: Tool.Abort;
  extra?: Record<string, unknown>;
  messages?: WithParts[];
  /** A pending part to continue. */
  part?: ToolPart;
}

/**
 * A call that runs. Awaited, it gives the part in its last state, completed or error, and never rejects;
 * iterated, it gives every state in order, the last one included.
 */
export interface ToolRun extends PromiseLike<ToolPart>, AsyncIterable<ToolPart> {
  /** The part in its present state. */
  readonly part: ToolPart;
  /**
   * Stops the call: at once while it waits, after at most 3 s while the tool runs.
   * @param reason - Why, for the model.
   */
  abort(reason?: string): void;
}

/** What `ToolRegistry.execute` takes beside the call. */
export interface ExecuteOptions {
  /**
   * Gets the part in each state.
   * @param part - The part in its new state.
   */
  onState?(part: ToolPart): void;
  /**
   * Checks the call before, and records its result: an interruption ends the call, and is recorded as `blocked`; a
   * warning is in its metadata.
   */
  detector?: DoomLoopDetector;
  /**
   * A number that the parallel calls of one turn of the model share, for the detector: they count once. By default
   * each call is a round. The recorder goes by its steps.
   */
  round?: number;
  /**
   * The same with a recorder, which gets the call and its result: with the loops of its one message. Where a detector
   * is given too, for those of the whole run, either may interrupt.
   */
  recorder?: ReActRecorder;
  /**
   * The time that the tool may take in this call, in milliseconds; 0: any. It takes precedence over that of the tool
   * and that of the registry. Waiting for a reply does not count.
   */
  timeoutMs?: number;
}
