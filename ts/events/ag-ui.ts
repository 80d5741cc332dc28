// The deltas of a message as events of AG-UI 1.0, for its clients. The way back is the format `ag-ui`.
import type { MessageDelta } from "apex-parts:glue";
import { type Fields, guarded, invalid, isObject, kindOf } from "../tools/boundary.ts";
import { standing } from "./standing.ts";

/** What a run of AG-UI used, or a step of it: counts of tokens, details inside of the totals. */
export interface AgUiUsage {
  /** The model, as the provider names it. */
  model?: string;
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  reasoningTokens?: number;
  cachedInputTokens?: number;
  cacheWriteInputTokens?: number;
}

/** An event of AG-UI 1.0, of the kinds that `toAgUi` gives. */
export type AgUiEvent = {
  /** Milliseconds since the Unix epoch. */
  timestamp?: number;
  /** What AG-UI has no field for: `finishReason`. */
  metadata?: Record<string, unknown>;
} & (
  | { type: "RUN_STARTED"; threadId: string; runId: string }
  | { type: "TEXT_MESSAGE_START"; messageId: string; role: "assistant" }
  | { type: "REASONING_MESSAGE_START"; messageId: string; role: "reasoning" }
  | {
      type: "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT";
      messageId: string;
      /** Never empty. */
      delta: string;
    }
  | { type: "TEXT_MESSAGE_END" | "REASONING_MESSAGE_END"; messageId: string }
  | { type: "TOOL_CALL_START"; toolCallId: string; toolCallName: string }
  /** A piece of the JSON text of the arguments. */
  | { type: "TOOL_CALL_ARGS"; toolCallId: string; delta: string }
  | { type: "TOOL_CALL_END"; toolCallId: string }
  | {
      type: "TOOL_CALL_RESULT";
      messageId: string;
      toolCallId: string;
      role: "tool";
      content: string;
    }
  | {
      type: "RUN_FINISHED";
      threadId: string;
      runId: string;
      /** The calls that the caller has to answer. */
      outcome: { type: "success"; pendingToolCallIds?: string[] };
      usage?: AgUiUsage[];
    }
  | {
      type: "RUN_ERROR";
      message: string;
      code: string;
      /** The same request may pass later. */
      retryable?: boolean;
      usage?: AgUiUsage[];
    }
);

/** The options of `toAgUi`. */
export interface AgUiOptions {
  /** The id of the conversation. Default: the id of the run. */
  threadId?: string;
}

/**
 * The events of AG-UI 1.0 that say what deltas say. A text or thinking part is one message, a call one tool call;
 * results of tools in the last delta's `meta.toolResults` come before the end of the run, and calls that are still open
 * are ended there. The `usage` of all deltas is summed. What AG-UI has no place for is left out: the cost, the rest of
 * `meta`, state of providers, custom parts, parts that are taken back, and fields that a host adds to a payload. A finish reason other than `stop` and `tool-calls` stands in
 * `metadata`.
 *
 * `DeltaAssembler` with the format `ag-ui` reads the events back to the same parts, usage and error.
 * @param deltas - The deltas of one or more messages, in their order: what `takeDeltas`, parsed, or `readDeltas` gives.
 * @param options - The id of the conversation.
 * @returns The events, each of which `EventSchemas` of `@ag-ui/core` accepts.
 * @throws {PartValidationError} if `deltas` has something that is not a delta, or is not iterable.
 * @example
 * ```ts
 * const head = { runId: "run-1", timestamp: "2026-01-01T00:00:00Z" };
 * const events = toAgUi([
 *   { ...head, seq: 1, kind: "start", payload: { modelId: "m", requestId: "r" } },
 *   { ...head, seq: 2, kind: "text", payload: { textDelta: "Hi" } },
 *   { ...head, seq: 3, kind: "done", payload: { finishReason: "stop" } },
 * ]);
 * events.map((event) => event.type);
 * // ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED"]
 * ```
 */
