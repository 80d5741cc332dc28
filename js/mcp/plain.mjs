// Values of a server as plain JSON, whatever they are: what a client hands over need not come from JSON.

/** Values in one result, deeper nesting and longer text than which are not read. */
export const MOST_DEPTH = 64;
const MOST_VALUES = 1_000_000;
const MOST_UNITS = 1 << 26;
/** What was replaced, as far as it is told one by one. */
const MOST_TOLD = 100;

const LONE = /\p{Surrogate}/gu;

/** Reads a field. A getter or a proxy may throw. */
export function read(object, name) {
  try {
    return object[name];
  } catch {
    return undefined;
  }
}

const escaped = (name) => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** Makes plain copies of values, within one bound for all of them. */
export class PlainCopies {
  /** Pairs of a JSON pointer and what was there. */
  replaced = [];
  #values = 0;
  #units = 0;
  #open = new Set();
  #mapText = undefined;

  #tell(path, what) {
    if (this.replaced.length < MOST_TOLD) this.replaced.push([path, what]);
  }

  #replace(path, what) {
    this.#tell(path, what);
    return `[${what}]`;
  }

  /** A text without halves of surrogate pairs, which UTF-8 has not. */
  text(text, path) {
    this.#units += text.length;
    if (this.#units > MOST_UNITS) return this.#replace(path, "text over the limit, left out");
    const whole = text.isWellFormed?.() ? text : text.replace(LONE, "\ufffd");
    if (whole !== text) this.#tell(path, "half of a surrogate pair");
    return whole;
  }

  /** A copy; `mapText`, if given, has each text of it. */
  copy(value, path, mapText) {
    this.#mapText = mapText;
    return this.#copy(value, path, 0);
  }

  #copy(value, path, depth) {
    if (++this.#values > MOST_VALUES) {
      // Told once: there may be a million more.
      if (this.#values === MOST_VALUES + 1) this.#tell(path, "more values than are read");
      return null;
    }
    switch (typeof value) {
      case "string": {
        const text = this.#mapText?.(value);
        return text ?? this.text(value, path);
      }
      case "number":
        if (Number.isFinite(value)) return value;
        this.#tell(path, String(value));
        return null;
      case "boolean":
        return value;
      case "undefined":
        return undefined;
      case "object":
        return value === null ? null : this.#container(value, path, depth);
      case "bigint":
        this.#tell(path, "a bigint");
        return value > 10n ** 400n || value < -(10n ** 400n) ? "[a bigint]" : String(value);
      default:
        return this.#replace(path, `a ${typeof value}`);
    }
  }

  #container(value, path, depth) {
    if (this.#open.has(value)) return this.#replace(path, "a value within itself");
    if (depth >= MOST_DEPTH) return this.#replace(path, "nested too deep, left out");
    this.#open.add(value);
    try {
      return Array.isArray(value)
        ? this.#list(value, path, depth)
        : this.#object(value, path, depth);
    } catch {
      return this.#replace(path, "a value that cannot be read");
    } finally {
      this.#open.delete(value);
    }
  }

  #list(value, path, depth) {
    const list = [];
    const { length } = value;
    for (let i = 0; i < length && this.#values <= MOST_VALUES; i++) {
      list.push(this.#copy(value[i], `${path}/${i}`, depth + 1) ?? null);
    }
    return list;
  }

  #object(value, path, depth) {
    const tag = Object.prototype.toString.call(value);
    if (value instanceof Date) return Date.prototype.toISOString.call(value);
    if (tag !== "[object Object]") return this.#replace(path, `a value that is not JSON: ${tag.slice(8, 40)}`);
    // Without a prototype, so that `__proto__` is a name like another.
    const copy = Object.create(null);
    for (const name of Object.keys(value)) {
      if (this.#values > MOST_VALUES) break;
      let given;
      const at = `${path}/${name.length > 100 ? "…" : escaped(name)}`;
      try {
        given = value[name];
      } catch {
        copy[this.text(name, at)] = this.#replace(at, "a value that cannot be read");
        continue;
      }
      const made = this.#copy(given, at, depth + 1);
      if (made !== undefined) copy[this.text(name, at)] = made;
    }
    return copy;
  }
}
