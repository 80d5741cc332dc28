// Messages of a run, as `message()` gives them, as messages with parts: results join their calls.

import type { Part, ToolPart, WithParts } from "apex-parts:glue";
import { dataUrl } from "../base64.ts";
import { type Fields, isObject, kindOf } from "../tools/boundary.ts";
import { jsonText, stringOrEmpty } from "./fields.ts";
import { type History, type PlacedMessage, type Report, warn } from "./placed.ts";

/** A call that waits for its result. */
interface OpenCall {
  part: Fields;
  /** The number of the message of the model or the user in which it stands. */
  turn: number;
  isAnswered: boolean;
}

/** The text of a result: a string as it is, anything else as JSON; "" for what cannot be JSON. */
function outputOf(content: unknown): string {
  try {
    return jsonText(content);
  } catch {
    return "";
  }
}

function stateOf(input: unknown, content: unknown, isError: unknown): Fields {
  const time = { start: 0, end: 0 };
  const output = outputOf(content);
  return isError === true
    ? { status: "error", input, error: output, time }
    : { status: "completed", input, output, title: "", metadata: {}, time };
}

/** Joins the state of each provider: a field of `more` replaces the same of `metadata`. */
function joined(metadata: unknown, more: unknown): Fields | undefined {
  if (!isObject(more)) return isObject(metadata) ? metadata : undefined;
  const all: Fields = isObject(metadata) ? { ...metadata } : {};
  for (const [key, state] of Object.entries(more)) {
    const before = all[key];
    all[key] = isObject(before) && isObject(state) ? { ...before, ...state } : state;
  }
  return all;
}

/** Converts the messages of one run. */
class RunReader {
  readonly #report: Report;
  readonly #history: History = { messages: [], system: [] };
  readonly #calls = new Map<string, OpenCall[]>();
  #turn = 0;

  constructor(report: Report) {
    this.#report = report;
  }

  read(messages: unknown[]): History {
    for (const [index, message] of messages.entries()) this.#message(message, index);
    return this.#history;
  }

  #message(message: unknown, index: number) {
    const parts = isObject(message) ? message.parts : undefined;
    if (!isObject(message) || !Array.isArray(parts)) {
      const got = isObject(message) ? "another object" : kindOf(message);
      const expected = `expected a message {role, parts} or {info, parts}, got ${got}`;
      warn(this.#report, "RP-8", `${expected}: it is left out`, index);
      return;
    }
    switch (message.role) {
      case "system":
        for (const part of parts) {
          const payload: unknown = isObject(part) ? part.payload : undefined;
          const text = isObject(payload) ? stringOrEmpty(payload.text) : "";
          if (text !== "") this.#history.system.push(text);
        }
        return;
      case "tool":
        parts.forEach((part, at) => {
          this.#result(part, index, at);
        });
        return;
      case "user":
      case "assistant":
        this.#turn += 1;
        this.#add(message, parts, index);
        return;
      default:
        warn(this.#report, "RP-8", "a message of an unknown role is left out", index);
    }
  }

  #add(message: Fields, parts: unknown[], index: number) {
    const meta = isObject(message.meta) ? message.meta : {};
    const created = Date.parse(stringOrEmpty(message.timestamp));
    const info: Fields = {
      ...{ id: `message-${index}`, sessionID: "", role: message.role },
      ...{ time: { created: Number.isFinite(created) ? created : 0 } },
      ...{ providerID: "", modelID: stringOrEmpty(meta.modelId) },
    };
    if (meta.error !== undefined && meta.error !== null) info.error = meta.error;
    const made = parts.map((part, at) => {
      const converted = this.#part(part, message.role);
      if (converted === undefined)
        warn(this.#report, "RP-8", "a part of no known shape is left out", index, at);
      // A cast: its type has the fields that are read here.
      return converted as Part | undefined;
    });
    const results = Array.isArray(meta.toolResults) ? meta.toolResults : [];
    for (const result of results) this.#ranByProvider(result);
    // A cast: as above.
    const whole = { info, parts: made.filter((part) => part !== undefined) } as unknown;
    const placed: PlacedMessage = { info, parts: made, message: whole as WithParts, index };
    this.#history.messages.push(placed);
  }

  #part(part: unknown, role: unknown): Fields | undefined {
    const payload = isObject(part) ? part.payload : undefined;
    if (!isObject(part) || !isObject(payload)) return undefined;
    const metadata = isObject(payload.provider) ? { metadata: payload.provider } : {};
    switch (part.kind) {
      case "text":
      case "thinking": {
        if (typeof payload.text !== "string") return undefined;
        const type = part.kind === "text" ? "text" : "reasoning";
        return { type, text: payload.text, ...metadata };
      }
      case "tool_call":
        return role === "assistant" ? this.#call(payload, metadata) : undefined;
      case "custom":
        return typeof payload.type === "string" ? { type: payload.type, ...metadata } : undefined;
      case "image": {
        const { mimeType: mime, data, url } = payload;
        if (typeof mime !== "string") return undefined;
        if (typeof data === "string") return { type: "file", mime, url: dataUrl(mime, data) };
        return typeof url === "string" ? { type: "file", mime, url } : undefined;
      }
      case "file_ref": {
        const { path, mimeType = "application/octet-stream" } = payload;
        if (typeof path !== "string" || typeof mimeType !== "string") return undefined;
        return { type: "file", mime: mimeType, url: `file://${path}`, filename: path };
      }
      default:
        return undefined;
    }
  }

