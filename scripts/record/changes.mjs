// What a call did to files, as a recording writes it.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";

/** Every file below a folder as base64, links as what they say. */
export function snapshot(root, prefix = "") {
  const files = {};
  for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    const name = prefix + relative(root, path);
    if (name.startsWith(".git/")) continue;
    if (entry.isSymbolicLink()) files[name] = `-> ${readlinkSync(path)}`;
    else if (entry.isFile()) files[name] = readFileSync(path).toString("base64");
  }
  return files;
}

/** What differs between two snapshots: texts, `null` for what is gone, `{ base64 }` for what is not text. */
export function changes(first, second) {
  const found = {};
  for (const name of new Set([...Object.keys(first), ...Object.keys(second)])) {
    if (first[name] === second[name]) continue;
    if (second[name] === undefined) found[name] = null;
    else if (second[name].startsWith("-> ")) found[name] = second[name];
    else {
      const bytes = Buffer.from(second[name], "base64");
      const text = bytes.toString("utf8");
      found[name] = Buffer.from(text).equals(bytes) ? text : { base64: second[name] };
    }
  }
  return Object.keys(found).length > 0 ? found : undefined;
}

/** A value with its strings as they are recorded. */
export function mapped(value, map) {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [map(k), mapped(v, map)]));
}
