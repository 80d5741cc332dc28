// The loaders of the entries: files of js/ with a line for each export.
import { readFileSync } from "node:fs";
import { at } from "../lib.mjs";
import { compileOf } from "./glue.mjs";
import { cjs, commonjs, esm, write } from "./package-files.mjs";

/** The functions and types of apex-bridge's two message files, which this package replaces. */
export const APEX_BRIDGE = JSON.parse(readFileSync(at("js", "apex-bridge.json"), "utf8"));

/** The text of a file of the full module, with the names changed for another module. */
export function named(text, { name, prefix, wasm, entry = "." }) {
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

/** The text of a loader of js/ with a literal line for each export, which tools search for. */
function loader(file, names, from) {
  const lines = `${from ? esm(names, from) : cjs(names)}\n`;
  return readFileSync(at("js", file), "utf8").replace("/* @exports */\n", lines);
}

/** Writes the loaders of a module; that of the full one for Node is written by `nodeLoader`. */
export function loaders(module, names) {
  for (const [file, from] of Object.entries(LOADERS)) {
    const isOfAreas = file === "node.cjs" && module.prefix === "";
    if (!isOfAreas) write(`${module.prefix}${file}`, named(loader(file, names, from), module));
  }
  write("compile.cjs", readFileSync(at("js", "compile.cjs"), "utf8"));
}

/** Writes the CommonJS entry for Node whose names come from these modules. */
export function nodeLoader(modules, names) {
  const none = "const AREAS = {};\n";
  const each = modules.map(({ name, wasm }) => `  ${compileOf(name)}: "${wasm}",\n`);
  const text = loader("node-areas.cjs", names);
  if (!text.includes(none)) throw new Error("js/node-areas.cjs has changed: it names no areas");
  write("node.cjs", text.replace(none, `const AREAS = {\n${each.join("")}};\n`));
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
