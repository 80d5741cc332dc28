// Converts deltas to JSON for the assembler. Values that JSON cannot express are reported here, because
// JSON.stringify would replace them silently.

import { isTooLong } from "../bridge.js";

const TEXT = "a string";
const NUMBER = "a number";
const WHOLE = "a whole number up to 2^53 - 1";
const OBJECT = "an object";
const BLOCK = "a string or a number";

const ENVELOPE = {
  runId: TEXT,
  seq: WHOLE,
  kind: TEXT,
  timestamp: TEXT,
};

/** The fields of payloads, by kind of delta. */
const PAYLOADS = {
  start: { modelId: TEXT, requestId: TEXT },
  text: { textDelta: TEXT, block: BLOCK, provider: OBJECT },
  thinking: { textDelta: TEXT, block: BLOCK, provider: OBJECT },
  tool_call_start: { toolCallId: TEXT, toolName: TEXT, provider: OBJECT },
  tool_call_args: { toolCallId: TEXT, argsTextDelta: TEXT },
  tool_call_end: { toolCallId: TEXT, provider: OBJECT },
  custom: { type: TEXT, provider: OBJECT },
  reset: { since: WHOLE },
  usage: {
    inputTokens: NUMBER,
    outputTokens: NUMBER,
    totalTokens: NUMBER,
    cost: NUMBER,
    cacheReadTokens: NUMBER,
    cacheWriteTokens: NUMBER,
    reasoningTokens: NUMBER,
  },
  done: { finishReason: TEXT, meta: OBJECT },
  error: {
    errorCode: TEXT,
    message: TEXT,
    retryable: "a boolean",
    param: TEXT,
    requestId: TEXT,
    retryAfterMs: NUMBER,
    details: "a JSON value",
    meta: OBJECT,
  },
};

/** Texts up to this length are left to the module to check, whatever the maximum size of a message. */
const LONG = 1 << 20;

/** The description of a number that JSON does not have; undefined for anything else. */
function oddNumber(value) {
  if (typeof value === "bigint") return "a bigint";
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : undefined;
}

/** What is wrong with the fields and can be seen only before they are JSON, as `[rule, path, message]`. */
function flaw(fields, values, within, most) {
  for (const name of Object.keys(fields)) {
    const value = values[name];
    const shown = `\`${within === "" ? "" : "payload."}${name}\``;
    const odd = oddNumber(value);
    if (odd) return ["schema", `${within}/${name}`, `${shown} must be ${fields[name]}, not ${odd}`];
    if (typeof value === "string" && value.length > Math.max(most, LONG)) {
      const why = `${shown} has ${value.length} characters, a message can have at most ${most} bytes (\`maxBytes\`)`;
      return ["limit", `${within}/${name}`, why];
    }
  }
  return undefined;
}

/** The value that `JSON.stringify` would write. */
function jsonValue(value) {
  return typeof value?.toJSON === "function" ? value.toJSON("") : value;
}

const isPlain = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** The fields of these names, own or inherited. */
function picked(value, fields) {
  const made = {};
  for (const name of Object.keys(fields)) made[name] = value[name];
  return made;
}

const ALL = Object.assign({}, ...Object.values(PAYLOADS));

/**
 * The JSON text of a delta; undefined if it is not an object or cannot be read, `[rule, path, message]` if
 * JSON cannot express it. `most` is the maximum size of a message in bytes. Lone surrogates are escaped.
 */
export function jsonOf(value, most) {
  try {
    if (typeof value !== "object") return undefined;
    const delta = jsonValue(value);
    if (Array.isArray(delta)) return "[]";
    if (delta === null || typeof delta !== "object") return JSON.stringify(delta);
    const { runId, seq, kind, timestamp } = delta;
    const envelope = { runId, seq, kind, timestamp };
    let payload = jsonValue(delta.payload);
    if (isPlain(payload)) payload = picked(payload, ALL);
    const wrong =
      flaw(ENVELOPE, envelope, "", most) ??
      (Object.hasOwn(PAYLOADS, kind) && isPlain(payload)
        ? flaw(PAYLOADS[kind], payload, "/payload", most)
        : undefined);
    return wrong ?? JSON.stringify({ runId, seq, kind, payload, timestamp });
  } catch (error) {
    return isTooLong(error)
      ? ["limit", "", "the delta is too long to be written as JSON: it goes in pieces"]
      : undefined;
  }
}
