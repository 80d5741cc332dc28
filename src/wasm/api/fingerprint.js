// The fingerprint of arguments with very many values: writing them as JSON and reading it again takes
// twice as long as walking over them once. Two values are equal by the rule of the core (RFC 8785): the
// order of keys does not matter. Conversion only.

/** Arguments with fewer values are written as JSON: that is as fast, and shows them in full. */
export const MANY = 4096;
const DEEPEST = 200;

// The hash of the last value, in two halves of 32 bits. Not returned, because that takes an object each time.
let high = 0;
let low = 0;

/** Seeds that distinguish values of different types with the same bits. */
const STRING = 0x51ed270b;
const NUMBER = 0x2545f491;
const OTHER = 0x1b56c4e9;
const LIST = 0x3c6ef372;
const OBJECT = 0x78dde6e4;

/** The final mixing: every bit of the input can change every bit of the output. */
function finish(a, b) {
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35);
  high = a ^ (a >>> 16);
  low = b ^ (b >>> 15);
}

function ofString(text) {
  let a = STRING ^ text.length;
  let b = STRING;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x9e3779b1);
    b = Math.imul(b ^ unit, 0x5f356495);
  }
  finish(a, b);
}

const float = new Float64Array(1);
const bits = new Int32Array(float.buffer);

function ofNumber(number) {
  // JSON has only one zero: -0 becomes 0.
  float[0] = number + 0;
  finish(NUMBER ^ bits[0], NUMBER ^ bits[1]);
}

// The keys of objects that have very many, which are slow to list, while one value is processed.
const gathered = new Map();

function keysOf(object) {
  const known = gathered.size > 0 ? gathered.get(object) : undefined;
  if (known) return known;
  const keys = Object.keys(object);
  if (keys.length > MANY) gathered.set(object, keys);
  return keys;
}

/** Hashes a value; false if JSON does not write it as it is. */
function walk(value, depth) {
  switch (typeof value) {
    case "string":
      ofString(value);
      return true;
    case "number":
      // JSON writes NaN and infinity as null.
      if (Number.isFinite(value)) ofNumber(value);
      else finish(OTHER, 0);
      return true;
    case "boolean":
      finish(OTHER, value ? 1 : 2);
      return true;
    case "object":
      break;
    default:
      return false;
  }
  if (value === null) {
    finish(OTHER, 0);
    return true;
  }
  if (depth > DEEPEST || typeof value.toJSON === "function") return false;
  return Array.isArray(value) ? walkList(value, depth) : walkObject(value, depth);
}

function walkList(list, depth) {
  const { length } = list;
  let a = LIST ^ length;
  let b = LIST;
  for (let i = 0; i < length; i++) {
    if (!walk(list[i], depth + 1)) return false;
    a = Math.imul(a ^ high, 0x9e3779b1) + low;
    b = Math.imul(b ^ low, 0x5f356495) ^ (a >>> 15);
  }
  finish(a, b);
  return true;
}

/** Hashes a field, independent of its position. */
function walkField(key, value, depth) {
  if (!walk(value, depth + 1)) return false;
  const valueHigh = high;
  const valueLow = low;
  ofString(key);
  finish(high ^ Math.imul(valueHigh, 0x9e3779b1), low + Math.imul(valueLow, 0x5f356495));
  return true;
}

function walkObject(object, depth) {
  const kind = Object.getPrototypeOf(object);
  // JSON writes a boxed number or string as its primitive.
  if (kind !== Object.prototype && kind !== null) return false;
  let fields = 0;
  let a = OBJECT;
  let b = OBJECT;
  const keys = gathered.size > 0 ? gathered.get(object) : undefined;
  if (keys) {
    for (; fields < keys.length; fields++) {
      const key = keys[fields];
      if (!walkField(key, object[key], depth)) return false;
      a = (a + high) | 0;
      b = (b + low) | 0;
    }
  } else {
    // The same without a list of keys, which takes as long as the rest of the work for small objects.
    for (const key in object) {
      if (!Object.hasOwn(object, key)) continue;
      if (!walkField(key, object[key], depth)) return false;
      a = (a + high) | 0;
      b = (b + low) | 0;
      fields++;
    }
  }
  finish(a ^ fields, b);
  return true;
}

let left = 0;

/** Counts values; false if there are more than `left`. */
function count(value, depth) {
  if (--left < 0) return false;
  if (typeof value !== "object" || value === null || depth > DEEPEST) return true;
  const isList = Array.isArray(value);
  const keys = isList ? undefined : keysOf(value);
  const { length } = keys ?? value;
  if (length > left) return false;
  for (let i = 0; i < length; i++) {
    if (!count(isList ? value[i] : value[keys[i]], depth + 1)) return false;
  }
  return true;
}

/** Appends the JSON of a value to `text`, until it has `most` characters. */
function write(value, text, most) {
  if (text.length > most) return text;
  if (typeof value === "string") return text + JSON.stringify(value.slice(0, most));
  if (typeof value !== "object" || value === null) return text + JSON.stringify(value);
  const isList = Array.isArray(value);
  const keys = isList ? undefined : keysOf(value);
  const { length } = keys ?? value;
  let made = text + (isList ? "[" : "{");
  for (let i = 0; i < length && made.length <= most; i++) {
    if (i > 0) made += ",";
    if (!isList) made = `${write(keys[i], made, most)}:`;
    made = write(isList ? value[i] : value[keys[i]], made, most);
  }
  return made + (isList ? "]" : "}");
}

/**
 * Computes the fingerprint of a value that contains very many plain values, and returns the beginning of
 * its JSON (at least `most` characters). Undefined if it contains fewer values, or some that JSON does not
 * write as they are (a Date, a field that is undefined, a cycle).
 */
export function beginningOf(value, most) {
  if (typeof value !== "object" || value === null) return undefined;
  try {
    left = MANY;
    if (count(value, 0) || !walk(value, 0)) return undefined;
    return write(value, "", most);
  } catch {
    // A getter that throws, a proxy: the caller reads what it can.
    return undefined;
  } finally {
    gathered.clear();
  }
}

/** The last fingerprint, in two halves. */
export const printHigh = () => high >>> 0;
export const printLow = () => low >>> 0;
