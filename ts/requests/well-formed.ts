// Text and JSON that every provider takes: RP-8.
import { isObject } from "../tools/boundary.ts";

const LONE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** The methods of a string that older runtimes lack. */
type NewString = { isWellFormed?(): boolean; toWellFormed?(): string };

/** The text with U+FFFD for each lone surrogate and without NUL: the same string if it has neither. */
export function wellFormed(text: string): string {
  // A cast: the library of the declarations is older than these methods.
  const given = text as string & NewString;
  const whole =
    (given.isWellFormed?.() ?? text.search(LONE) < 0)
      ? text
      : (given.toWellFormed?.() ?? text.replace(LONE, "\uFFFD"));
  return whole.includes("\0") ? whole.replaceAll("\0", "") : whole;
}

/** The most levels of a value: more is no input of a tool. */
const MAX_DEPTH = 200;

/** What `JSON.stringify` would write for a value, as a value: the same object if it is that already. */
export function jsonValue(value: unknown, depth = 0): unknown {
  switch (typeof value) {
    case "string":
      return wellFormed(value);
    case "number":
      return Number.isFinite(value) ? value : null;
    case "boolean":
      return value;
    case "bigint":
      return String(value);
    case "object":
      break;
    default:
      return undefined;
  }
  if (value === null) return null;
  if (depth > MAX_DEPTH) throw new RangeError("nested too deeply");
  if (Array.isArray(value)) {
    let made: unknown[] | undefined;
    for (let at = 0; at < value.length; at++) {
      const element: unknown = value[at];
      const whole = jsonValue(element, depth + 1) ?? null;
      if (whole === element) continue;
      made ??= [...value];
      made[at] = whole;
    }
    return made ?? value;
  }
  // A cast: it is an object.
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") return jsonValue(toJSON.call(value, ""), depth + 1);
  if (!isObject(value)) return undefined;
  let isSame = true;
  const fields: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value)) {
    const whole = jsonValue(field, depth + 1);
    const key = wellFormed(name);
    isSame &&= whole === field && key === name;
    if (whole !== undefined) fields.push([key, whole]);
  }
  // `fromEntries` defines `__proto__` as a field.
  return isSame ? value : Object.fromEntries(fields);
}
