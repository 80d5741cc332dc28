// WebAssembly modules after the compiler: the package's, optimised, and the viewer's, which is the same
// without what the viewer never calls. That one is not compiled anew: what cannot be reached from the
// calls in the viewer's worker is cut out, and the glue loses what nobody imports any more.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { at, cache, run } from "./lib.mjs";

const pkg = at("pkg");
const folder = join(cache, "viewer-module");
const WASM = "apex_parts_bg.wasm";

// What rustc uses, and no more: every engine since 2023 has these.
const FEATURES = [
  ...[
    "bulk-memory",
    "bulk-memory-opt",
    "multivalue",
    "mutable-globals",
    "nontrapping-float-to-int",
  ],
  ...["reference-types", "sign-ext", "simd"],
].map((name) => `--enable-${name}`);

// What a browser loads is compressed. A large function that is called once costs fewer bytes there than
// the same code inlined, whose locals have higher numbers; nor do locals pay for what is cheap to
// compute twice. 2 % of the module, as fast as without (`npm run bench`).
const SMALL = ["-ocimfs", "100", "--skip-pass=local-cse", "--skip-pass=merge-locals"];

/** Makes a module that comes from wasm-bindgen faster and smaller. */
export async function optimise(from, to) {
  const strip = ["--strip-debug", "--strip-producers", "--strip-target-features"];
  await run("wasm-opt", ["-O3", ...SMALL, ...FEATURES, ...strip, from, "-o", to]);
}

/** Stands in for the package's entry for browsers where the viewer is bundled. */
export const VIEWER_MODULE = join(folder, "web.mjs");
export const VIEWER_WASM = join(folder, WASM);

/** Writes the module that the worker, whose source is `entry`, needs. */
export async function trim(entry) {
  mkdirSync(folder, { recursive: true });
  const glue = shakable(readFileSync(join(pkg, "glue.mjs"), "utf8"));
  write("glue.mjs", glue);
  write("web.mjs", readFileSync(join(pkg, "web.mjs")));
  const whole = join(pkg, WASM);
  const exported = WebAssembly.Module.exports(new WebAssembly.Module(readFileSync(whole)));
  const called = await callsOf(entry);
  await cut(
    whole,
    exported.map(({ name }) => name),
    (name) => name === "memory" || name.startsWith("__stack") || called.has(name),
  );
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(VIEWER_WASM)));
  write("glue.mjs", withImports(glue, imports));
}

function write(name, content) {
  writeFileSync(join(folder, name), content);
}

/** The glue, so written that a bundler leaves out the classes which nobody uses. */
function shakable(source) {
  const changes = [
    // A worker that uses none of the classes with a fast path needs none.
    [/withFastPath\(\{[^}]*\}, instance\.exports, (guard\([^;]*\))\);/, "$1.guarded;"],
    [/^if \(Symbol\.dispose\) .*;\n/gm, ""],
    // The namespaces, of which the viewer uses none.
    [/^\w+\.\w+ = \w+__\w+;\n/gm, ""],
    [/: new FinalizationRegistry\(/g, ": /* @__PURE__ */ new FinalizationRegistry("],
  ];
  return changes.reduce((text, [from, to]) => {
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`the glue has changed: no ${from} found`);
    return changed;
  }, source);
}

/** The names of the module's exports that a bundled worker mentions. */
async function callsOf(entry) {
  const { build } = await import("esbuild");
  const made = await build({
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
  const [{ text }] = made.outputFiles;
  return new Set([...text.matchAll(/\bwasm\d*\.(\w+)/g)].map(([, name]) => name));
}

/** Cuts out of a module what its kept exports do not reach. */
async function cut(whole, names, isKept) {
  const node = (name) => ({ name: `export ${name}`, export: name });
  const reaches = names.filter(isKept).map((name) => `export ${name}`);
  const graph = [{ name: "viewer", root: true, reaches }, ...names.map(node)];
  write("graph.json", JSON.stringify(graph));
  const flags = [...FEATURES, "--graph-file", join(folder, "graph.json")];
  await run("wasm-metadce", [whole, ...flags, "-o", VIEWER_WASM], { quiet: true });
}

/** The glue without the imports that the cut module has no use for. */
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
