//! TypeScript declarations without a Rust type: options, errors, the types of other libraries.

mod deltas;
mod loops;
#[cfg(feature = "transcript")]
mod transcripts;

use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const OPTIONS: &str = r#"
/** Which ids the validator accepts. */
export interface ValidateOptions {
  /** "apex" (default): sessionID and messageID are UUIDs (BR-04). "opencode": any non-empty id. */
  ids?: "apex" | "opencode";
}
"#;

#[wasm_bindgen(typescript_custom_section)]
const MODEL: &str = r#"
/**
 * The types of parts that a program adds to `Part`: the name of a type, and the fields that it has beside `type` and
 * those of `PartBase`. A program declares them once, in a module of its own; the types hold for every entry.
 * @example
 * ```ts
 * import type { Part } from "apex-parts";
 *
 * declare module "apex-parts" {
 *   interface CustomParts {
 *     "my-note": { text: string };
 *   }
 * }
 *
 * const textOf = (part: Part) => (part.type === "my-note" ? part.text : "");
 * textOf({ id: "p", sessionID: "s", messageID: "m", type: "my-note", text: "Hi" }); // "Hi"
 * ```
 */
export interface CustomParts {}
/** The part of a type that `CustomParts` has. */
export type CustomPartOf<Type extends keyof CustomParts> = PartBase & { type: Type } & CustomParts[Type];
/** The parts of all types that `CustomParts` has; `never` if it has none. */
export type ProgramPart = { [Type in keyof CustomParts]: CustomPartOf<Type> }[keyof CustomParts];
/** Why a message failed or a request was sent again. `name` tells the form: `undefined` is the flat one. */
export type MessageError = FlatAPIError | NamedError;
/** An error in the form of apex-bridge: an `APIError` without a name. */
export interface FlatAPIError extends APIError {
  name?: undefined;
  data?: undefined;
}
/**
 * An error in the form of OpenCode: `name` says what `data` holds. The validator checks that the name is one of these,
 * and that `data` is an object.
 */
export type NamedError =
  | { name: "ProviderAuthError"; data: { providerID: string; message: string } }
  | { name: "UnknownError"; data: { message: string; ref?: string } }
  | { name: "MessageOutputLengthError"; data: Record<string, unknown> }
  | { name: "MessageAbortedError"; data: { message: string } }
  | { name: "StructuredOutputError"; data: { message: string; retries: number } }
  | { name: "ContextOverflowError"; data: { message: string; responseBody?: string } }
  | { name: "ContentFilterError"; data: { message: string } }
  | { name: "APIError"; data: APIError };
/** What changed in a file, as OpenCode writes it. The validator does not look into it. */
export interface FileDiff {
  /** The path of the file. */
  file?: string;
  /** The change as a unified diff. */
  patch?: string;
  /** The whole text before; older versions wrote it instead of `patch`. */
  before?: string;
  /** The whole text after; older versions wrote it instead of `patch`. */
  after?: string;
  /** The number of lines added. */
  additions: number;
  /** The number of lines removed. */
  deletions: number;
  status?: "added" | "deleted" | "modified";
}
"#;

/// The option objects and type aliases of apex-bridge (its `src/types/tool-state.ts`).
#[wasm_bindgen(typescript_custom_section)]
const STATE_OPTIONS: &str = r#"
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
"#;

#[wasm_bindgen(typescript_custom_section)]
const UI_MESSAGES: &str = r#"
/** A message in the form of the AI SDK. */
export interface UIMessage {
  id: string;
  role: "user" | "assistant";
  parts: UIPart[];
}
/**
 * A part of a message in the form of the AI SDK. Provider metadata is `any`: the SDK requires JSON values, apex-bridge
 * has `unknown` ones, and programs give these parts to both. An output is a string, or the value whose JSON it is.
 * A call whose `approval` says so has the state `output-denied`, `approval-responded` or `approval-requested` and neither
 * `output` nor `errorText`; the type leaves these states out, because apex-bridge's does.
 */
export type UIPart =
  | { type: "text"; text: string; providerMetadata?: Record<string, any> }
  | { type: "reasoning"; text: string; providerMetadata?: Record<string, any> }
  | { type: `tool-${string}`; state: "output-available"; toolCallId: string; input: Record<string, unknown>; output: any; providerExecuted?: boolean; approval?: any; callProviderMetadata?: Record<string, any>; resultProviderMetadata?: Record<string, any> }
  | { type: `tool-${string}`; state: "output-error"; toolCallId: string; input: Record<string, unknown>; errorText: string; providerExecuted?: boolean; approval?: any; callProviderMetadata?: Record<string, any>; resultProviderMetadata?: Record<string, any> }
  | { type: "file"; url: string; mediaType: string; filename?: string; providerMetadata?: Record<string, any> };
