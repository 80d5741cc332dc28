// Reads and builds JavaScript values for the module. Conversion only: the rules are in Rust.
//
// Rules run in WebAssembly and refer to a value by its handle: its slot in this table and its kind,
// packed into one integer (slot * 16 + kind). So a rule reads a field with one call and the value itself
// is not copied: a part of 5 MB costs as much as one of 100 bytes. Reading may run foreign code
// (getters, proxies), so every read is guarded. Long because all of it works on this one table.

const slots = [undefined];
let top = 1;
let keys = [];
let words = [];
const wordNumbers = new Map();

// Kinds, numbered as in crates/model/src/view.rs.
const MISSING = 0;
const NULL = 1;
const FALSE = 2;
const TRUE = 3;
const NUMBER = 4;
const EMPTY_STRING = 5;
const STRING = 6;
const ARRAY = 7;
const OBJECT = 8;
const NOT_FINITE = 9;
const EXOTIC = 10;
const BIG_INT = 11;
const FUNCTION = 12;
const SYMBOL = 13;
const UNREADABLE = 14;

/** Sets the names that rules refer to by number; called once, when the module starts. */
export function setNames(keyNames, wordNames) {
  keys = keyNames.split(",");
  words = wordNames.split(",");
  words.forEach((word, number) => {
    wordNumbers.set(word, number);
  });
}

const tagOf = Object.prototype.toString;

/** Whether it is a possible length: a proxy of an array may give anything. */
function isLength(length) {
  return Number.isSafeInteger(length) && length >= 0;
}

function kindOf(value) {
  switch (typeof value) {
    case "string":
      return value === "" ? EMPTY_STRING : STRING;
    case "object": {
      if (value === null) return NULL;
      if (Array.isArray(value)) return isLength(value.length) ? ARRAY : UNREADABLE;
      const prototype = Object.getPrototypeOf(value);
      if (prototype === Object.prototype || prototype === null) return OBJECT;
      return tagOf.call(value) === "[object Object]" ? OBJECT : EXOTIC;
    }
    case "undefined":
      return MISSING;
    case "number":
      return value - value === 0 ? NUMBER : NOT_FINITE;
    case "boolean":
      return value ? TRUE : FALSE;
    case "bigint":
      return BIG_INT;
    case "function":
      return FUNCTION;
    default:
      return SYMBOL;
  }
}

/** Whether a value is an object whose fields are read; it throws if that cannot be told. */
export function isObject(value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  // As in `kindOf`: what throws here is none that can be read.
  if (prototype !== Object.prototype && prototype !== null) tagOf.call(value);
  return true;
}

export const isList = (value) => Array.isArray(value) && isLength(value.length);

function keep(value, kind) {
  slots[top] = value;
  return top++ * 16 + kind;
}

/** Creates a handle to a value. */
export function hold(value) {
  try {
    return value === undefined ? MISSING : keep(value, kindOf(value));
  } catch {
    return UNREADABLE;
  }
}

/** The value of a handle. */
export function take(slot) {
  return slots[slot];
}

export function mark() {
  return top;
}

export function release(to) {
  while (top > to) slots[--top] = undefined;
}

export function get(slot, key) {
  try {
    const value = slots[slot][keys[key]];
    return value === undefined ? MISSING : keep(value, kindOf(value));
  } catch {
    return UNREADABLE;
  }
}

export function getNamed(slot, name) {
  try {
    return hold(slots[slot][slots[name]]);
  } catch {
    return UNREADABLE;
  }
}

export function length(slot) {
  try {
    const { length } = slots[slot];
    return isLength(length) ? Math.min(length, 0xffffffff) : 0;
  } catch {
    return 0;
  }
}

export function at(slot, index) {
  try {
    return hold(slots[slot][index]);
  } catch {
    return UNREADABLE;
  }
}

/** The names of an object's own fields, as a list. */
export function namesOf(slot) {
  try {
    return keep(Object.keys(slots[slot]), ARRAY);
  } catch {
    return UNREADABLE;
  }
}

export function number(slot) {
  return slots[slot];
}

/** The number of the word that equals the string, or -1. */
export function word(slot) {
  return wordNumbers.get(slots[slot]) ?? -1;
}

/** The length up to which a text is copied without asking whether it fits: see src/wasm/limits.rs. */
const LONG = 1 << 20;

/** The string; "" stands for a long one, because the empty string has a kind of its own. */
export function text(slot) {
  const value = slots[slot];
  return value.length > LONG ? "" : value;
}

export function longText(slot) {
  return slots[slot];
}

/** A piece of a string, which costs the same however long that is. */
export function textPiece(slot, from, to) {
  return slots[slot].slice(from, to);
}

