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

/** How many names a block may have: of tools, or of models. */
const MOST_NAMES = 64;

const isText = (value) => typeof value === "string" && value !== "";
const isUnset = (value) => value === undefined || value === false;
const isNothing = (value) => value === undefined || value === null;

/** What is read of a block of messages: numbers, and the names that some of them stand for. */
class Block {
  /** @param numbers - Where they are put. */
  constructor(numbers) {
    this.numbers = numbers;
    this.count = 0;
    this.names = [];
  }

  /** Makes room for numbers; returns where they begin. */
  add(length) {
    const at = this.count;
    this.count += length;
    if (this.count > this.numbers.length) {
      const longer = new Int32Array(2 * this.count);
      longer.set(this.numbers);
      this.numbers = longer;
    }
    return at;
  }

  /** The number of a name; -1 if it is out of the ordinary. */
  nameOf(name) {
    const { names } = this;
    const at = names.indexOf(name);
    if (at >= 0) return at;
    if (names.length === MOST_NAMES || name.length > LONGEST_ID) return -1;
    return names.push(name) - 1;
  }
}

/** The numbers of the block before; none while one is being read, for a getter may ask for others. */
let spare;

/**
 * Reads messages with `put`, which returns false for what is out of the ordinary. Gives `[numbers, names]`; the numbers
 * are those until the next block.
 */
function readBlock(slot, from, to, put) {
  const list = take(slot);
  const block = new Block(spare ?? new Int32Array(1 << 9));
  spare = undefined;
  for (let i = from; i < to; i++) {
    const { count } = block;
    let isPlain = false;
    try {
      isPlain = put(block, list[i]);
    } catch {
      // A field cannot be read.
    }
    if (isPlain) continue;
    block.count = count;
    const at = block.add(1);
    block.numbers[at] = ODD;
  }
  spare = block.numbers;
  return [block.numbers.subarray(0, block.count), block.names];
}

// The bits of a message, as in crates/compaction/src/head.rs.
const FINISH = 8;
const HAS_FAILED = 16;
const GOES_ON = 32;

/** Numbers of tokens add up to any size; those that are kept do not. */
const toWhole = (count) => Math.min(count, 0xffffffff) | 0;

/** A number of tokens. */
const countOf = (value) => (Number.isFinite(value) && value > 0 ? value : 0);

/** Puts who said a message, its bits, the number of its model or -1, and the tokens of prompt and answer. */
function putHead(block, message) {
  if (!isObject(message)) return false;
  const { info, parts } = message;
  if (!isObject(info) || !isList(parts)) return false;
  const { role } = info;
  if (role === "user") {
    const { length } = parts;
    if (length > MOST_PARTS) return false;
    for (let i = 0; i < length; i++) {
      const part = parts[i];
      if (!isObject(part) || part.type === "compaction") return false;
    }
    const at = block.add(5);
    block.numbers.fill(0, at, at + 5);
    block.numbers[at + 2] = -1;
    return true;
  }
  if (role !== "assistant") return false;
  const { summary, finish, error, modelID, tokens } = info;
  if (!isUnset(summary)) return false;
  const isFinished = isText(finish);
  if (!isFinished && !isNothing(finish)) return false;
  const hasFailed = !isNothing(error);
  if (hasFailed && !isObject(error)) return false;
  if (modelID !== undefined && !isText(modelID)) return false;
  const model = modelID === undefined ? -1 : block.nameOf(modelID);
  if (modelID !== undefined && model < 0) return false;
  let prompt = 0;
  let output = 0;
  if (!isNothing(tokens)) {
    if (!isObject(tokens)) return false;
    const { cache } = tokens;
    prompt = countOf(tokens.input);
    output = countOf(tokens.output);
    if (!isNothing(cache)) {
      if (!isObject(cache)) return false;
      prompt = prompt + countOf(cache.read) + countOf(cache.write);
    }
  }
  const goesOn = !isFinished || finish === "tool-calls" || finish === "unknown";
  const at = block.add(5);
  const { numbers } = block;
  numbers[at] = 1;
  numbers[at + 1] =
    (isFinished ? FINISH : 0) | (hasFailed ? HAS_FAILED : 0) | (goesOn ? GOES_ON : 0);
  numbers[at + 2] = model;
  numbers[at + 3] = toWhole(prompt);
  numbers[at + 4] = toWhole(output);
  return true;
}

/**
 * The facts of messages. Gives `[numbers, names]`: for each message 0 for the user or 1 for the model, bits, the number of
 * the model's name or -1, and the tokens of prompt and answer; or `ODD` alone.
 */
