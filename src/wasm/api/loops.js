// Calls and results on their way into the detector: conversion only, no rule lives here.

import { beginningOf } from "./fingerprint.js";

// What was read last, fetched piece by piece: a call each is cheaper than an object.
let found = {};

/** How much is read of a value that JSON cannot write: what it shares is written again and again. */
const MOST = 20_000_000;
/** What each value in it counts for, beside its length. */
const EACH = 200;

/** Text of any value that JSON cannot write, as far as it can be read. */
function best(value, depth, seen) {
  seen.left -= EACH;
  if (seen.left < 0) return '"[more]"';
  switch (typeof value) {
    case "bigint":
      return `"${value}n"`;
    case "undefined":
    case "function":
    case "symbol":
      return "null";
    case "object":
      break;
    default:
      if (typeof value === "string") seen.left -= value.length;
      return JSON.stringify(value);
  }
  if (value === null) return "null";
  if (depth > 200) return '"[deep]"';
  if (seen.open.has(value)) return '"[circular]"';
  seen.open.add(value);
  const parts = [];
  let isList = false;
  try {
    if (value instanceof Date) return JSON.stringify(value);
    isList = Array.isArray(value);
    for (const key of Object.keys(value)) {
      seen.left -= key.length;
      let text;
      try {
        text = best(value[key], depth + 1, seen);
      } catch {
        text = '"[unreadable]"';
      }
      parts.push(isList ? text : `${JSON.stringify(key)}:${text}`);
      if (seen.left < 0) break;
    }
  } catch {
    parts.push(isList ? '"[unreadable]"' : '"[unreadable]":null');
  } finally {
    seen.open.delete(value);
  }
  return isList ? `[${parts.join(",")}]` : `{${parts.join(",")}}`;
}

/** Is it one of what engines throw for a string that is longer than they have them? */
const isTooLong = (error) =>
  /string length|allocation size|out of memory/i.test(String(error?.message));

/** More characters than any engine has in one string. */
const ENDLESS = 2 ** 32 - 1;

/** The value as JSON text, whether some of it could not be read, and how long all of it is. */
function textOf(value) {
  try {
    const text = JSON.stringify(value) ?? "";
    return { text, whole: true, length: text.length };
  } catch (error) {
    let text = '"[unreadable]"';
    try {
      text = best(value, 0, { open: new Set(), left: MOST });
    } catch {
      // Nothing of it can be read.
    }
    return { text, whole: false, length: isTooLong(error) ? ENDLESS : text.length };
  }
}

/** What is longer is asked about before it crosses: see src/wasm/limits.rs. */
const ASKED = 1 << 20;
/** The flag that it is. */
const ASK = 64;

/** The value as JSON text, as far as it can be read. */
export const jsonOfAny = (value) => textOf(value).text;

/** The field of an object that may be none, or refuse. */
function field(object, name) {
  try {
    return object[name];
  } catch {
    return undefined;
  }
}

/** A number that a call may have; -1 for what can be none, NaN where nothing is given. */
function indexOf(value) {
  if (value === undefined) return Number.NaN;
  return Number.isInteger(value) && value >= 0 ? value : -1;
}

const numberOf = (value) => (typeof value === "number" ? value : Number.NaN);
const stringOf = (value) => (typeof value === "string" ? value : undefined);

/** How much of the arguments is kept for people: see src/loops/evidence.rs. */
const KEPT = 6_000;

/** The arguments as JSON text: how it begins, where they have a fingerprint. */
function argumentsOf(value, asText) {
  const text = asText ? undefined : beginningOf(value, KEPT);
  if (text === undefined) return { ...textOf(value), printed: false };
  return { text, whole: true, length: text.length, printed: true };
}

/**
 * Reads a call. Gives 1 where it has an id, 2 where some arguments could not be read, 4 where they have
 * a fingerprint and are cut, and 64 where it is long. `asText`: all of the arguments as text.
 */
export function readCall(call, asText) {
  const range = field(call, "range");
  const isRange = typeof range === "object" && range !== null;
  const made = {
    tool: stringOf(field(call, "toolName")) ?? "",
    id: stringOf(field(call, "callID")),
    round: numberOf(field(call, "round")),
    time: numberOf(field(call, "timestamp")),
    resource: isRange ? (stringOf(field(range, "resource")) ?? "") : "",
    start: isRange ? numberOf(field(range, "start")) : Number.NaN,
    end: isRange ? numberOf(field(range, "end")) : Number.NaN,
  };
  // Last: a getter may call a detector, and then the fingerprint made last would be of that call.
  const { text, whole, length, printed } = argumentsOf(field(call, "parameters"), asText);
  made.json = text;
  made.length = length + made.tool.length + (made.id?.length ?? 0) + made.resource.length;
  found = made;
  const flags = (made.id === undefined ? 0 : 1) + (whole ? 0 : 2) + (printed ? 4 : 0);
  return flags + (made.length > ASKED ? ASK : 0);
}

/**
 * Reads an outcome. Gives 1 where it has an id, 2 a result, 4 a key, 8 where it is an error, 16 where
 * some of the result could not be read, and 64 where it is long.
 */
export function readOutcome(outcome) {
  const result = field(outcome, "result");
  // A text is compared as it is.
  const { text, whole, length } =
    typeof result === "string"
      ? { text: result, whole: true, length: result.length }
      : textOf(result);
  const key = stringOf(field(outcome, "resultKey"));
  const isError = field(outcome, "isError") === true;
  found = {
    id: stringOf(field(outcome, "callID")),
    json: text,
    tool: key ?? "",
    round: indexOf(field(outcome, "call")),
  };
  const has = (value, bit) => (value === undefined ? 0 : bit);
  const flags = has(found.id, 1) + has(result, 2) + has(key, 4);
  found.length = length + found.tool.length + (found.id?.length ?? 0);
  const isLong = found.length > ASKED;
  return flags + (isError ? 8 : 0) + (whole ? 0 : 16) + (isLong ? ASK : 0);
}

export const foundTool = () => found.tool;
export const foundId = () => found.id ?? "";
export const foundJson = () => found.json;
// The glue writes a string character by character: of a long one, the bytes cross faster. They are
// copied at once, so one place serves all but the longest.
const LONG = 2_048;
const LONGEST = 4_000_000;
const encoder = new TextEncoder();
let place = new Uint8Array(0);
export function foundBytes() {
  const { json } = found;
  if (json.length <= LONG) return undefined;
  const most = json.length * 3;
  if (most > LONGEST) return encoder.encode(json);
  if (most > place.length) place = new Uint8Array(Math.min(most * 2, LONGEST));
  return place.subarray(0, encoder.encodeInto(json, place).written);
}
export const foundRound = () => found.round;
export const foundTime = () => found.time;
export const foundResource = () => found.resource;
export const foundLength = () => Math.min(found.length, ENDLESS);
export const foundStart = () => found.start;
export const foundEnd = () => found.end;

/** A configuration as JSON text: numbers that JSON does not have are words. */
export function configOf(config) {
  if (config === undefined) return "{}";
  try {
    function special(_, value) {
      const isNumber = typeof value === "number" && !Number.isFinite(value);
      if (!isNumber && typeof value !== "bigint") return value;
      // In a list of strings it must not pass for one.
      return Array.isArray(this) ? [String(value)] : String(value);
    }
    return JSON.stringify(config, special) ?? "null";
  } catch {
    return "null";
  }
}

/** The verdict that there is no loop. */
export function noLoop(stepCount) {
  return { isDetected: false, stepCount, suggestedAction: "continue" };
}