  #call(payload: Fields, metadata: Fields): Fields | undefined {
    const { toolName, toolCallId, rawArgsText } = payload;
    if (typeof toolName !== "string" || toolName === "") return undefined;
    const isWhole = rawArgsText === undefined;
    const part: Fields = {
      ...{ type: "tool", callID: stringOrEmpty(toolCallId), tool: toolName, ...metadata },
      state: isWhole
        ? { status: "running", input: payload.arguments, time: { start: 0 } }
        : { status: "pending", input: {}, raw: rawArgsText },
    };
    const call = { part, turn: this.#turn, isAnswered: false };
    const same = this.#calls.get(stringOrEmpty(toolCallId));
    if (same) same.push(call);
    else this.#calls.set(stringOrEmpty(toolCallId), [call]);
    return part;
  }

  #answer(call: OpenCall, content: unknown, isError: unknown) {
    // A cast: it was made above.
    const { input } = call.part.state as ToolPart["state"];
    call.part.state = stateOf(input, content, isError);
    call.isAnswered = true;
  }

  /** A result of `meta.toolResults`: the provider ran the call. */
  #ranByProvider(result: unknown) {
    if (!isObject(result)) return;
    const calls = this.#calls.get(stringOrEmpty(result.toolCallId ?? result.id));
    const call = calls?.findLast(({ turn }) => turn === this.#turn);
    if (call === undefined || call.isAnswered) return;
    this.#answer(call, result.content, result.isError);
    const metadata = joined(call.part.metadata, result.provider);
    call.part.metadata = { ...metadata, providerExecuted: true };
  }

  #result(part: unknown, index: number, at: number) {
    const payload = isObject(part) ? part.payload : undefined;
    if (!isObject(part) || part.kind !== "tool_result" || !isObject(payload)) {
      warn(this.#report, "RP-8", "expected a result: it is left out", index, at);
      return;
    }
    const calls = this.#calls.get(stringOrEmpty(payload.toolCallId)) ?? [];
    // Of calls with one id, the newest message's; within it they are answered in their order.
    const turn = calls.findLast(({ isAnswered }) => !isAnswered)?.turn;
    const call = calls.find((one) => one.turn === turn && !one.isAnswered);
    if (call === undefined) {
      const why =
        calls.length > 0
          ? "a second result of a call: the first counts"
          : "a result without a call before it";
      warn(this.#report, "RP-2", `${why}; it is left out`, index, at);
      return;
    }
    if (call.turn !== this.#turn)
      warn(this.#report, "RP-7", "this result is moved behind its call", index, at);
    this.#answer(call, payload.content, payload.isError);
  }
}

/** The history of the messages of a run. */
export const withPartsOf = (messages: unknown[], report: Report): History =>
  new RunReader(report).read(messages);
