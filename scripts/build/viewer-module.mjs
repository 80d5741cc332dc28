// Derives the viewer's module from the full one without compiling again, by removing what cannot be reached from the
// calls in the viewer's worker, and the imports in the glue that are then unused.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { at, cache, run } from "../lib.mjs";
import { FEATURES } from "./optimise.mjs";

const pkg = at("pkg");
const folder = join(cache, "viewer-module");
const WASM = "apex_parts_bg.wasm";

/** Replaces the package's entry for browsers when the viewer is bundled. */
export const VIEWER_MODULE = join(folder, "web.mjs");
export const VIEWER_WASM = join(folder, WASM);
/** What is known of each format, for the page, which has no module. */
export const VIEWER_FORMATS = join(folder, "formats.mjs");

/** Writes the module for the worker whose source is `entry`; `formats` is what is known of the formats. */
export async function trim(entry, formats) {
  mkdirSync(folder, { recursive: true });
  const glue = shakable(readFileSync(join(pkg, "glue.mjs"), "utf8"));
  write("glue.mjs", glue);
  write("web.mjs", readFileSync(join(pkg, "web.mjs")));
  write("formats.mjs", readFileSync(formats));
  const whole = join(pkg, WASM);
  const exported = WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(whole)));
  // Twice: a class of which only the module makes objects is named by an import that the first cut makes unused.
  for (let round = 0; round < 2; round++) {
    const called = await callsOf(entry);
    await cut(
      whole,
      exported.map(({ name }) => name),
      (name) => name === "memory" || name.startsWith("__stack") || called.has(name),
    );
    const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(VIEWER_WASM)));
    write("glue.mjs", withImports(glue, imports));
  }
}

function write(name, content) {
  writeFileSync(join(folder, name), content);
}

/** The glue, changed so that a bundler can remove unused classes. */
function shakable(source) {
  const changes = [
    // A worker without the classes that have a fast path does not need it.
    [/connectFastPath\(instance\.exports, (guard\([^;]*\))\);/, "$1.guarded;"],
    [/^var connectFastPath = .*;\n/m, ""],
    [/^if \(Symbol\.dispose\) .*;\n/gm, ""],
    // The namespaces, which the viewer does not use.
    [/^\w+\.\w+ = \w+__\w+;\n/gm, ""],
    [/: new FinalizationRegistry\(/g, ": /* @__PURE__ */ new FinalizationRegistry("],
  ];
  return changes.reduce((text, [from, to]) => {
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`the glue has changed: no ${from} found`);
    return changed;
  }, source);
}

/** The exports of the module that a bundled worker names. */
async function callsOf(entry) {
  const { build } = await import("esbuild");
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    alias: { "apex-parts": VIEWER_MODULE },
    logLevel: "error",
    logOverride: { "duplicate-object-key": "silent" },
    write: false,
  });
  const [{ text }] = result.outputFiles;
  return new Set([...text.matchAll(/\bwasm\d*\.(\w+)/g)].map(([, name]) => name));
}

/** Removes from a module what the kept exports do not reach. */
async function cut(whole, names, isKept) {
  const node = (name) => ({ name: `export ${name}`, export: name });
  const reaches = names.filter(isKept).map((name) => `export ${name}`);
  const graph = [{ name: "viewer", root: true, reaches }, ...names.map(node)];
  write("graph.json", JSON.stringify(graph));
  const flags = [...FEATURES, "--graph-file", join(folder, "graph.json")];
  await run("wasm-metadce", [whole, ...flags, "-o", VIEWER_WASM], { quiet: true });
}

/** The glue without the imports that the reduced module does not need. */
function withImports(glue, imports) {
  const names = new Set(imports.map(({ name }) => name));
  const modules = new Set(imports.map(({ module }) => module));
  return glue
    .replace(/^ {4}(__wb\w+): function[\s\S]*?^ {4}\},?\n/gm, (whole, name) =>
      names.has(name) ? whole : "",
    )
    .replace(/^ {4}("\.\/snippets\/[^"]+"): \w+,?\n/gm, (whole, module) =>
      modules.has(JSON.parse(module)) ? whole : "",
    );
}