export function toAgUi(deltas: Iterable<MessageDelta>, options: AgUiOptions = {}): AgUiEvent[] {
  return written(deltas, options);
}

const written = /* @__PURE__ */ guarded(
  (deltas: Iterable<MessageDelta>, { threadId }: AgUiOptions): AgUiEvent[] => {
    if (!isIterable(deltas)) {
      throw invalid(`\`deltas\` must be a list of deltas, not ${kindOf(deltas)}`);
    }
    if (threadId !== undefined && typeof threadId !== "string") {
      throw invalid(`\`threadId\` must be a string, not ${kindOf(threadId)}`);
    }
    const writer = new AgUiWriter(threadId);
    for (const delta of standing(deltas)) writer.take(delta);
    return writer.events;
  },
);

// A string has characters, which are no deltas.
const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === "object" && value !== null && Symbol.iterator in value;

type Kind = "text" | "thinking";

const MESSAGES = {
  text: { name: "TEXT_MESSAGE", role: "assistant" },
  thinking: { name: "REASONING_MESSAGE", role: "reasoning" },
} as const;

/** The counts of usage: their names in deltas and in AG-UI. */
const COUNTS = [
  ["inputTokens", "inputTokens"],
  ["outputTokens", "outputTokens"],
  ["totalTokens", "totalTokens"],
  ["reasoningTokens", "reasoningTokens"],
  ["cacheReadTokens", "cachedInputTokens"],
  ["cacheWriteTokens", "cacheWriteInputTokens"],
] as const;

const textOf = (payload: Fields, name: string, kind: string): string => {
  const value = payload[name];
  if (typeof value === "string") return value;
  throw invalid(
    `\`${name}\` of a delta of the kind ${kind} must be a string, not ${kindOf(value)}`,
  );
};

type Say = (event: AgUiEvent) => void;

class AgUiWriter {
  readonly events: AgUiEvent[] = [];
  readonly #thread: string | undefined;
  /** The run whose RUN_STARTED was written and whose end was not. */
  #run: string | undefined;
  #model = "";
  #open: { kind: Kind; block: unknown; messageId: string } | undefined;
  #messages = 0;
  #calls = new Set<string>();
  #unanswered = new Set<string>();
  #usage: AgUiUsage | undefined;

  constructor(thread: string | undefined) {
    this.#thread = thread;
  }

  take(delta: unknown): void {
    if (!isObject(delta)) throw invalid(`a delta must be an object, not ${kindOf(delta)}`);
    const { kind, runId, payload, timestamp } = delta;
    if (typeof runId !== "string" || typeof kind !== "string" || !isObject(payload)) {
      throw invalid("a delta must have `runId`, `kind` and `payload`");
    }
    const time = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
    const at = Number.isNaN(time) ? {} : { timestamp: time };
    const say = (event: AgUiEvent) => {
      this.events.push({ ...event, ...at });
    };
    if (kind === "start" || this.#run === undefined) this.#begin(runId, say);
    this.#part(kind, payload, say);
  }

  #begin(runId: string, say: Say): void {
    this.#close(say);
    this.#run = runId;
    this.#model = "";
    this.#calls.clear();
    this.#unanswered.clear();
    this.#usage = undefined;
    say({ type: "RUN_STARTED", ...this.#ids() });
  }

  #ids(): { threadId: string; runId: string } {
    const runId = this.#run ?? "";
    return { threadId: this.#thread ?? runId, runId };
  }

  #part(kind: string, payload: Fields, say: Say): void {
    const text = (name: string) => textOf(payload, name, kind);
    if (kind === "start") {
      this.#model = text("modelId");
    } else if (kind === "text" || kind === "thinking") {
      this.#text(kind, text("textDelta"), payload.block, say);
    } else if (kind.startsWith("tool_call_")) {
      this.#call(kind, text, say);
    } else if (kind === "usage") {
      this.#count(payload);
    } else if (kind === "done") {
      this.#finish(text("finishReason"), payload, say);
    } else if (kind === "error") {
      this.#fail(text("errorCode"), payload, say);
    }
    // Of another kind (DC-15): a reader skips it, too.
  }

  #call(kind: string, text: (name: string) => string, say: Say): void {
    const toolCallId = text("toolCallId");
    if (kind === "tool_call_start") {
      // Text after a call is another part.
      this.#close(say);
      this.#calls.add(toolCallId);
      this.#unanswered.add(toolCallId);
      say({ type: "TOOL_CALL_START", toolCallId, toolCallName: text("toolName") });
    } else if (kind === "tool_call_args") {
      const delta = text("argsTextDelta");
      if (delta !== "") say({ type: "TOOL_CALL_ARGS", toolCallId, delta });
    } else if (kind === "tool_call_end") {
      // After the end comes state alone, which AG-UI has no place for.
      if (this.#calls.delete(toolCallId)) say({ type: "TOOL_CALL_END", toolCallId });
    }
  }

  #text(kind: Kind, delta: string, block: unknown, say: Say): void {
    if (delta === "") return;
    const open = this.#open;
    const isOpen = open?.kind === kind && (block === undefined || block === open.block);
    if (open === undefined || !isOpen) {
      this.#close(say);
      this.#messages += 1;
      const messageId = `${this.#run}-${this.#messages}`;
      this.#open = { kind, block, messageId };
      const { name, role } = MESSAGES[kind];
      // A cast: a name and its role stand together in MESSAGES.
      say({ type: `${name}_START`, messageId, role } as AgUiEvent);
    }
    // It is open now.
    const messageId = this.#open?.messageId ?? "";
    say({ type: `${MESSAGES[kind].name}_CONTENT`, messageId, delta });
  }

