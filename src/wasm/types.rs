//! Declarations that belong to no Rust type: option objects, errors, what other libraries take.

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const OPTIONS: &str = r#"
/** How `validate…` judges ids. */
export interface ValidateOptions {
  /** "apex" (default): sessionID and messageID are UUIDs (BR-04). "opencode": any non-empty id. */
  ids?: "apex" | "opencode";
}
/** How a transcript is opened. */
export interface TranscriptOptions {
  /** Default: told from the content. */
  format?: TranscriptFormat;
  /** Default: what the format uses. */
  ids?: "apex" | "opencode";
  /**
   * Gives the bytes of the file from `start` to before `end`. Where it is given the file is not held:
   * what is pushed is scanned and forgotten, and what is asked for later is read by this function. It
   * must not call the transcript.
   */
  read?: (start: number, end: number) => Uint8Array;
}
/** What a list of rows needs to know of every message and part. */
export interface TranscriptLayout {
  /** The index of the first part of each message among all parts, and the number of parts at the end. */
  firstPart: Uint32Array;
  /** Each part's type: 0 text, 1 reasoning, 2 tool, 3 step-start, 4 step-finish, 5 file, 6 subtask, 7 agent, 8 compaction, 9 retry, 10 snapshot, 11 patch, 255 any other. */
  types: Uint8Array;
  /** Each part's tool state: 0 none, 1 pending, 2 running, 3 completed, 4 error. */
  statuses: Uint8Array;
  /** Each message's role: 0 unknown, 1 user, 2 assistant. */
  roles: Uint8Array;
  /** Each message: bit 0 it has an error, bit 1 it is a summary, bit 2 it has calls of tools. */
  flags: Uint8Array;
  /** Each part's JSON in bytes. */
  sizes: Uint32Array;
  /** When each part began, in milliseconds since the Unix epoch; `NaN` where it does not say. */
  starts: Float64Array;
  /** When each part ended; `NaN` where it does not say, or goes on. */
  ends: Float64Array;
  /** What each step cost, in US dollars, at its step-finish part; 0 for other parts. */
  costs: Float32Array;
  /** All tokens of each step, those of the cache too, at its step-finish part; 0 for other parts. */
  tokens: Uint32Array;
  /** Each part's tool: its index in `toolNames`, and 1; 0 for other parts, and for a tool without a name or beyond the first 65,534 names. */
  tools: Uint16Array;
  /** When each message was made, in milliseconds since the Unix epoch; `NaN` where it does not say. */
  created: Float64Array;
  /** When each message was complete; `NaN` where it does not say, or is not. */
  completed: Float64Array;
  /** Each message's agent: its index in `agentNames`, and 1; 0 where it names none, or one beyond the first 65,534. */
  agents: Uint16Array;
  /** Each message's session: its index in the transcript's `sessions`; 4294967295 where it names none. */
  sessions: Uint32Array;
  /** The tools, in the order in which they are called first. Of a name the first 200 bytes. */
  toolNames: string[];
  /** The agents, in the order in which they come first. Of a name the first 200 bytes. */
  agentNames: string[];
}
"#;

/// apex-bridge's option objects and second names (its `src/types/tool-state.ts`).
#[wasm_bindgen(typescript_custom_section)]
const STATE_OPTIONS: &str = r#"
/** What `createToolStatePending` takes. */
export interface CreateToolStatePendingOptions {
  input: Record<string, unknown>;
  raw: string;
}
/** What `createToolStateRunning` takes. */
export interface CreateToolStateRunningOptions {
  input: Record<string, unknown>;
  title?: string;
  metadata?: Record<string, unknown>;
  startTime?: number;
}
/** What `createToolStateCompleted` takes. */
export interface CreateToolStateCompletedOptions {
  input: Record<string, unknown>;
  output: string;
  title: string;
  metadata?: Record<string, unknown>;
  attachments?: FilePart[];
  startTime?: number;
  endTime?: number;
}
/** What `createToolStateError` takes. */
export interface CreateToolStateErrorOptions {
  input: Record<string, unknown>;
  error: string;
  metadata?: Record<string, unknown>;
  startTime?: number;
  endTime?: number;
}
export type IToolState = ToolState;
export type IToolStatePending = ToolStatePending;
export type IToolStateRunning = ToolStateRunning;
export type IToolStateCompleted = ToolStateCompleted;
export type IToolStateError = ToolStateError;
"#;

