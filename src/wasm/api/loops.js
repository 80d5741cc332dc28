// Reads calls and outcomes for the detector. Conversion only.

import { isTooLong } from "../bridge.js";

// What was read last. The module fetches each field with a call: cheaper than reading an object.
let found = {};

/** The limit for a value that JSON cannot write, in characters: shared values are written repeatedly. */
const MOST = 20_000_000;
/** What each value counts besides its length. */
const EACH = 200;

/** JSON-like text of a value that JSON cannot write, with placeholders for what cannot be read. */
function readableText(value, depth, seen) {
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
        text = readableText(value[key], depth + 1, seen);
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

/** More characters than a string of any engine can have. */
const ENDLESS = 2 ** 32 - 1;

/** The value as JSON text, whether all of it could be read, and its full length. */
function textOf(value) {
  try {
    const text = JSON.stringify(value) ?? "";
    return { text, whole: true, length: text.length };
  } catch (error) {
    let text = '"[unreadable]"';
    try {
      text = readableText(value, 0, { open: new Set(), left: MOST });
    } catch {
      // Not readable at all.
    }
    return { text, whole: false, length: isTooLong(error) ? ENDLESS : text.length };
  }
}

/** The length up to which texts are taken without a check: see src/wasm/limits.rs. */
const UNCHECKED = 1 << 20;
/** The flag of a longer one. */
const LONG_FLAG = 64;

/** The value as JSON text; parts that cannot be read are replaced by placeholders. */
export const jsonOfAny = (value) => textOf(value).text;

/** A field of a value; undefined if it has none or throws. */
function field(object, name) {
  try {
    return object[name];
  } catch {
    return undefined;
  }
}

/** The index of a call; -1 if it is not a possible index, NaN if it is not given. */
function indexOf(value) {
  if (value === undefined) return Number.NaN;
  return Number.isInteger(value) && value >= 0 ? value : -1;
}

const numberOf = (value) => (typeof value === "number" ? value : Number.NaN);
const stringOf = (value) => (typeof value === "string" ? value : undefined);

/** Reads a call. Returns flags: 1 it has an id, 2 some arguments could not be read, 64 it is long. */
export function readCall(call) {
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
  const { text, whole, length } = textOf(field(call, "parameters"));
  made.json = text;
  made.length = length + made.tool.length + (made.id?.length ?? 0) + made.resource.length;
  found = made;
  const flags = (made.id === undefined ? 0 : 1) + (whole ? 0 : 2);
  return flags + (made.length > UNCHECKED ? LONG_FLAG : 0);
}

/**
 * Reads an outcome. Returns flags: 1 it has an id, 2 a result, 4 a key, 8 it is an error, 16 some of the
 * result could not be read, 64 it is long.
 */
export function readOutcome(outcome) {
  const result = field(outcome, "result");
  // Strings are compared as they are.
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
  const isLong = found.length > UNCHECKED;
  const isBlocked = field(outcome, "blocked") === true;
  return (
    flags + (isError ? 8 : 0) + (whole ? 0 : 16) + (isBlocked ? 32 : 0) + (isLong ? LONG_FLAG : 0)
  );
}

export const foundTool = () => found.tool;
export const foundId = () => found.id ?? "";
export const foundJson = () => found.json;
// The glue copies strings character by character, so bytes are faster for long ones. The module copies
// them at once, so one array serves all but the longest.
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

/** A config as JSON text; numbers that JSON does not have become strings. */
export function configOf(config) {
  if (config === undefined) return "{}";
  try {
    function special(_, value) {
      const isNumber = typeof value === "number" && !Number.isFinite(value);
      if (!isNumber && typeof value !== "bigint") return value;
      // In a list of strings it must not be taken for one of them.
      return Array.isArray(this) ? [String(value)] : String(value);
    }
    return JSON.stringify(config, special) ?? "null";
  } catch {
    return "null";
  }
}

/** The verdict if there is no loop. */
export function noLoop(stepCount) {
  return { isDetected: false, stepCount, suggestedAction: "continue" };
}
