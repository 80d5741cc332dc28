//! Declarations of the doom-loop detector.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const LOOPS: &str = r#"
/** How the detector is set. */
export interface DoomLoopConfig {
  /** How many repeats are a loop. Default 3; 0 or less turns repeats off. */
  threshold?: number;
  /** Milliseconds between two evaluations of the soft kinds. Default 1000. Checked and kept; it changes nothing here, for every kind costs the same few steps a call, so none has to wait. */
  checkInterval?: number;
  /** How many calls a run may make. Default 50. */
  maxIterations?: number;
  /** Tools that do not count and are looked through. Default todo-write, todo-read. */
  ignoredTools?: string[];
  /** Tools that do not count and part the calls before them from those behind. */
  boundaryTools?: string[];
  /** Tools that are asked again and again by design: four times the threshold. */
  pollTools?: string[];
  /** Tools whose success is progress. Default: told by their names (write, edit, patch, …). */
  progressTools?: string[];
  /** By tool: arguments that do not make a call another one. */
  volatileArgKeys?: Record<string, string[]>;
  /** Soft kinds to leave out. */
  disabled?: LoopKind[];
}
/** The seed's settings. */
export const DEFAULT_DOOM_LOOP_CONFIG: DoomLoopConfig;
/** The kinds of loop. */
export type LoopKind = "exact_repeat" | "exact_error" | "cycle" | "interleaved_repeat" | "same_error" | "near_repeat" | "stagnation" | "no_progress_read" | "duplicate_fanout" | "chanting" | "monologue" | "repeated_reasoning" | "context_loop" | "max_iterations";
/** A verdict, and the evidence for it. `detect` gives the one that stands; `text`, `event` and the `check` of an ignored tool say `continue` where they see nothing themselves, whatever stands. */
export interface DoomLoopDetectionResult {
  isDetected: boolean;
  /** `tool(args)` of the calls that make the loop, at most 160 characters. */
  pattern?: string;
  /** The calls that count, so far: those of ignored and of boundary tools do not. */
  stepCount: number;
  suggestedAction: "continue" | "interrupt" | "warning";
  kind?: LoopKind;
  /** How many calls make one round of it. */
  period?: number;
  /** How often it came round. */
  repeats?: number;
  /** The calls that are the evidence: the how manieth `check` they were, from 0. */
  calls?: number[];
  /** Their ids, as far as they have any. */
  callIDs?: string[];
  /** What is wrong and what to do about it, for the model. */
  message?: string;
}
/** A call that is about to run. */
export interface ToolCallSeen {
  toolName: string;
  parameters?: unknown;
  /** One that was seen already is the same call once more. */
  callID?: string;
  /** Parallel calls of one model turn share a round. */
  round?: number;
  /** Milliseconds since the Unix epoch. Default: now. */
  timestamp?: number;
  /** What a read covers. */
  range?: { resource: string; start: number; end: number };
}
/** A call that has run. */
export interface ToolCallOutcome {
  callID?: string;
  /** Index of the call, where it had no callID. Default: the last. What is no whole number is no call that is known. */
  call?: number;
  result?: unknown;
  /** What stands for the result when results are compared. */
  resultKey?: string;
  isError?: boolean;
}
/** What an engine can hand back when a run is interrupted. */
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
"#;
