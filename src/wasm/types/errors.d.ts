import type {
  CompactionError,
  McpCallError,
  PermissionCorrected,
  PermissionDenied,
  PermissionRejected,
  Problem,
  Tool,
  ToolDefinitionError,
  ToolState,
} from "apex-parts:glue";
import type { RunStoreError } from "../../../ts/store/errors.ts";

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
