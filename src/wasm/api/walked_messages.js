// Walks over the messages of an array, so that what compaction asks of most of them costs no call of the module for each
// field. What is out of the ordinary, a getter that throws too, is left to the module, which reads it through handles.

import { isList, isObject, take } from "../bridge.js";

/** Longer ids are out of the ordinary. */
const LONGEST_ID = 200;
/** So are messages with more parts. */
const MOST_PARTS = 100_000;

/** In place of the number of parts: the message is out of the ordinary. */
const ODD = -1;

/** A walk: numbers, and the bytes of ids. Getters may begin another, so each has its own. */
class Walk {
  numbers = new Int32Array(1 << 10);
  count = 0;
  ids = new Uint8Array(1 << 12);
  size = 0;

  put(number) {
    if (this.count === this.numbers.length) {
      const longer = new Int32Array(2 * this.count);
      longer.set(this.numbers);
      this.numbers = longer;
    }
    this.numbers[this.count++] = number;
  }

  /** Writes an id and its length; false if it is out of the ordinary. */
  putId(id) {
    if (id === undefined) {
      this.put(0);
      return true;
    }
    if (typeof id !== "string" || id.length > LONGEST_ID) return false;
    const { length } = id;
    if (this.size + length > this.ids.length) {
      const longer = new Uint8Array(2 * this.ids.length);
      longer.set(this.ids);
      this.ids = longer;
    }
    const { ids, size } = this;
    for (let i = 0; i < length; i++) {
      const unit = id.charCodeAt(i);
      if (unit > 0x7f) return false;
      ids[size + i] = unit;
    }
    this.size += length;
    this.put(length);
    return true;
  }

  /** Writes the number of parts of a message, its id and those of the parts; false if it is out of the ordinary. */
  putMessage(message) {
    if (!isObject(message)) return false;
    const { info, parts } = message;
    if (!isObject(info) || !isList(parts)) return false;
    const { summary } = info;
    if (summary !== undefined && summary !== false) return false;
    const { length } = parts;
    if (length > MOST_PARTS) return false;
    this.put(length);
    if (!this.putId(info.id)) return false;
    for (let i = 0; i < length; i++) {
      const part = parts[i];
      if (!isObject(part) || part.type === "compaction" || hasMark(part.state)) return false;
      if (!this.putId(part.id)) return false;
    }
    return true;
  }
}

/** Whether a state may have a mark of a cleared output. */
function hasMark(state) {
  if (state === undefined) return false;
  if (!isObject(state)) return true;
  const { time } = state;
  return time !== undefined && !(isObject(time) && time.compacted === undefined);
}

/**
 * Walks over messages. Gives `[numbers, ids]`: for each message the number of its parts, the length of its id, and the
 * lengths of the ids of its parts, or `ODD` alone.
 */
export function walkMessages(slot, length) {
  const list = take(slot);
  const walk = new Walk();
  for (let i = 0; i < length; i++) {
    const { count, size } = walk;
    let isPlain = false;
    try {
      isPlain = walk.putMessage(list[i]);
    } catch {
      // A field cannot be read.
    }
    if (isPlain) continue;
    walk.count = count;
    walk.size = size;
    walk.put(ODD);
  }
  return [walk.numbers.subarray(0, walk.count), walk.ids.subarray(0, walk.size)];
}

// What a part is, numbered as `PlainKind` in crates/compaction/src/plain_part.rs.
const OTHER = 0;
const SILENT = 1;
const TEXT = 2;
const THOUGHT = 3;
const SYNTHETIC = 4;
const OWN_WORDS = 5;
const COMPLETED = 6;
const FAILED = 7;
const OPEN = 8;

/** Numbers of parts; none while they are being written, for a getter may ask for others. */
let spare;

const isText = (value) => typeof value === "string" && value !== "";
const isUnset = (value) => value === undefined || value === false;

/** Writes what a call is, and its lengths; false if it is out of the ordinary. */
function putCall(part, to, at) {
  const { tool, state } = part;
  if (!isText(tool) || !isObject(state) || hasMark(state)) return false;
  const { status, input } = state;
  if (!isObject(input)) return false;
  to[at + 1] = tool.length;
  to[at + 2] = JSON.stringify(input).length;
  if (status === "pending" || status === "running") {
    to[at] = OPEN;
    to[at + 3] = 0;
    return true;
  }
  if (status !== "completed" && status !== "error") return false;
  const result = status === "completed" ? state.output : state.error;
  if (!isText(result)) return false;
  to[at] = status === "completed" ? COMPLETED : FAILED;
  to[at + 3] = result.length;
  const { attachments } = state;
  return attachments === undefined || (isList(attachments) && attachments.length === 0);
}

/** Writes what a part is, and the length of its text. */
function putText(kind, { length }, to, at) {
  to[at] = kind;
  to[at + 1] = length;
  to[at + 2] = 0;
  to[at + 3] = 0;
  return true;
}

/** Writes what a part is, and its lengths, as four numbers; false if it is out of the ordinary. */
function putPart(part, isUser, to, at) {
  if (!isObject(part)) return false;
  const { type } = part;
  if (typeof type !== "string") return false;
  to[at] = type === "step-start" || type === "reasoning" ? SILENT : OTHER;
  if (!isUser) {
    if (type === "tool") return putCall(part, to, at);
    if (type !== "text" && type !== "reasoning") return true;
    const { text } = part;
    return isText(text) && putText(type === "text" ? TEXT : THOUGHT, text, to, at);
  }
  if (type !== "text") return type !== "file" && type !== "compaction" && type !== "subtask";
  const { text, ignored, synthetic } = part;
  if (!isText(text) || !isUnset(ignored)) return false;
  if (synthetic !== true && !isUnset(synthetic)) return false;
  const isOwn = synthetic !== true && text.trim() !== "";
  return putText(isOwn ? OWN_WORDS : SYNTHETIC, text, to, at);
}

/** What the parts of a message are, and the lengths of their texts: four numbers each; undefined if one is out of the ordinary. */
export function measuredParts(slot) {
  const to = spare;
  spare = undefined;
  try {
    const message = take(slot);
    if (!isObject(message)) return undefined;
    const { info, parts } = message;
    if (!isObject(info) || !isList(parts)) return undefined;
    const { role } = info;
    const { length } = parts;
    if ((role !== "user" && role !== "assistant") || length > MOST_PARTS) return undefined;
    const numbers = to && to.length >= 4 * length ? to : new Int32Array(4 * Math.max(length, 64));
    for (let i = 0; i < length; i++) {
      if (!putPart(parts[i], role === "user", numbers, 4 * i)) return undefined;
    }
    spare = numbers;
    return numbers.subarray(0, 4 * length);
  } catch {
    return undefined;
  }
}