// Why a text of the current call was refused; the call continued as if it were empty. "" if none was.
let refused = "";

/** Makes the current call fail when it ends. */
export function refuse(why) {
  refused = why;
}

/** Takes the reason for which the current call must fail; "" if there is none. */
export function takeRefused() {
  const why = refused;
  refused = "";
  return why;
}

/** Whether it is an error that engines throw for a string longer than they support. */
export const isTooLong = (error) =>
  /string length|allocation size|out of memory/i.test(String(error?.message));

export const byteLength = (view) => view.byteLength;

export function textLength(slot) {
  return slots[slot].length;
}

/** The JSON of a value; missing if it has none: a cycle, a BigInt, undefined. */
export function jsonText(slot) {
  try {
    return hold(JSON.stringify(slots[slot]));
  } catch {
    return MISSING;
  }
}

/** The length of the JSON of a value; 0 if it has none. */
export function jsonLength(slot) {
  try {
    return JSON.stringify(slots[slot])?.length ?? 0;
  } catch {
    return 0;
  }
}

export function isBlank(slot) {
  return slots[slot].trim() === "";
}

export function same(a, b) {
  return slots[a] === slots[b];
}

export function newSet() {
  return keep(new Set(), OBJECT);
}

/** Adds the string to the set; false if it was there already. */
export function note(set, slot) {
  const { size } = slots[set];
  return slots[set].add(slots[slot]).size > size;
}

export function object() {
  return keep({}, OBJECT);
}

export function list() {
  return keep([], ARRAY);
}

export function put(slot, key, value) {
  slots[slot][keys[key]] = slots[value];
}

export function putWord(slot, key, number) {
  slots[slot][keys[key]] = words[number];
}

export function putNumber(slot, key, value) {
  slots[slot][keys[key]] = value;
}

export function putBool(slot, key, value) {
  slots[slot][keys[key]] = value;
}

/** The longest string of V8; other engines have longer ones. */
const LONGEST = 2 ** 29 - 24;

export function putJoined(slot, key, before, middle, after) {
  const value = slots[middle];
  const text = typeof value === "string" ? value : "";
  const room = LONGEST - words[before].length - words[after].length;
  if (text.length > room) refuse(`a string of ${text.length} characters has no room for a prefix`);
  else slots[slot][keys[key]] = words[before] + text + words[after];
}

/** `{key: word}` */
export function objectWith(key, number) {
  return keep({ [keys[key]]: words[number] }, OBJECT);
}

/** The number of the word that equals the field, or -1. */
export function getWord(slot, key) {
  try {
    return wordNumbers.get(slots[slot][keys[key]]) ?? -1;
  } catch {
    return -1;
  }
}

/** Copies a field if it exists and can be read. */
export function copy(slot, key, from, fromKey) {
  let value;
  try {
    value = slots[from][keys[fromKey]];
  } catch {
    return;
  }
  if (value !== undefined) slots[slot][keys[key]] = value;
}

export function push(slot, value) {
  slots[slot].push(slots[value]);
}

/** Copies the fields that are neither in `known` nor in the target. */
export function carry(slot, from, known) {
  const target = slots[slot];
  const source = slots[from];
  let names;
  try {
    names = Object.keys(source);
  } catch {
    return;
  }
  for (const name of names) {
    if (Object.hasOwn(target, name)) continue;
    let skip = false;
    for (let i = 0; i < known.length && !skip; i++) skip = keys[known[i]] === name;
    if (skip) continue;
    let value;
    try {
      value = source[name];
    } catch {
      continue;
    }
    // Defined, not assigned: the name may be __proto__.
    Object.defineProperty(target, name, {
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
}

const sizeOf = (kind) => kind && Object.getOwnPropertyDescriptor(kind.prototype, "byteLength").get;
const sizes = {
  "[object ArrayBuffer]": sizeOf(ArrayBuffer),
  "[object SharedArrayBuffer]": sizeOf(globalThis.SharedArrayBuffer),
};

/** The bytes of a typed array, a Buffer or an ArrayBuffer of any realm. */
export function bytes(value) {
  try {
    if (ArrayBuffer.isView(value)) {
      return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    }
    // Throws if it only claims to be a buffer: otherwise it would be read as a list of any length.
    sizes[tagOf.call(value)].call(value);
    return new Uint8Array(value);
  } catch {
    return undefined;
  }
}

/** Adds a problem to a list. A negative offset means none. */
export function problem(list, severity, rule, path, message, offset) {
  const found = { severity, rule, path, message: `${message} (${rule})` };
  if (offset >= 0) found.offset = offset;
  slots[list].push(found);
}