#[wasm_bindgen(typescript_custom_section)]
const UI_MESSAGES: &str = r#"
/** A message as the AI SDK takes it. */
export interface UIMessage {
  id: string;
  role: "user" | "assistant";
  parts: UIPart[];
}
/**
 * A part of a message as the AI SDK takes it. What providers add is `any`: the SDK wants JSON values there,
 * which `unknown` are not.
 */
export type UIPart =
  | { type: "text"; text: string; providerMetadata?: Record<string, any> }
  | { type: "reasoning"; text: string; providerMetadata?: Record<string, any> }
  | { type: `tool-${string}`; state: "output-available"; toolCallId: string; input: Record<string, unknown>; output: string; callProviderMetadata?: Record<string, any> }
  | { type: `tool-${string}`; state: "output-error"; toolCallId: string; input: Record<string, unknown>; errorText: string; callProviderMetadata?: Record<string, any> }
  | { type: "file"; url: string; mediaType: string; filename?: string };
"#;

// Methods, because their parameters compare both ways: with these, a function of apex-bridge's own types
// can still stand for one of these functions. scripts/build.mjs gives the functions these types.
#[wasm_bindgen(typescript_custom_section)]
const CREATING: &str = r#"
/** What was required, and is perhaps not there. */
type Perhaps<T> = undefined extends T ? T : T | null | undefined;
/** Where a required argument is `undefined` or `null`, that is logged and nothing is made. */
type Create<Arguments extends unknown[], Made> = {
  create(...given: Arguments): Made;
  create(...given: { [At in keyof Arguments]: Perhaps<Arguments[At]> }): Made | undefined;
}["create"];
/** The same, of an object of options. */
type CreateFrom<Options, Made> = {
  create(options: Options): Made;
  create(options: { [Option in keyof Options]: Perhaps<Options[Option]> } | null | undefined): Made | undefined;
}["create"];
"#;

#[wasm_bindgen(typescript_custom_section)]
const ERRORS: &str = r#"
/** Everything thrown is a real Error with one of these names; `name` tells what its `details` hold. */
export type ApexPartsError =
  | PartValidationError
  | InvalidStateTransition
  | MissingRequiredField
  | ReasoningStateError
  | StepStateError
  | DoomLoopDetected
  | DeltaContractError
  | TranscriptError;
/** A value breaks rules: all of them are told. */
export interface PartValidationError extends Error {
  name: "PartValidationError";
  details: { problems: Problem[]; [more: string]: unknown };
}
/** A tool state cannot go where it was asked to. */
export interface InvalidStateTransition extends Error {
  name: "InvalidStateTransition";
  details: {
    /** The status as it was given; `undefined` where there is none. */
    currentStatus: string | undefined;
    attemptedStatus: ToolState["status"];
    /** The statuses reachable in one step, its own included. */
    validTransitions: ToolState["status"][];
    [more: string]: unknown;
  };
}
/** A required argument is `undefined` or `null`. Logged, not thrown. */
export interface MissingRequiredField extends Error {
  name: "MissingRequiredField";
  details: { function: string; field: string; [more: string]: unknown };
}
/** A thought began, went on or ended out of turn, and was put right. Logged, not thrown. */
export interface ReasoningStateError extends Error {
  name: "ReasoningStateError";
  details: Record<string, unknown>;
}
/** A step or a call began or ended out of turn, and was put right. Logged, not thrown. */
export interface StepStateError extends Error {
  name: "StepStateError";
  details: Record<string, unknown>;
}
/** What an engine throws of a `DoomLoopErrorResponse`. Not thrown here. */
export interface DoomLoopDetected extends Error {
  name: "DoomLoopDetected";
  details: Record<string, unknown>;
}
/** A stream breaks its contract, or its bytes are none. */
export interface DeltaContractError extends Error {
  name: "DeltaContractError";
  details: {
    /** `DC-1` …, or `schema`, `json`, `limit`. */
    rule: string;
    seq?: number;
    runId?: string;
    /** Where in the delta, as a JSON Pointer. */
    path?: string;
    /** The byte of the stream at which the record begins. */
    offset?: number;
    [more: string]: unknown;
  };
}
/** The bytes are no transcript, or what was asked for cannot be read. */
export interface TranscriptError extends Error {
  name: "TranscriptError";
  details: { offset: number; [more: string]: unknown };
}
"#;
