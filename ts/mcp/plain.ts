// Values of a server as plain JSON, whatever they are: what a client hands over need not come from JSON.
import { pointerStep } from "../problem.ts";
import type { Fields } from "../tools/boundary.ts";

/** What is plain. */
export type Plain = string | number | boolean | null | undefined | Plain[] | PlainObject;
export type PlainObject = { [field: string]: Plain };

/** Another text for some texts. */
type MapText = (text: string) => string | undefined;

/** What is read of one result: how deep, how many values, how many UTF-16 units of text. */
const MOST_DEPTH = 64;
const MOST_VALUES = 1_000_000;
const MOST_UNITS = 1 << 26;
const MOST_NAME = 1000;
/** What was replaced, as far as it is told one by one. */
const MOST_TOLD = 100;

const LONE = /\p{Surrogate}/gu;

/** Reads a field. A getter or a proxy may throw. */
export function read(object: Fields, name: string): unknown {
  try {
    return object[name];
  } catch {
    return undefined;
  }
}

/** Makes plain copies of values, within one bound for all of them. */
export class PlainCopies {
  /** Lists of a rule, a JSON pointer and what was there. */
  replaced: [rule: string, path: string, what: string][] = [];
  #values = 0;
  #units = 0;
  #open = new Set<object>();
  #mapText: MapText | undefined;

  tell(path: string, what: string, rule: string = "MC-6"): void {
    if (this.replaced.length < MOST_TOLD) this.replaced.push([rule, path, what]);
  }

  #replace(path: string, what: string) {
    this.tell(path, `${what}: replaced`);
    return `[${what}]`;
  }

  /** A text without halves of surrogate pairs, which UTF-8 has not; cut where there is too much text in all. */
  text(text: string, path: string): string {
    const room = Math.max(MOST_UNITS - this.#units, 0);
    this.#units += Math.min(text.length, room);
    if (text.length > room) {
      this.tell(path, "more text than is read: cut", "MC-7");
      const kept = this.#whole(text.slice(0, room), path);
      return `${kept}\n[${text.length - room} characters left out]`;
    }
    return this.#whole(text, path);
  }

  #whole(text: string, path: string) {
    // Of ES2024: not every engine has it.
    const object: { isWellFormed?(): boolean } = Object(text);
    if (object.isWellFormed?.()) return text;
    const whole = text.replace(LONE, "\ufffd");
    if (whole !== text) this.tell(path, "a lone surrogate: replaced");
    return whole;
  }

  /** A name of a field: short ones are kept whatever has been read. */
  #name(name: string, path: string) {
    return name.length > MOST_NAME ? this.text(name, path) : this.#whole(name, path);
  }

  /** A copy; `mapText`, if given, has each text of it. */
  copy(value: unknown, path: string, mapText?: MapText): Plain {
    this.#mapText = mapText;
    return this.#copy(value, path, 0);
  }

  #copy(value: unknown, path: string, depth: number): Plain {
    if (++this.#values > MOST_VALUES) {
      // Told once: there may be a million more.
      if (this.#values === MOST_VALUES + 1) {
        this.tell(path, "more values than are read: left out", "MC-7");
      }
      return null;
    }
    switch (typeof value) {
      case "string": {
        const text = this.#mapText?.(value);
        return text ?? this.text(value, path);
      }
      case "number":
        if (Number.isFinite(value)) return value;
        this.tell(path, `${value}: replaced by null`);
        return null;
      case "boolean":
        return value;
      case "undefined":
        return undefined;
      case "object":
        return value === null ? null : this.#container(value, path, depth);
      case "bigint":
        this.tell(path, "a bigint: replaced by its text");
        return value > 10n ** 400n || value < -(10n ** 400n) ? "[a bigint]" : String(value);
      default:
        return this.#replace(path, `a ${typeof value}`);
    }
  }

  #container(value: object, path: string, depth: number): Plain {
    if (this.#open.has(value)) return this.#replace(path, "a value that contains itself");
    if (depth >= MOST_DEPTH) return this.#replace(path, "nested too deeply, left out");
    this.#open.add(value);
    try {
      return Array.isArray(value)
        ? this.#list(value, path, depth)
        : this.#object(value as Fields, path, depth); // a cast: an object has fields
    } catch {
      return this.#replace(path, "a value that cannot be read");
    } finally {
      this.#open.delete(value);
    }
  }

  #list(value: unknown[], path: string, depth: number): Plain {
    const list: Plain[] = [];
    const { length } = value;
    for (let i = 0; i < length && this.#values <= MOST_VALUES; i++) {
      list.push(this.#copy(value[i], `${path}/${i}`, depth + 1) ?? null);
    }
    return list;
  }

  #object(value: Fields, path: string, depth: number): Plain {
    const tag = Object.prototype.toString.call(value);
    if (value instanceof Date) return Date.prototype.toISOString.call(value);
    if (tag !== "[object Object]")
      return this.#replace(path, `a value that is not JSON: ${tag.slice(8, -1).slice(0, 40)}`);
    // Without a prototype, so that `__proto__` is a name like another.
    const copy: PlainObject = Object.create(null);
    for (const name of Object.keys(value)) {
      if (this.#values > MOST_VALUES) break;
      let field: unknown;
      const at = path + pointerStep(name.length > 100 ? "…" : name);
      try {
        field = value[name];
      } catch {
        copy[this.#name(name, at)] = this.#replace(at, "a value that cannot be read");
        continue;
      }
      const duplicate = this.#copy(field, at, depth + 1);
      if (duplicate !== undefined) copy[this.#name(name, at)] = duplicate;
    }
    return copy;
  }
}
