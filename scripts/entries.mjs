// The entries of the package in one place: the modules, the entries of each, and the file for each host.
// `node scripts/entries.mjs` writes `exports` and `typesVersions` of package.json from them.
import { readFileSync, writeFileSync } from "node:fs";
import { at, isMain, main } from "./lib.mjs";
import { MODULES } from "./modules.mjs";

/** The targets of a condition: the types first, because they must be found before the code. */
const to = (types, file) => ({ types: `./pkg/${types}`, default: `./pkg/${file}` });

/** An entry that locates its module on every host; its files are named `file(host, ending)`. */
function hosted(types, file) {
  const [esm, cjs] = [`${types}.d.ts`, `${types}.d.cts`];
  return {
    // Next's edge runtime and Cloudflare's workers: both compile the file while the program is built.
    "edge-light": to(esm, file("edge", "mjs")),
    workerd: to(esm, file("edge", "mjs")),
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

const store = (host, ending) => `store.${host}.${ending}`;
// ES modules on Node re-export the CommonJS file, so that a process has one class of its error.
const redis = (host, ending) =>
  host === "node" && ending === "mjs" ? "store.redis.node.mjs" : `store.redis.${ending}`;

const bridge = (host, ending) =>
  host === "node" ? `apex-bridge.${ending}` : `apex-bridge.${host}.${ending}`;

/** The `exports` of package.json. */
export function exportsOf() {
  const [core, full, tools] = MODULES;
  const own = ({ prefix }) => {
    return (host, ending) => `${prefix}${host}.${ending}`;
  };
  return {
    ".": hosted(full.types, own(full)),
    "./core": hosted(core.types, own(core)),
    "./tools": hosted(tools.types, own(tools)),
    "./node": { import: to("host.d.ts", "host.mjs"), require: to("host.d.cts", "host.cjs") },
    "./apex-bridge": hosted("apex-bridge", bridge),
    "./store": hosted("store", store),
    "./store/redis": hosted("store-redis", redis),
    "./slim": slim(full.prefix),
    "./core/slim": slim(core.prefix),
    "./tools/slim": slim(tools.prefix),
    ...Object.fromEntries(MODULES.map(({ wasm }) => [`./${wasm}`, bytes(wasm)])),
    "./viewer": to("viewer.d.ts", "viewer.mjs"),
    "./package.json": "./package.json",
  };
}

/** The declaration files of an entry, the one for `import` first. */
const typesIn = (value) =>
  typeof value === "string"
    ? [value].filter((file) => file.endsWith(".d.ts"))
    : Object.values(value).flatMap(typesIn);

/** The `typesVersions` of package.json: `moduleResolution: node` ignores `exports`. */
export function typesVersionsOf() {
  const entries = Object.entries(exportsOf()).filter(([name]) => !/^\.$|\.json$/.test(name));
  return { "*": Object.fromEntries(entries.map(([n, v]) => [n.slice(2), [typesIn(v)[0]]])) };
}

/** Files with side effects on import, which a bundler must keep. */
export function sideEffectsOf() {
  const ready = MODULES.flatMap(({ prefix }) =>
    ["edge.mjs", "node.cjs", "node.mjs"].map((file) => `./pkg/${prefix}${file}`),
  );
  const store = ["edge.mjs", "node.cjs", "node.mjs"].map((file) => `./pkg/store.${file}`);
  return [...ready, ...store, "./pkg/viewer.mjs", "./pkg/viewer-worker.mjs"].sort();
}

const wanted = () => ({
  exports: exportsOf(),
  typesVersions: typesVersionsOf(),
  sideEffects: sideEffectsOf(),
});

/** Throws if package.json differs. */
export function checkManifest() {
  const manifest = JSON.parse(readFileSync(at("package.json"), "utf8"));
  for (const [field, value] of Object.entries(wanted())) {
    // The order of conditions is significant.
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
