// Changes of a message as the parts of an AI SDK UI message stream.
import type { Change, Message, MessagePart } from "apex-parts:glue";

/** A part of a UI message stream. */
export interface UiPart {
  type: string;
  [field: string]: unknown;
}

/** What a part of this kind holds. */
type Payload<Kind extends MessagePart["kind"]> = Extract<MessagePart, { kind: Kind }>["payload"];

export class UiParts {
  #message: () => Message;
  /** The last text or reasoning part, which is open until another part begins. */
  #open: { type: "text" | "reasoning"; id: string } | undefined;
  #calls = new Map<number, string>();

  /** `assembler` has the message; the first parts begin it. */
  constructor(assembler: { preview(): Message }) {
    this.#message = () => assembler.preview();
  }

  begin(messageId: string): UiPart[] {
    return [{ type: "start", messageId }, { type: "start-step" }];
  }

  *of(changes: Change[]): Generator<UiPart, void, undefined> {
    for (const change of changes) {
      if (change.op === "add") yield* this.#add(change.part, change.value);
      else if (change.op === "append") yield this.#append(change);
      else if (change.op === "set") yield* this.#set(change.value);
      else if (change.status !== "streaming") yield* this.#end(change.status);
    }
  }

  *#close(): Generator<UiPart, void, undefined> {
    if (this.#open) yield { type: `${this.#open.type}-end`, id: this.#open.id };
    this.#open = undefined;
  }

  *#add(part: number, { kind, payload }: MessagePart): Generator<UiPart, void, undefined> {
    yield* this.#close();
    const id = String(part);
    if (kind === "text" || kind === "thinking") {
      const type = kind === "text" ? "text" : "reasoning";
      this.#open = { type, id };
      yield { type: `${type}-start`, id };
      if (payload.text) yield { type: `${type}-delta`, id, delta: payload.text };
    } else if (kind === "tool_call") {
      const { toolCallId, toolName, rawArgsText } = payload;
      this.#calls.set(part, toolCallId);
      yield { type: "tool-input-start", toolCallId, toolName };
      if (rawArgsText) yield { type: "tool-input-delta", toolCallId, inputTextDelta: rawArgsText };
      if (rawArgsText === undefined) yield* this.#set({ kind, payload });
    } else if (kind === "tool_result") yield output(payload);
    else if (kind === "image") {
      const { mimeType, data, url = `data:${mimeType};base64,${data}` } = payload;
      yield { type: "file", mediaType: mimeType, url };
    }
  }

  #append({ part, field, text }: Extract<Change, { op: "append" }>): UiPart {
    if (field === "args") {
      return { type: "tool-input-delta", toolCallId: this.#calls.get(part), inputTextDelta: text };
    }
    return { type: `${this.#open?.type}-delta`, id: this.#open?.id, delta: text };
  }

  *#set({ kind, payload }: MessagePart): Generator<UiPart, void, undefined> {
    if (kind !== "tool_call") return;
    const { toolCallId, toolName, arguments: input, rawArgsText } = payload;
    if (rawArgsText === undefined)
      yield { type: "tool-input-available", toolCallId, toolName, input };
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