export const headsOf = (slot, from, to) => readBlock(slot, from, to, putHead);

/** Whether a text stands in JSON as it is. */
function isBare(text) {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // Controls, quotation marks, backslashes and halves of surrogate pairs are written as something longer.
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || unit >= 0xd800) return false;
  }
  return true;
}

/** Longer texts are left to `JSON.stringify`, which looks at several characters at a time. */
const SHORT = 64;

/** The length of the JSON of an object. That of few short texts is known without writing it. */
function jsonLength(input) {
  // Texts and numbers may be objects, too, and are written as what they are.
  const isPlain =
    Object.getPrototypeOf(input) === Object.prototype &&
    Object.prototype.toString.call(input) === "[object Object]" &&
    input.toJSON === undefined;
  const names = Object.keys(input);
  if (!isPlain || names.length > 4) return JSON.stringify(input).length;
  // The braces, and of each field a colon, four quotation marks and a comma, of which there is one less.
  let length = names.length === 0 ? 2 : 1;
  for (const name of names) {
    const value = input[name];
    const isShort = typeof value === "string" && name.length + value.length <= SHORT;
    if (!isShort || !isBare(name) || !isBare(value)) return JSON.stringify(input).length;
    length += name.length + value.length + 6;
  }
  return length;
}

/** Writes what a call is, its lengths, and the number of its tool; false if it is out of the ordinary. */
function putCall(block, part, at) {
  const { tool, state } = part;
  if (!isText(tool) || !isObject(state) || hasMark(state)) return false;
  const { status, input } = state;
  if (!isObject(input)) return false;
  const name = block.nameOf(tool);
  if (name < 0) return false;
  const { numbers } = block;
  numbers[at + 1] = tool.length;
  numbers[at + 2] = jsonLength(input);
  numbers[at + 4] = name;
  if (status === "pending" || status === "running") {
    numbers[at] = OPEN;
    numbers[at + 3] = 0;
    return true;
  }
  if (status !== "completed" && status !== "error") return false;
  const result = status === "completed" ? state.output : state.error;
  if (!isText(result)) return false;
  numbers[at] = status === "completed" ? COMPLETED : FAILED;
  numbers[at + 3] = result.length;
  const { attachments } = state;
  return attachments === undefined || (isList(attachments) && attachments.length === 0);
}

/** Writes what a part is, and the length of its text. */
function putPlain({ numbers }, kind, length, at) {
  numbers[at] = kind;
  numbers[at + 1] = length;
  numbers[at + 2] = 0;
  numbers[at + 3] = 0;
  numbers[at + 4] = -1;
  return true;
}

/** Writes what a part is, and its lengths, as five numbers; false if it is out of the ordinary. */
function putPart(block, part, isUser, at) {
  if (!isObject(part)) return false;
  const { type } = part;
  if (typeof type !== "string") return false;
  const kind = type === "step-start" || type === "reasoning" ? SILENT : OTHER;
  if (!isUser) {
    if (type === "tool") return putCall(block, part, at);
    if (type !== "text" && type !== "reasoning") return putPlain(block, kind, 0, at);
    const { text } = part;
    return isText(text) && putPlain(block, type === "text" ? TEXT : THOUGHT, text.length, at);
  }
  if (type !== "text") {
    const isSent = type === "file" || type === "compaction" || type === "subtask";
    return !isSent && putPlain(block, kind, 0, at);
  }
  const { text, ignored, synthetic } = part;
  if (!isText(text) || !isUnset(ignored)) return false;
  if (synthetic !== true && !isUnset(synthetic)) return false;
  const isOwn = synthetic !== true && text.trim() !== "";
  return putPlain(block, isOwn ? OWN_WORDS : SYNTHETIC, text.length, at);
}

/** Puts the number of parts of a message, and what they are. */
function putParts(block, message) {
  if (!isObject(message)) return false;
  const { info, parts } = message;
  if (!isObject(info) || !isList(parts)) return false;
  const { role } = info;
  const { length } = parts;
  if ((role !== "user" && role !== "assistant") || length > MOST_PARTS) return false;
  const isUser = role === "user";
  const at = block.add(1 + 5 * length);
  block.numbers[at] = length;
  for (let i = 0; i < length; i++) {
    if (!putPart(block, parts[i], isUser, at + 1 + 5 * i)) return false;
  }
  return true;
}

/**
 * What the parts of messages are. Gives `[numbers, names]`: for each message the number of its parts, and of each what it
 * is, the lengths of its texts (three) and the number of the tool's name or -1; or `ODD` alone.
 */
export const measuredParts = (slot, from, to) => readBlock(slot, from, to, putParts);