  #close(say: Say): void {
    if (this.#open === undefined) return;
    const { kind, messageId } = this.#open;
    this.#open = undefined;
    say({ type: `${MESSAGES[kind].name}_END`, messageId });
  }

  #count(payload: Fields): void {
    const model = this.#model === "" ? {} : { model: this.#model };
    this.#usage ??= { ...model, inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    for (const [from, to] of COUNTS) {
      const count = payload[from];
      // AG-UI counts whole tokens.
      if (typeof count === "number") this.#usage[to] = (this.#usage[to] ?? 0) + Math.round(count);
    }
  }

  #used(): { usage?: AgUiUsage[] } {
    return this.#usage === undefined ? {} : { usage: [this.#usage] };
  }

  #results({ meta }: Fields, say: Say): void {
    const results = isObject(meta) && Array.isArray(meta.toolResults) ? meta.toolResults : [];
    for (const result of results) {
      if (!isObject(result) || typeof result.toolCallId !== "string") continue;
      const { toolCallId, content } = result;
      this.#unanswered.delete(toolCallId);
      this.#messages += 1;
      const messageId = `${this.#run}-${this.#messages}`;
      const output = typeof content === "string" ? content : (JSON.stringify(content) ?? "");
      say({ type: "TOOL_CALL_RESULT", messageId, toolCallId, role: "tool", content: output });
    }
  }

  #finish(reason: string, payload: Fields, say: Say): void {
    this.#close(say);
    for (const toolCallId of this.#calls) say({ type: "TOOL_CALL_END", toolCallId });
    this.#results(payload, say);
    const pending = [...this.#unanswered];
    const calls = pending.length === 0 ? {} : { pendingToolCallIds: pending };
    const told = reason === "stop" || reason === "tool-calls";
    say({
      type: "RUN_FINISHED",
      ...this.#ids(),
      outcome: { type: "success", ...calls },
      ...this.#used(),
      ...(told ? {} : { metadata: { finishReason: reason } }),
    });
    this.#run = undefined;
  }

  #fail(code: string, payload: Fields, say: Say): void {
    this.#close(say);
    this.#results(payload, say);
    const { message, retryable } = payload;
    say({
      type: "RUN_ERROR",
      message: typeof message === "string" ? message : "",
      code,
      ...(typeof retryable === "boolean" ? { retryable } : {}),
      ...this.#used(),
    });
    this.#run = undefined;
  }
}
