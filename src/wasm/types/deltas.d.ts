import type { WireFormat } from "apex-parts:glue";

/**
 * What a provider wants back with a part: an object for each key, such as `{ anthropic: { signature } }`. Beside the keys,
 * `providerExecuted` says that the provider ran the call.
 */
export type ProviderState = { [key: string]: unknown };
/** A part of a message of a run; `kind` says which. */
export type MessagePart =
  /** Text of the answer, or of a request. */
  | { kind: "text"; payload: { text: string; provider?: ProviderState } }
  /** Reasoning of the model. */
  | { kind: "thinking"; payload: { text: string; provider?: ProviderState } }
  /** A call. `arguments` are parsed; while they arrive, and if they are not JSON, `rawArgsText` is their text (DC-7). */
  | { kind: "tool_call"; payload: { toolCallId: string; toolName: string; arguments: unknown; rawArgsText?: string; provider?: ProviderState } }
  /** What no other kind describes, such as a provider's compaction; `type` says what it is. */
  | { kind: "custom"; payload: { type: string; provider: ProviderState } }
  /** The result of a call, one each (DC-9). */
  | { kind: "tool_result"; payload: { toolCallId: string; isError: boolean; content: unknown } }
  /** An image: `data` is base64, or `url` says where it is. */
  | { kind: "image"; payload: { mimeType: string; data?: string; url?: string } }
  /** A file that is named, not embedded; `size` in bytes. */
  | { kind: "file_ref"; payload: { path: string; mimeType?: string; size?: number } };
/** A message of a run. */
export interface Message {
  /** The run that it belongs to. */
  runId: string;
  /** Who wrote it; which parts it may have (DC-14). */
  role: "system" | "user" | "assistant" | "tool";
  /** The parts in the order of their first deltas (DC-5). */
  parts: MessagePart[];
  /** When it began, ISO 8601. */
  timestamp: string;
  /** `modelId`, `requestId`, `finishReason`, `usage` (sums, DC-11), `parseErrors`, `unclosedToolCalls` (DC-7), `error` (DC-12), and what the provider told besides. */
  meta?: Record<string, unknown>;
}
/**
 * One step of the output of a model, the same for all providers; `kind` says what its payload is. `seq` grows within a
 * stream (DC-3), `runId` is that of the stream (DC-4), `timestamp` is ISO 8601, `providerRaw` is for debugging alone
 * (DC-13). A payload may have further fields; `meta` of `done` and `error` holds what a message has besides parts,
 * finish reason and usage.
 */
export type MessageDelta = { runId: string; seq: number; timestamp: string; providerRaw?: Record<string, unknown> } & (
  /** The first delta, once (DC-1): the model as the provider names it, and the id of the request. */
  | { kind: "start"; payload: { modelId: string; requestId: string; [more: string]: unknown } }
  /** Appends to the part of this block, else to the open part of this kind, or opens one (DC-5). `provider` is merged into the part's. */
  | { kind: "text" | "thinking"; payload: { textDelta: string; block?: string | number; provider?: ProviderState; [more: string]: unknown } }
  /** Opens a call; its id is unique in the run (DC-8). */
  | { kind: "tool_call_start"; payload: { toolCallId: string; toolName: string; provider?: ProviderState; [more: string]: unknown } }
  /** Appends to the JSON text of the arguments of an open call; calls may interleave (DC-6). */
  | { kind: "tool_call_args"; payload: { toolCallId: string; argsTextDelta: string; [more: string]: unknown } }
  /** Ends a call: its text is parsed, an empty one is `{}` (DC-7). With `provider`, also after that. */
  | { kind: "tool_call_end"; payload: { toolCallId: string; provider?: ProviderState; [more: string]: unknown } }
  /** A part that no other kind describes; or, if there is a part of this `type` and block, more of it: `provider` is merged into the part's. */
  | { kind: "custom"; payload: { type: string; provider: ProviderState; block?: string | number; [more: string]: unknown } }
  /** Takes back the parts that began with this `seq` or a later one, with their calls and results. */
  | { kind: "reset"; payload: { since: number; [more: string]: unknown } }
  /** Tokens since the last `usage`, which are summed (DC-11): `inputTokens` with the cached ones, `outputTokens` with reasoning; `cost` in US dollars. */
  | { kind: "usage"; payload: { inputTokens: number; outputTokens: number; totalTokens: number; cost?: number; cacheReadTokens?: number; cacheWriteTokens?: number; reasoningTokens?: number; [more: string]: unknown } }
  /** Ends the stream (DC-2); the provider's reason, as `stop`, and the rest of the message's `meta`. */
  | { kind: "done"; payload: { finishReason: string; meta?: Record<string, unknown>; [more: string]: unknown } }
  /** Ends the stream without a message (DC-2, DC-12); `retryable`: the same request may pass later; `details`: the provider's error object. */
  | { kind: "error"; payload: { errorCode: string; message?: string; retryable?: boolean; param?: string; requestId?: string; retryAfterMs?: number; details?: unknown; meta?: Record<string, unknown>; [more: string]: unknown } });
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
  /** The tag around the reasoning that a model writes into its text, in a provider's format. What stands between the tags becomes thinking, and the tags vanish. `true` is `think`; with `open` the text begins within the tag, because the prompt ended with it. Default: text stays as it came. */
  thinkTags?: boolean | string | { tag?: string; open?: boolean };
}
/** The fields of a message with parts that its stream does not contain. */
export interface WithPartsContext {
  /** The id of the session. */
  sessionID: string;
  /** The id of the message; a new one if left out. */
  messageID?: string;
  /** The id of the user message that it answers. */
  parentID: string;
  /** The agent. */
  agent: string;
  /** The provider of the model. */
  providerID: string;
  /** The model; by default the one that the stream names. */
  modelID?: string;
  /** Where the agent works. */
  path: { cwd: string; root: string };
}
/** A change of the message, for a screen: `part` is an index in its parts, from 0. Applied in order, changes give the message. */
export type Change =
  /** A new part at the end. */
  | { op: "add"; part: number; value: MessagePart }
  /** Text to append to `payload.text`, or to `payload.rawArgsText` of a call. */
  | { op: "append"; part: number; field: "text" | "args"; text: string }
  /** The part is replaced: a call has ended or its whole arguments came, or the part has more of `provider`. */
  | { op: "set"; part: number; value: MessagePart }
  /** The part is taken back; it is the last one. */
  | { op: "remove"; part: number }
  /** The message began, or how it ended. */
  | { op: "status"; status: "streaming" | "done" | "error" };
