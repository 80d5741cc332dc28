// The hot way of deltas into the module: conversion only, no rule lives here.

import { bytes } from "./bridge.js";

// What `readDelta` found, fetched one by one: a call each is cheaper than an object.
let foundText = "";
let foundSeq = 0;
let foundEdges = 0;

/**
 * Looks whether a delta is of the plainest shape: text (1), a thought (2) or arguments (3) of the
 * run and the call of the delta before it. Gives 0 for everything else, which goes the long way
 * round; else the shape, whether halves of surrogate pairs stand at the text's edges (4), and the
 * length of the timestamp (times 8).
 */
export function readDelta(delta, runId, callId) {
  try {
    const { kind, seq, timestamp, payload } = delta;
    if (delta.runId !== runId || typeof timestamp !== "string") return 0;
    if (!Number.isSafeInteger(seq) || seq < 0) return 0;
    let text;
    let shape;
    if (kind === "tool_call_args") {
      if (payload.toolCallId !== callId || typeof callId !== "string") return 0;
      text = payload.argsTextDelta;
      shape = 3;
    } else {
      shape = kind === "text" ? 1 : kind === "thinking" ? 2 : 0;
      text = payload.textDelta;
    }
    if (shape === 0 || typeof text !== "string" || text === "" || Array.isArray(payload)) return 0;
    if (timestamp.length > 64 || !isPlain(timestamp)) return 0;
    const first = text.charCodeAt(0);
    const last = text.charCodeAt(text.length - 1);
    const low = (first & 0xfc00) === 0xdc00;
    const high = (last & 0xfc00) === 0xd800;
    if (low || high) {
      foundEdges = (low ? first : 0) * 0x10000 + (high ? last : 0);
      text = text.slice(low ? 1 : 0, high ? -1 : undefined);
      shape += 4;
    }
    foundSeq = seq;
    foundText = timestamp + text;
    return shape + timestamp.length * 8;
  } catch {
    return 0;
  }
}

/** ASCII only: as many bytes as characters. Times of a stream are, and they are short. */
function isPlain(text) {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7e) return false;
  return true;
}

export function deltaSeq() {
  return foundSeq;
}

/** The timestamp and the text behind it. */
export function deltaText() {
  return foundText;
}

/** The half before the text, in the upper 16 bits, and the one behind it. */
export function deltaEdges() {
  return foundEdges;
}

/** The run and the call of a delta that was taken, for the next one to be compared with. */
export function runOf(delta) {
  try {
    return delta.runId;
  } catch {
    return undefined;
  }
}

export function callOf(delta) {
  try {
    return delta.payload.toolCallId;
  } catch {
    return undefined;
  }
}

/** A value as JSON text; undefined where it cannot be written. Unpaired surrogates come escaped. */
export function jsonOf(value) {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

let memory;
let view = new Uint8Array(0);

/** The module's memory, told once. */
export function setMemory(given) {
  memory = given;
}

/**
 * Copies bytes to a place in the module's memory that has this much room. Gives their number: where
 * it is more than there is room, nothing was copied; where it is negative, they are no bytes.
 */
export function copyBytes(value, at, room) {
  const source = value instanceof Uint8Array ? value : bytes(value);
  if (source === undefined) return -1;
  const { length } = source;
  if (length > room) return length;
  // Memory that has grown has another buffer.
  if (view.buffer !== memory.buffer) view = new Uint8Array(memory.buffer);
  view.set(source, at);
  return length;
}
