//! Declarations that belong to no Rust type: option objects, errors, what other libraries take.

mod deltas;
mod loops;
#[cfg(feature = "transcript")]
mod transcripts;

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const OPTIONS: &str = r#"
/** How `validate…` judges ids. */
export interface ValidateOptions {
  /** "apex" (default): sessionID and messageID are UUIDs (BR-04). "opencode": any non-empty id. */
  ids?: "apex" | "opencode";
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
