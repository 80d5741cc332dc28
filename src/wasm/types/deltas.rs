//! Declarations for streams, deltas and the messages assembled from them.

use crate::wasm::declarations::Declarations;
use crate::wire::WireFormat;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const STREAM_FORMATS: &str = r"
/** All formats of streams: the values of the option `format` of a `DeltaAssembler`. */
export const STREAM_FORMATS: readonly WireFormat[];
";

#[wasm_bindgen(typescript_custom_section)]
const WIRE_FORMAT: &str = {
    const TEXT: &Declarations = &Declarations::union(
        "/** The formats of streams. */\nexport type WireFormat = ",
        &WireFormat::NAMES,
    );
    TEXT.as_str()
};

#[wasm_bindgen(typescript_custom_section)]
const DELTAS: &str = r#"
/** A part of a message of a run. */
export type MessagePart =
  | { kind: "text"; payload: { text: string } }
  | { kind: "thinking"; payload: { text: string } }
  | { kind: "tool_call"; payload: { toolCallId: string; toolName: string; arguments: unknown; rawArgsText?: string } }
  | { kind: "tool_result"; payload: { toolCallId: string; isError: boolean; content: unknown } }
  | { kind: "image"; payload: { mimeType: string; data?: string; url?: string } }
  | { kind: "file_ref"; payload: { path: string; mimeType?: string; size?: number } };
/** A message of a run. */
export interface Message {
  runId: string;
  role: "system" | "user" | "assistant" | "tool";
  parts: MessagePart[];
  timestamp: string;
  meta?: Record<string, unknown>;
}
/**
 * One step of the output of a model, the same for all providers. A payload may have further fields; `meta` of `done` and
 * `error` holds what a message has besides parts, finish reason and usage.
 */
export type MessageDelta = { runId: string; seq: number; timestamp: string; providerRaw?: Record<string, unknown> } & (
  | { kind: "start"; payload: { modelId: string; requestId: string; [more: string]: unknown } }
  | { kind: "text" | "thinking"; payload: { textDelta: string; [more: string]: unknown } }
  | { kind: "tool_call_start"; payload: { toolCallId: string; toolName: string; [more: string]: unknown } }
  | { kind: "tool_call_args"; payload: { toolCallId: string; argsTextDelta: string; [more: string]: unknown } }
  | { kind: "tool_call_end"; payload: { toolCallId: string; [more: string]: unknown } }
  | { kind: "usage"; payload: { inputTokens: number; outputTokens: number; totalTokens: number; cost?: number; cacheReadTokens?: number; cacheWriteTokens?: number; reasoningTokens?: number; [more: string]: unknown } }
  | { kind: "done"; payload: { finishReason: string; meta?: Record<string, unknown>; [more: string]: unknown } }
  | { kind: "error"; payload: { errorCode: string; message?: string; retryable?: boolean; meta?: Record<string, unknown>; [more: string]: unknown } });
/** The options of a `DeltaAssembler`. */
export interface AssemblerOptions {
  /** The format of the bytes given to `pushBytes`. Default "delta": MessageDelta as SSE or NDJSON, detected from the first bytes. */
  format?: WireFormat;
  /** The id of the run. Default: that of the first delta, or a new UUID for formats of providers. */
  runId?: string;
  /** What a violation of the contract does. "throw" (default): it throws DeltaContractError. "collect": it is added to problems() and the delta is skipped. */
  onProblem?: "throw" | "collect";
  /** What a delta with the seq of an earlier one does. "error" (default): it is a violation. "ignore": it is dropped, for at-least-once transports. */
  onDuplicate?: "error" | "ignore";
  /** The maximum size of a message, and of one record, in bytes. Default: 256 MB; at most 1 GiB. */
  maxBytes?: number;
  /** The maximum nesting depth of arguments and records. Default: 512. */
  maxDepth?: number;
}
/** The fields of a message with parts that its stream does not contain. */
export interface WithPartsContext {
  sessionID: string;
  messageID?: string;
  parentID: string;
  agent: string;
  providerID: string;
  modelID?: string;
  path: { cwd: string; root: string };
}
/** A change of the message, for a screen: `part` is an index in its parts. */
export type Change =
  | { op: "add"; part: number; value: MessagePart }
  | { op: "append"; part: number; field: "text" | "args"; text: string }
  | { op: "set"; part: number; value: MessagePart }
  | { op: "status"; status: "streaming" | "done" | "error" };
"#;
