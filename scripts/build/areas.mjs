// The size of a WebAssembly module by section, and of its code by crate and by library. Needs
// the function names that rustc writes, so it reads the module before they are removed.

export const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;

const SECTIONS = [
  ...["custom", "type", "import", "function", "table", "memory", "global", "export", "start"],
  ...["element", "code", "data", "data count"],
];

/** Reads numbers and names from a module. */
class Cursor {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }
  byte() {
    return this.bytes[this.at++];
  }
  number() {
    let [value, scale, byte] = [0, 1, 0x80];
    for (; byte & 0x80; scale *= 0x80) {
      byte = this.byte();
      value += (byte & 0x7f) * scale;
    }
    return value;
  }
  text() {
    const length = this.number();
    this.at += length;
    return this.bytes.toString("utf8", this.at - length, this.at);
  }
}

function* sections(bytes) {
  const cursor = new Cursor(bytes, 8);
  while (cursor.at < bytes.length) {
    const kind = cursor.byte();
    const length = cursor.number();
    yield { kind, length, cursor: new Cursor(bytes, cursor.at), end: cursor.at + length };
    cursor.at += length;
  }
}

/** The crate and its module, or the library, of a function. */
function areaOf(name) {
  const own = /\bapex_parts(?:_([a-z_]+))?(?:\[[0-9a-f]+\])?::([a-z_]+)\b/.exec(name);
  if (own) return own[1] ? `${own[1]}/${own[2]}` : own[2];
  const library =
    /\b(pulldown_cmark|unicase|serde_json|serde_core|memchr|uuid|getrandom|js_sys|wasm_bindgen|dlmalloc|hashbrown|alloc|core|std)(?:\[[0-9a-f]+\])?::/.exec(
      name,
    );
  // Functions exported by wasm-bindgen have the name of the export, and contain what was inlined.
  return library ? `(${library[1]})` : "(calls from JavaScript, and others)";
}

/** The names of the functions by index. */
function namesIn(cursor, end) {
  const names = new Map();
  while (cursor.at < end) {
    const isFunctions = cursor.byte() === 1;
    const next = cursor.number() + cursor.at;
    for (let left = isFunctions ? cursor.number() : 0; left > 0; left--) {
      names.set(cursor.number(), cursor.text());
    }
    cursor.at = next;
  }
  return names;
}

/** The sizes of a module: one line for its sections, one for the areas of its code. */
export function areas(bytes, smallest = 5000) {
  const sizes = new Map();
  const code = [];
  let names = new Map();
  for (const { kind, length, cursor, end } of sections(bytes)) {
    if (kind === 0) {
      if (cursor.text() === "name") names = namesIn(cursor, end);
      continue;
    }
    sizes.set(SECTIONS[kind] ?? `section ${kind}`, length);
    for (let left = kind === 10 ? cursor.number() : 0; left > 0; left--) {
      const size = cursor.number();
      code.push(size);
      cursor.at += size;
    }
  }
  const imported = WebAssembly.Module.imports(new WebAssembly.Module(bytes)).filter(
    ({ kind }) => kind === "function",
  ).length;
  const found = new Map();
  for (const [index, size] of code.entries()) {
    const area = areaOf(names.get(index + imported) ?? "");
    found.set(area, (found.get(area) ?? 0) + size);
  }
  const list = (entries) =>
    entries.map(([name, size]) => `${name} ${(size / 1000).toFixed(1)}`).join(", ");
  const ordered = [...found].sort((a, b) => b[1] - a[1]);
  const rest = ordered.filter(([, size]) => size < smallest);
  const small = rest.reduce((sum, [, size]) => sum + size, 0);
  const large = ordered.slice(0, ordered.length - rest.length);
  return `  before it is optimised, in KB: ${list([...sizes].filter(([, size]) => size >= 1000))}
  its code: ${list([...large, [`${rest.length} smaller areas`, small]])}`;
}
