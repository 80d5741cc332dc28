//! Declarations of streams, deltas and the messages they are assembled to.

use crate::wasm::declarations::Declarations;
use crate::wire::WireFormat;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const STREAM_FORMATS: &str = r"
/** The names of all formats of streams, as `format` of a DeltaAssembler takes them. */
export const STREAM_FORMATS: readonly WireFormat[];
";

#[wasm_bindgen(typescript_custom_section)]
const WIRE_FORMAT: &str = {
    const TEXT: &Declarations = &Declarations::union(
        "/** What the bytes of a stream are. */\nexport type WireFormat = ",
        &WireFormat::NAMES,
    );
    TEXT.as_str()
};

#[wasm_bindgen(typescript_custom_section)]
const DELTAS: &str = r#"
/** A part of a message as it streams. */
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
 * The one protocol in which a model's output arrives. A payload may hold more than its smallest set; `meta` of `done` and
 * `error` carries what a message has beyond parts, finish reason and usage.
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
/** How a stream is assembled. */
export interface AssemblerOptions {
  /** What the bytes given to pushBytes are. Default "delta": MessageDelta as SSE or NDJSON (told apart by the first bytes). */
  format?: WireFormat;
  /** Default: taken from the first delta, or a new UUID for provider formats. */
  runId?: string;
  /** "throw" (default): the first violation of the contract throws DeltaContractError. "collect": it is recorded in problems() and the delta is skipped. */
  onProblem?: "throw" | "collect";
  /** A delta whose seq was already taken: "error" (default) or "ignore", for at-least-once transports. */
  onDuplicate?: "error" | "ignore";
  /** The most bytes that a message holds, and that one record has. Default 256 MB; no more than 1 GiB. */
  maxBytes?: number;
  /** How deep arguments and records may be nested. Default 512. */
  maxDepth?: number;
}
/** Where a message assembled from a stream belongs. */
export interface WithPartsContext {
  sessionID: string;
  messageID?: string;
  parentID: string;
  agent: string;
  providerID: string;
  modelID?: string;
  path: { cwd: string; root: string };
}
/** What a screen redraws. */
export type Change =
  | { op: "add"; part: number; value: MessagePart }
  | { op: "append"; part: number; field: "text" | "args"; text: string }
  | { op: "set"; part: number; value: MessagePart }
  | { op: "status"; status: "streaming" | "done" | "error" };
"#;
