// Deltas on their way into the assembler: conversion only. What JSON cannot say is told here, because
// nothing of it would be left to see.

const TEXT = "a string";
const NUMBER = "a number";

const ENVELOPE = {
  runId: TEXT,
  seq: "a whole number up to 2^53 - 1",
  kind: TEXT,
  timestamp: TEXT,
};

/** The fields that payloads have, by kind. */
const PAYLOADS = {
  start: { modelId: TEXT, requestId: TEXT },
  text: { textDelta: TEXT },
  thinking: { textDelta: TEXT },
  tool_call_start: { toolCallId: TEXT, toolName: TEXT },
  tool_call_args: { toolCallId: TEXT, argsTextDelta: TEXT },
  tool_call_end: { toolCallId: TEXT },
  usage: {
    inputTokens: NUMBER,
    outputTokens: NUMBER,
    totalTokens: NUMBER,
    cost: NUMBER,
    cacheReadTokens: NUMBER,
    cacheWriteTokens: NUMBER,
    reasoningTokens: NUMBER,
  },
  done: { finishReason: TEXT, meta: "an object" },
  error: { errorCode: TEXT, message: TEXT, retryable: "a boolean", meta: "an object" },
};

/** A text of so many characters is looked at in the module, whatever a message may hold. */
const LONG = 1 << 20;

/** A number that JSON does not have, in words. */
function oddNumber(value) {
  if (typeof value === "bigint") return "a bigint";
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : undefined;
}

/** What is wrong with the fields that nothing but a look at them here could tell. */
function flaw(fields, values, within, most) {
  for (const name of Object.keys(fields)) {
    const value = values[name];
    const shown = `\`${within === "" ? "" : "payload."}${name}\``;
    const odd = oddNumber(value);
    if (odd) return ["schema", `${within}/${name}`, `${shown} is ${fields[name]}, not ${odd}`];
    if (typeof value === "string" && value.length > Math.max(most, LONG)) {
      const why = `${shown} has ${value.length} characters, a message holds at most ${most} bytes (\`maxBytes\`)`;
      return ["limit", `${within}/${name}`, why];
    }
  }
  return undefined;
}

/** What `JSON.stringify` would take in its place. */
function own(value) {
  return typeof value?.toJSON === "function" ? value.toJSON("") : value;
}

const isPlain = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

/** The fields of these names, wherever in its chain of prototypes they stand. */
function picked(value, fields) {
  const made = {};
  for (const name of Object.keys(fields)) made[name] = value[name];
  return made;
}

const ALL = Object.assign({}, ...Object.values(PAYLOADS));

/** Is it one of what engines throw for a string that is longer than they have them? */
const isTooLong = (error) =>
  /string length|allocation size|out of memory/i.test(String(error?.message));

/**
 * An object as JSON text; undefined where it is none, and `[rule, path, why]` where it is one that
 * JSON cannot say. `most` is how much a message holds. Unpaired surrogates come escaped.
 */
export function jsonOf(value, most) {
  try {
    if (typeof value !== "object") return undefined;
    const delta = own(value);
    if (Array.isArray(delta)) return "[]";
    if (delta === null || typeof delta !== "object") return JSON.stringify(delta);
    const { runId, seq, kind, timestamp } = delta;
    const envelope = { runId, seq, kind, timestamp };
    let payload = own(delta.payload);
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