"#;

// As methods, because method parameters are bivariant: a function with apex-bridge's own types stays
// assignable to these. scripts/build.mjs gives the functions these types.
#[wasm_bindgen(typescript_custom_section)]
const CREATING: &str = r#"
/** A required value that may be missing. */
type Perhaps<T> = undefined extends T ? T : T | null | undefined;
/** Creates a value; if a required argument is `undefined` or `null`, that is logged and the result is `undefined`. */
type Create<Arguments extends unknown[], Made> = {
  create(...given: Arguments): Made;
  create(...given: { [At in keyof Arguments]: Perhaps<Arguments[At]> }): Made | undefined;
}["create"];
/** The same, from an object of options. */
type CreateFrom<Options, Made> = {
  create(options: Options): Made;
  create(options: { [Option in keyof Options]: Perhaps<Options[Option]> } | null | undefined): Made | undefined;
}["create"];
"#;

#[wasm_bindgen(typescript_custom_section)]
const ERRORS: &str = r#"
/**
 * All errors of all entries are of one of these classes; `name` tells which, and the shape of `details`. `instanceof`
 * holds for the errors of every entry and copy of the package. A message ends in the rule that was broken: `… (BR-09)`.
 */
export type ApexPartsError =
  | PartValidationError
  | InvalidStateTransition
  | MissingRequiredField
  | ReasoningStateError
  | StepStateError
  | DoomLoopDetected
  | DeltaContractError
  | TranscriptError
  | CompactionError
  | ToolDefinitionError
  | PermissionDenied
  | PermissionRejected
  | PermissionCorrected
  | McpCallError
  | RunStoreError
  | Tool.Expected;
/** A value breaks rules, all of which are in `details.problems`; or an argument or option is invalid. */
export class PartValidationError extends Error {
  constructor(message: string, details: PartValidationError["details"]);
  name: "PartValidationError";
  details: { problems: Problem[]; [more: string]: unknown };
}
/** A tool state cannot change to the status asked for. */
export class InvalidStateTransition extends Error {
  constructor(message: string, details: InvalidStateTransition["details"]);
  name: "InvalidStateTransition";
  details: {
    /** The status as given; `undefined` if there is none. */
    currentStatus: string | undefined;
    attemptedStatus: ToolState["status"];
    /** The statuses reachable in one step, including the current one. */
    validTransitions: ToolState["status"][];
    [more: string]: unknown;
  };
}
/** A required argument is `undefined` or `null`. Logged; only `ReActRecorder.startTool` throws it. */
export class MissingRequiredField extends Error {
  constructor(message: string, details: MissingRequiredField["details"]);
  name: "MissingRequiredField";
  details: { function: string; field: string; [more: string]: unknown };
}
/** Reasoning started, continued or ended out of order, which was corrected. Logged, not thrown. */
export class ReasoningStateError extends Error {
  constructor(message: string, details: ReasoningStateError["details"]);
  name: "ReasoningStateError";
  details: Record<string, unknown>;
}
/** A step or a call started or ended out of order, which was corrected. Logged; thrown by a `ReActRecorder` that was freed or is in use. */
export class StepStateError extends Error {
  constructor(message: string, details: StepStateError["details"]);
  name: "StepStateError";
  details: Record<string, unknown>;
}
/** The error that an engine can throw for a `DoomLoopErrorResponse`. Not thrown by this package. */
export class DoomLoopDetected extends Error {
  constructor(message: string, details: DoomLoopDetected["details"]);
  name: "DoomLoopDetected";
  details: Record<string, unknown>;
}
/** A stream violates its contract or cannot be read; or an argument or option is invalid. */
export class DeltaContractError extends Error {
  constructor(message: string, details: DeltaContractError["details"]);
  name: "DeltaContractError";
  details: {
    /** `DC-1` …, or `schema`, `json`, `limit`. */
    rule: string;
    seq?: number;
    runId?: string;
    /** The place in the delta, as a JSON Pointer. */
    path?: string;
    /** The offset in bytes at which the record begins in the stream. */
    offset?: number;
    [more: string]: unknown;
  };
}
/** The bytes are not a transcript, or a message cannot be read; or an argument or option is invalid. `offset` is in bytes. */
export class TranscriptError extends Error {
  constructor(message: string, details: TranscriptError["details"]);
  name: "TranscriptError";
  details: {
    offset: number;
    /** `format`, `source`, `schema`, `limit`, or that of the problem that left nothing. */
    rule?: string;
    [more: string]: unknown;
  };
}
"#;
