/** The settings of the loop detector. */
export interface DoomLoopConfig {
  /** The number of repeats that make a loop. Default: 3; 0 or less turns the detection of repeats off. */
  threshold?: number;
  /** Milliseconds between two evaluations of the soft kinds. Default: 1000. Accepted for compatibility; it has no effect, because every kind is cheap enough to be evaluated at each call. */
  checkInterval?: number;
  /** The maximum number of calls of a run. Default: 50. */
  maxIterations?: number;
  /** Tools whose calls are ignored: the calls around them count as consecutive. Default: those of `DEFAULT_DOOM_LOOP_CONFIG`. */
  ignoredTools?: string[];
  /** Tools whose calls do not count and separate the calls before them from those after. */
  boundaryTools?: string[];
  /** Tools that are polled by design: they have four times the threshold. */
  pollTools?: string[];
  /** Tools whose success is progress. Default: recognized by their names (write, edit, patch, …). */
  progressTools?: string[];
  /** By tool: arguments that are ignored when calls are compared. */
  volatileArgKeys?: Record<string, string[]>;
  /** Soft kinds that are not detected. */
  disabled?: LoopKind[];
}
/** The default settings; they are frozen, and have the settings that have a default of their own. */
export const DEFAULT_DOOM_LOOP_CONFIG: Readonly<Required<Pick<DoomLoopConfig, "threshold" | "checkInterval" | "maxIterations" | "ignoredTools">>>;
/** The kinds of loop. */
export type LoopKind = "exact_repeat" | "exact_error" | "cycle" | "interleaved_repeat" | "same_error" | "near_repeat" | "stagnation" | "no_progress_read" | "duplicate_fanout" | "chanting" | "monologue" | "repeated_reasoning" | "context_loop" | "max_iterations";
/** A verdict and the evidence for it. `detect` returns the current one; `text`, `event` and the `check` of an ignored tool return `continue` if they find nothing themselves, whatever the current verdict. */
export interface DoomLoopDetectionResult {
  /** A loop was found. */
  isDetected: boolean;
  /** `tool(args)` of the calls of the loop, at most 160 characters. */
  pattern?: string;
  /** The number of calls so far, without those of ignored and boundary tools. */
  stepCount: number;
  /** What to do: `interrupt` the run, or only tell the model (`warning`). */
  suggestedAction: "continue" | "interrupt" | "warning";
  /** What repeats. */
  kind?: LoopKind;
  /** The number of calls in one round of the loop. */
  period?: number;
  /** The number of rounds. */
  repeats?: number;
  /** The calls that are the evidence, as indices of their `check`, from 0. */
  calls?: number[];
  /** The ids of those calls that have one. */
  callIDs?: string[];
  /** What is wrong and what to do instead, for the model. */
  message?: string;
}
/** A call that is about to run. */
export interface ToolCallSeen {
  toolName: string;
  parameters?: unknown;
  /** A call with an id that was checked before is a replay of that call. */
  callID?: string;
  /** A number that parallel calls of one turn of the model share: a round counts once. Default: the call is a round by itself. */
  round?: number;
  /** Milliseconds since the Unix epoch. Default: now. */
  timestamp?: number;
  /** The range that a reading call covers, in any unit. */
  range?: { resource: string; start: number; end: number };
}
/** A call that has run, or was refused. */
export interface ToolCallOutcome {
  callID?: string;
  /** The index of the call, if it has no callID. Default: the last call. Anything but a whole number matches no call. */
  call?: number;
  result?: unknown;
  /** Compared instead of the result. */
  resultKey?: string;
  /** The call failed. After a `check` that said to interrupt this is a refusal, as `blocked` is. */
  isError?: boolean;
  /** The call was refused and did not run: it has no result, and counts as equal to the last identical call. */
  blocked?: boolean;
}
/** The error that an engine can return to the model when it interrupts a run. */
export interface DoomLoopErrorResponse {
  error: {
    name: "DoomLoopDetected";
    message: string;
    details: {
      pattern: string;
      attemptCount: number;
      threshold: number;
      lastToolCalls: { toolName: string; parameters: unknown; timestamp: number }[];
    };
  };
  suggestion: string;
}
