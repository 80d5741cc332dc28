// The loaders of the entries: files of js/ with a line for each export.
import { readFileSync } from "node:fs";
import { at } from "../lib.mjs";
import { cjs, commonjs, esm, write } from "./package-files.mjs";

/** The functions and types of apex-bridge's two message files, which this package replaces. */
export const APEX_BRIDGE = JSON.parse(readFileSync(at("js", "apex-bridge.json"), "utf8"));

/** The text of a file of the full module, with the names changed for another module. */
export function named(text, { name, prefix, wasm, entry }) {
  if (prefix === "") return text;
  return (
    text
      .replaceAll("apex_parts_bg.wasm", wasm)
      .replace(/(["'])\.\/(glue|node|edge|inline)\./g, `$1./${prefix}$2.`)
      // An object of one module must not be accepted by the other.
      .replace(/\b__([A-Z]\w*_ptr)\b/g, `__${name}_$1`)
      .replaceAll("apex-parts/slim", `apex-parts${entry.slice(1)}/slim`)
      .replaceAll("apex-parts itself", `apex-parts${entry.slice(1)} itself`)
  );
}

/** The file from which each loader of js/ re-exports; undefined for CommonJS. */
const LOADERS = {
  "node.cjs": undefined,
  "node.mjs": "./node.cjs",
  "edge.mjs": "./glue.mjs",
  "web.mjs": "./glue.mjs",
  "web.cjs": undefined,
  "slim.mjs": "./glue.mjs",
  "slim.cjs": undefined,
};

/** Writes the loaders of js/ with a literal line for each export, which tools search for. */
export function loaders(module, names) {
  for (const [file, from] of Object.entries(LOADERS)) {
    const text = readFileSync(at("js", file), "utf8");
    const lines = `${from ? esm(names, from) : cjs(names)}\n`;
    write(`${module.prefix}${file}`, named(text.replace("/* @exports */\n", lines), module));
  }
}

/** Writes the entry with the names of apex-bridge, which uses the full module: a process has one instance. */
export function bridgeLoaders(names) {
  const bridge = APEX_BRIDGE.functions;
  const missing = bridge.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`apex-bridge's ${missing.join(", ")} is not exported`);
  const head = "// The names of apex-bridge's two message files, and no others.\n";
  for (const [name, from] of [
    ["apex-bridge.node.cjs", "./node.cjs"],
    ["apex-bridge.web.cjs", "./glue.cjs"],
  ]) {
    write(name.replace(".node", ""), `${head}${commonjs(from, bridge)}`);
  }
  write("apex-bridge.mjs", `${head}${esm(bridge, "./node.cjs")}\n`);
  write("apex-bridge.edge.mjs", `${head}${esm(bridge, "./edge.mjs")}\n`);
  write("apex-bridge.web.mjs", `${head}${esm(bridge, "./glue.mjs")}\n`);
}
