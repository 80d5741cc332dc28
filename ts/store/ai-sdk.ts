// Changes of a message as the parts of an AI SDK UI message stream.
import type { Change, Message, MessagePart, ProviderState } from "apex-parts:glue";

/** A part of a UI message stream. */
export interface UiPart {
  type: string;
  [field: string]: unknown;
}

/** What a part of this kind holds. */
type Payload<Kind extends MessagePart["kind"]> = Extract<MessagePart, { kind: Kind }>["payload"];

/** A text or reasoning part that was begun. */
interface SentText {
  type: "text" | "reasoning";
  id: string;
  /** What its end tells. */
  provider: ProviderState | undefined;
  isOpen: boolean;
  /** The length of the text that was sent. */
  sent: number;
}

/** Custom parts that are parts of the stream in version 6, too. */
const OWN = /^ai-sdk-(source-url|source-document|file|data-.*)$/s;

/** State of a provider in the form of the SDK; nothing if there is none. */
function metadataOf(provider: ProviderState | undefined): { providerMetadata?: object } {
  const { providerExecuted, ...state } = provider ?? {};
  return Object.keys(state).length > 0 ? { providerMetadata: state } : {};
}

const executed = (provider: ProviderState | undefined) =>
  provider?.providerExecuted === true ? { providerExecuted: true } : {};

export class UiParts {
  #message: () => Message;
  /** Texts and reasoning, by part. The last one is open until another part begins. */
  #texts = new Map<number, SentText>();
  #calls = new Map<number, string>();
  /** How many texts were begun after the end of their part. */
  #more = 0;

  /** `assembler` has the message; the first parts begin it. */
  constructor(assembler: { preview(): Message }) {
    this.#message = () => assembler.preview();
  }

  begin(messageId: string): UiPart[] {
    return [{ type: "start", messageId }, { type: "start-step" }];
  }

  *of(changes: Change[]): Generator<UiPart, void, undefined> {
    const isReset = changes.some(({ op }) => op === "remove");
    if (isReset) yield* this.#again();
    for (const change of changes) {
      if (change.op === "status") {
        if (change.status !== "streaming") yield* this.#end(change.status);
      } else if (isReset || change.op === "remove") continue;
      else if (change.op === "add") yield* this.#add(change.part, change.value);
      else if (change.op === "append") yield* this.#append(change);
      else yield* this.#set(change.part, change.value);
    }
  }

  /** Parts were taken back: the step begins again, with those that are left. */
  *#again(): Generator<UiPart, void, undefined> {
    yield { type: "reset-step" };
    this.#texts.clear();
    this.#calls.clear();
    for (const [part, value] of this.#message().parts.entries()) yield* this.#add(part, value);
  }

  *#close(): Generator<UiPart, void, undefined> {
    for (const text of this.#texts.values()) {
      if (!text.isOpen) continue;
      text.isOpen = false;
      yield { type: `${text.type}-end`, id: text.id, ...metadataOf(text.provider) };
    }
  }

  *#add(part: number, { kind, payload }: MessagePart): Generator<UiPart, void, undefined> {
    yield* this.#close();
    const id = String(part);
    if (kind === "text" || kind === "thinking") {
      const type = kind === "text" ? "text" : "reasoning";
      const { text, provider } = payload;
      this.#texts.set(part, { type, id, provider, isOpen: true, sent: text.length });
      yield { type: `${type}-start`, id };
      if (text) yield { type: `${type}-delta`, id, delta: text };
    } else if (kind === "tool_call") {
      const { toolCallId, toolName, rawArgsText, provider } = payload;
      this.#calls.set(part, toolCallId);
      yield { type: "tool-input-start", toolCallId, toolName, ...executed(provider) };
      if (rawArgsText) yield { type: "tool-input-delta", toolCallId, inputTextDelta: rawArgsText };
      if (rawArgsText === undefined) yield* this.#set(part, { kind, payload });
    } else if (kind === "tool_result") yield output(payload);
    else if (kind === "image") {
      const { mimeType, data, url = `data:${mimeType};base64,${data}` } = payload;
      yield { type: "file", mediaType: mimeType, url };
    } else if (kind === "custom") yield* this.#own(payload);
  }

  /** A part of the SDK's, as it came: where one of its id was sent, the client replaces that. */
  *#own({ type, provider }: Payload<"custom">): Generator<UiPart, void, undefined> {
    if (!OWN.test(type)) return;
    const { part } = (provider["ai-sdk"] ?? {}) as { part?: UiPart };
    if (part) yield part;
  }

  *#append(change: Extract<Change, { op: "append" }>): Generator<UiPart, void, undefined> {
    const { part, field, text: delta } = change;
    if (field === "args") {
      yield { type: "tool-input-delta", toolCallId: this.#calls.get(part), inputTextDelta: delta };
      return;
    }
    const text = this.#texts.get(part);
    if (text) yield* this.#grow(text, delta);
  }

  *#grow(text: SentText, delta: string): Generator<UiPart, void, undefined> {
    if (!text.isOpen) yield* this.#reopen(text);
    text.sent += delta.length;
    yield { type: `${text.type}-delta`, id: text.id, delta };
  }

  /** More comes of a text that had its end: another one begins. */
  *#reopen(text: SentText): Generator<UiPart, void, undefined> {
    this.#more += 1;
    text.id = `${text.id}+${this.#more}`;
    text.isOpen = true;
    yield { type: `${text.type}-start`, id: text.id };
  }

  *#set(part: number, { kind, payload }: MessagePart): Generator<UiPart, void, undefined> {
    const text = this.#texts.get(part);
    if (text && (kind === "text" || kind === "thinking")) {
      text.provider = payload.provider;
      const wasOpen = text.isOpen;
      if (payload.text.length > text.sent) yield* this.#grow(text, payload.text.slice(text.sent));
      // Its end was told: the state stands on another one.
      if (wasOpen) return;
      if (!text.isOpen) yield* this.#reopen(text);
      text.isOpen = false;
      yield { type: `${text.type}-end`, id: text.id, ...metadataOf(text.provider) };
      return;
    }
    if (kind === "custom") yield* this.#own(payload);
    if (kind !== "tool_call") return;
    const { toolCallId, toolName, arguments: input, rawArgsText, provider } = payload;
    const more = { ...executed(provider), ...metadataOf(provider) };
    if (rawArgsText === undefined)
      yield { type: "tool-input-available", toolCallId, toolName, input, ...more };
    else {
      const errorText = "the arguments are not JSON";
      yield { type: "tool-input-error", toolCallId, toolName, input: rawArgsText, errorText };
    }
  }

  *#end(status: "done" | "error"): Generator<UiPart, void, undefined> {
    yield* this.#close();
    const { meta } = this.#message();
    // The module wrote it: results as in parts (DC-9), and the error of the run (DC-12).
    const { toolResults, error }: Outcome = meta ?? {};
    for (const result of toolResults ?? []) yield output(result);
    if (status === "error") {
      const { errorCode, message = errorCode } = error ?? {};
      yield { type: "error", errorText: String(message) };
      return;
    }
    yield { type: "finish-step" };
    yield { type: "finish" };
  }
}

interface Outcome {
  toolResults?: Payload<"tool_result">[];
  error?: { errorCode?: string; message?: string };
}

function output({ toolCallId, isError, content }: Payload<"tool_result">): UiPart {
  if (!isError) return { type: "tool-output-available", toolCallId, output: content };
  const errorText = typeof content === "string" ? content : JSON.stringify(content);
  return { type: "tool-output-error", toolCallId, errorText: errorText ?? "" };
}
