// The ways into the package, told once: the modules, the entries that each has, and which file stands for
// which host. package.json's `exports` and `typesVersions` are written from here: `node scripts/entries.mjs`.
import { readFileSync, writeFileSync } from "node:fs";
import { at, isMain, main } from "./lib.mjs";

/**
 * The modules of the package: one crate, built with other features. `entry` is where it is imported from,
 * `prefix` begins the names of its files, `features` are cargo's.
 */
export const MODULES = [
  { name: "core", entry: "./core", prefix: "core.", features: ["--no-default-features"] },
  { name: "full", entry: ".", prefix: "", features: [] },
].map((module) => ({
  ...module,
  wasm: `apex_parts_${module.prefix.replace(".", "_")}bg.wasm`,
  types: module.prefix === "" ? "index" : module.name,
}));

/** What a condition leads to: the types first, for they must be found before the code. */
const to = (types, file) => ({ types: `./pkg/${types}`, default: `./pkg/${file}` });

/** An entry that finds its module by itself, whatever the host: the files are named `file(host, ending)`. */
function hosted(types, file) {
  const [esm, cjs] = [`${types}.d.ts`, `${types}.d.cts`];
  return {
    "edge-light": to(esm, file("edge", "mjs")),
    node: { import: to(esm, file("node", "mjs")), require: to(cjs, file("node", "cjs")) },
    default: {
      module: to(esm, file("web", "mjs")),
      require: to(cjs, file("web", "cjs")),
      default: to(esm, file("web", "mjs")),
    },
  };
}

const slim = (prefix) => ({
  require: to(`${prefix}slim.d.cts`, `${prefix}slim.cjs`),
  default: to(`${prefix}slim.d.ts`, `${prefix}slim.mjs`),
});

const bytes = (wasm) => ({
  types: { require: `./pkg/${wasm}.d.cts`, default: `./pkg/${wasm}.d.ts` },
  default: `./pkg/${wasm}`,
});

const bridge = (host, ending) =>
  host === "node" ? `apex-bridge.${ending}` : `apex-bridge.${host}.${ending}`;

/** package.json's `exports`. */
export function exportsOf() {
  const [core, full] = MODULES;
  const own = ({ prefix }) => {
    return (host, ending) => `${prefix}${host}.${ending}`;
  };
  return {
    ".": hosted(full.types, own(full)),
    "./core": hosted(core.types, own(core)),
    "./apex-bridge": hosted("apex-bridge", bridge),
    "./slim": slim(full.prefix),
    "./core/slim": slim(core.prefix),
    [`./${full.wasm}`]: bytes(full.wasm),
    [`./${core.wasm}`]: bytes(core.wasm),
    "./viewer": to("viewer.d.ts", "viewer.mjs"),
    "./package.json": "./package.json",
  };
}

/** Every file of types that an entry names, the one for `import` first. */
const typesIn = (value) =>
  typeof value === "string"
    ? [value].filter((file) => file.endsWith(".d.ts"))
    : Object.values(value).flatMap(typesIn);

/** package.json's `typesVersions`: `moduleResolution: node` sees no `exports`. */
export function typesVersionsOf() {
  const entries = Object.entries(exportsOf()).filter(([name]) => !/^\.$|\.json$/.test(name));
  return { "*": Object.fromEntries(entries.map(([n, v]) => [n.slice(2), [typesIn(v)[0]]])) };
}

/** Files that do something when they are imported: a bundler must not leave them out. */
export function sideEffectsOf() {
  const ready = MODULES.flatMap(({ prefix }) =>
    ["edge.mjs", "node.cjs", "node.mjs"].map((file) => `./pkg/${prefix}${file}`),
  );
  return [...ready, "./pkg/viewer.mjs", "./pkg/viewer-worker.mjs"].sort();
}

const wanted = () => ({
  exports: exportsOf(),
  typesVersions: typesVersionsOf(),
  sideEffects: sideEffectsOf(),
});

/** Refuses a package.json that says otherwise. */
export function checkManifest() {
  const manifest = JSON.parse(readFileSync(at("package.json"), "utf8"));
  for (const [field, value] of Object.entries(wanted())) {
    // Conditions are looked at in the order in which they stand.
    if (JSON.stringify(manifest[field]) !== JSON.stringify(value)) {
      throw new Error(`package.json has other ${field} than scripts/entries.mjs: run it`);
    }
  }
}

if (isMain(import.meta)) {
  main(async () => {
    const path = at("package.json");
    const manifest = { ...JSON.parse(readFileSync(path, "utf8")), ...wanted() };
    writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
  });
}
