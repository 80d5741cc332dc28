// Builds the npm package into pkg/ (each module with its glue and loaders, types) and the viewer into
// www/dist. Skips what is up to date.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { areas, kilobytes } from "./areas.mjs";
import { checkManifest, MODULES } from "./entries.mjs";
import { at, cache, files, isDone, isMain, main, run, unlessDone } from "./lib.mjs";
import { optimise, trim } from "./module.mjs";
import { namespaced } from "./namespaces.mjs";
import { expect, step } from "./progress.mjs";
import { setup } from "./setup.mjs";
import { withTags } from "./tsdoc.mjs";
import { buildElement, buildPages } from "./viewer.mjs";

const pkg = at("pkg");
const bindgen = join(cache, "bindgen");
const modules = join(cache, "modules");
/** The file that rustc wrote for a module. */
const compiledModule = (name) => join(modules, name, "apex_parts.wasm");

/** The exports that are not part of the API: what the glue needs, and what js/tools/ asks the module. */
const INTERNAL = new Set(["default", "initSync", "start"]);
const isInternal = (name) =>
  INTERNAL.has(name) || /^tools[A-Z]|^Tools[A-Z]|^compaction[A-Z]|^OpenCodeWriter$/.test(name);

const isTools = ({ name }) => name === "tools";

/** The functions and types of apex-bridge's two message files, which this package replaces. */
export const APEX_BRIDGE = JSON.parse(readFileSync(at("js", "apex-bridge.json"), "utf8"));

/** Replaces a text that must be there. */
function replace(source, from, to, what) {
  const result = source.replaceAll(from, to);
  if (result === source) throw new Error(`the glue of wasm-bindgen has changed: no ${what} found`);
  return result;
}

/** The path of src/wasm/bridge.js, as the glue imports it. */
function bridgeOf(glue) {
  const bridge = /from '(\.\/snippets\/[^']*bridge\.js)'/.exec(glue)?.[1];
  if (!bridge) throw new Error("the glue of wasm-bindgen has changed: no bridge.js found");
  return bridge;
}

/** The body of a class in which each argument that is an object of another class has that class's pointer. */
function ofClass(body) {
  const of = new Map();
  for (const [, name, type] of body.matchAll(/_assertClass\((\w+), (\w+)\);/g)) of.set(name, type);
  return body.replace(/\b(\w+)\.__wbg_ptr\b/g, (whole, name) =>
    of.has(name) ? `${name}.__${of.get(name)}_ptr` : whole,
  );
}

const FOR_NODE =
  '; a bundle for Node needs none with the condition `node` (rollup: exportConditions: ["node"])';

/** wasm-bindgen's glue with guards, own loading, and a clear error for calls before init. */
function readableGlue(source, formatsOf) {
  const proxy = `const notReady = new Proxy({}, {
    get() {
        // A bundler that does not choose the entry for Node, which is ready on import.
        const setting = globalThis.process?.versions?.node ? ${JSON.stringify(FOR_NODE)} : "";
        throw new Error("apex-parts is not ready: \`await init()\` once before anything else" + setting);
    },
});
`;
  let glue = replace(
    source,
    /let wasmModule, wasmInstance, wasm;/g,
    `${proxy}let wasmModule, wasmInstance, wasm = notReady;`,
    "declaration of the instance",
  );
  glue = replace(glue, "if (wasm !== undefined)", "if (wasm !== notReady)", "test of the instance");
  // A pending init must not replace the instance that initSync created in the meantime.
  const finalizer = "function __wbg_finalize_init(instance, module) {\n";
  const first = "    if (wasm !== notReady) return wasm;\n";
  glue = replace(glue, finalizer, `${finalizer}${first}`, "end of init");
  // Loading is replaced by js/loading.mjs, whose errors say which setting helps.
  glue = replace(
    glue,
    /^function initSync\(module\) \{[\s\S]*?^\}$/gm,
    `function initSync(source) {
    if (wasm !== notReady) return wasm;
    const module = compiled(source);
    return __wbg_finalize_init(new WebAssembly.Instance(module, __wbg_get_imports()), module);
}`,
    "initSync",
  );
  glue = replace(
    glue,
    /^async function __wbg_init_once\(module_or_path\) \{[\s\S]*?^\}$/gm,
    `async function __wbg_init_once(given) {
    return __wbg_finalize_init(await instantiated(given, __wbg_get_imports()));
}`,
    "init",
  );
  const bridge = bridgeOf(glue);
  const methods = [...glue.matchAll(/wasm\.(\w+)\(this\.__wbg_ptr/g)].map(([, name]) => name);
  if (methods.length === 0) throw new Error("the glue of wasm-bindgen has changed: no methods");
  // A method called on an object of another class must not accept its pointer.
  glue = replace(
    glue,
    /^(?:export )?class (\w+) \{\n[\s\S]*?^\}$/gm,
    (body, name) => ofClass(body).replaceAll("__wbg_ptr", `__${name}_ptr`),
    "class",
  );
  if (glue.includes("__wbg_ptr")) {
    throw new Error("the glue of wasm-bindgen has changed: it looks into objects from outside");
  }
  const guarding = `guard(instance.exports, bridge, ${JSON.stringify(methods)})`;
  const imports = [
    `import { guard } from ${JSON.stringify(at("js", "guard.mjs"))};`,
    `import { compiled, instantiated } from ${JSON.stringify(at("js", "loading.mjs"))};`,
    `import * as bridge from ${JSON.stringify(bridge)};`,
  ];
  const hasParts = glue.includes("class DeltaAssembler ");
  if (hasParts) {
    glue = withFastPaths(glue, guarding);
    imports.push(
      `import { modelMessages } from ${JSON.stringify(at("js", "model-messages.mjs"))};`,
      `import { withFastPath } from ${JSON.stringify(at("js", "fast-path.mjs"))};`,
      `export * from ${JSON.stringify(at("js", "defaults.mjs"))};`,
      `export * from ${JSON.stringify(formatsOf)};`,
    );
  } else {
    glue = replace(glue, OF_INSTANCE, `wasm = ${guarding}.guarded;`, "exports of the instance");
  }
  for (const [declaration, path] of Object.entries(OVER_THE_MODULE)) {
    if (!glue.includes(declaration)) continue;
    imports.push(`export * from ${JSON.stringify(at(...path))};`);
  }
  if (glue.includes("function compactionUsable(")) {
    const file = JSON.stringify(at("ts", "compaction", "of-transcript.ts"));
    imports.push(`import { addCompaction } from ${file};`);
    glue += "\naddCompaction(Transcript);\n";
  }
  if (glue.includes("class OpenCodeWriter")) {
    const file = JSON.stringify(at("ts", "opencode", "origins.ts"));
    imports.push(`import { noteOrigins } from ${file};`);
    glue += "\nnoteOrigins(Transcript);\n";
  }
  return `${imports.join("\n")}\n${glue}`;
}

const OF_INSTANCE = "wasm = instance.exports;";

/** What is written over the module: a declaration that tells whether the module has it, its file. */
const OVER_THE_MODULE = {
  "class ToolsRules ": ["js", "tools", "index.mjs"],
  "class ToolsPage ": ["js", "tools", "builtins", "index.mjs"],
  "function toolsSkillParse(": ["ts", "skills", "index.ts"],
  "function toolsMcpName(": ["ts", "mcp", "index.ts"],
  "function compactionUsable(": ["ts", "compaction", "index.ts"],
  "class OpenCodeWriter ": ["ts", "opencode", "index.ts"],
  "function toMessages(": ["ts", "requests", "index.ts"],
};

/** The glue of parts with the fast paths before the module's own functions. */
function withFastPaths(source, guarding) {
  const guarded = `wasm = withFastPath({ DeltaAssembler, DoomLoopDetector }, instance.exports, ${guarding});`;
  const glue = replace(source, OF_INSTANCE, guarded, "exports of the instance");
  // toModelMessage tries its fast path first.
  const whole = "function everyModelMessage(input) {";
  const fast = `export function toModelMessage(input) {
    const made = wasm === notReady ? undefined : modelMessages(input, everyModelMessage);
    return made ?? everyModelMessage(input);
}

${whole}`;
  return replace(glue, "export function toModelMessage(input) {", fast, "toModelMessage");
}

/** The constants that list the names in the unions of a module's declarations. */
function formats(types) {
  const list = (constant, type) => {
    const union = new RegExp(`^export type ${type} = (.*);$`, "m").exec(types)?.[1];
    return union === undefined
      ? ""
      : `export const ${constant} = Object.freeze([${union.split(" | ").join(", ")}]);\n`;
  };
  return list("STREAM_FORMATS", "WireFormat") + list("TRANSCRIPT_FORMATS", "TranscriptFormat");
}

/** The source without a declaration and the comment above it. */
function without(source, declaration) {
  const at = source.indexOf(declaration);
  if (at < 0) return source;
  const before = source.slice(0, at).replace(/\/\*\*[\s\S]*?\*\/\s*$/, (comments) => {
    return comments.slice(0, comments.lastIndexOf("/**"));
  });
  return before + source.slice(at + declaration.length);
}

/** Gives the `create…` functions the types `Create` and `CreateFrom` of src/wasm/types/mod.rs. */
function creating(source) {
  const one = /^(export|declare) function (\w*?create[A-Z]\w*)\(([^()]*)\): (\w+);$/gm;
  return source.replace(one, (_, how, name, parameters, made) => {
    const options = /^options: (\w+)$/.exec(parameters)?.[1];
    const type = options ? `CreateFrom<${options}, ${made}>` : `Create<[${parameters}], ${made}>`;
    return `${how} const ${name}: ${type};`;
  });
}

/** The declarations generated from the Rust source, changed to work with every TypeScript configuration. */
function declarations(source, tools) {
  const end = source.indexOf("export type InitInput");
  if (end < 0) throw new Error("the types of wasm-bindgen have changed: no InitInput found");
  let body = source.slice(0, end).replace(/^\/\* (?:tslint|eslint).*\*\/\n/gm, "");
  // Rust keeps unknown fields in a field of its own; in JavaScript they are in the object itself.
  body = without(body, "export type UnknownFields = {};")
    .replace(/, UnknownFields\b/g, "")
    .replace(/ extends UnknownFields\b/g, "")
    .replace(/\} & \{\};/g, "};");
  body = without(body, "export function start(): void;")
    // Documentation that passed through a macro.
    .replace(/^(\s*\*) r#" ?(.*)"#$/gm, "$1 $2")
    .replace(/^(\s*\*) r" ?/gm, "$1 ")
    // Requires a library that older TypeScript does not have.
    .replace(/^\s*\[Symbol\.dispose\]\(\): void;\n/gm, "")
    .replace(/Uint8Array \| number\[\]/g, "Uint8Array")
    .replace(/\n{3,}/g, "\n\n");
  body = namespaced(creating(body));
  const head = "// Generated from the Rust source: see crates/model and src/wasm.\n";
  // Without `export {}`, every declaration of such a file counts as exported.
  return `${head}${readFileSync(at("js", "index.d.ts"), "utf8")}${body.trimEnd()}\n${tools}\nexport {};\n`;
}

function write(name, text) {
  // Errors of a store are told by their code.
  const codes = name.startsWith("store") ? "RunStoreError" : undefined;
  const isTypes = /\.d\.c?ts$/.test(name);
  writeFileSync(join(pkg, name), isTypes ? withTags(text, { codes }) : text);
}

/** The `init` of entries that are ready on import. */
const READY = `function init() {
  return Promise.resolve();
}`;
const READY_WORDS = "/** Ready already: resolves at once. */\n";

const cjs = (names) => names.map((name) => `exports.${name} = glue.${name};`).join("\n");
/** A CommonJS file that gives these names of another one. */
const commonjs = (from, names) =>
  `"use strict";\nconst glue = require("${from}");\n\nObject.defineProperty(exports, "__esModule", { value: true });\n${cjs(names)}\n`;
const esm = (names, from) =>
  `export {\n${names.map((name) => `  ${name},\n`).join("")}} from "${from}";`;

/** The text of a file of the full module, with the names changed for another module. */
function named(text, { name, prefix, wasm, entry }) {
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
function loaders(module, names) {
  for (const [file, from] of Object.entries(LOADERS)) {
    const ready = from ? `export default ${READY}` : `exports.default = ${READY};`;
    const text = readFileSync(at("js", file), "utf8")
      .replace("/* @ready */\n", `${READY_WORDS}${ready}\n`)
      .replace("/* @exports */\n", `${from ? esm(names, from) : cjs(names)}\n`);
    write(`${module.prefix}${file}`, named(text, module));
  }
}

/** Writes the entry with the names of apex-bridge, which uses the full module: a process has one instance. */
function bridgeLoaders(names) {
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

/** The names of the values and of the types that declarations export. */
function exported(source) {
  const found = (kinds) => {
    const line = new RegExp(`^export (?:declare )?(?:${kinds}) (\\w+)`, "gm");
    return [...new Set([...source.matchAll(line)].map(([, name]) => name))].sort();
  };
  const values = found("function|const|let|class|namespace");
  return { values, types: found("interface|type").filter((name) => !values.includes(name)) };
}

/** The declarations one by one, without comments. */
const statements = (source) =>
  source
    .replace(/\/\*\*[\s\S]*?\*\//g, "")
    .split(/\n(?=export |declare |type |interface )/)
    .map((text) => text.replace(/\s+/g, " ").trim());

/** The statements that re-export these values and types of another file. */
const reexport = ({ values, types }, from) => {
  const list = (names) => names.map((name) => `  ${name},\n`).join("");
  return `export {\n${list(values)}} from ${from};\nexport type {\n${list(types)}} from ${from};\n`;
};

const read = (...path) => readFileSync(at(...path), "utf8");

/** What the full module's declarations have of what is written over it: by hand, for what is written in JavaScript. */
const BY_HAND = ["tools", "registry", "permission"];
/** … and emitted, of these folders of ts/. */
const IN_TYPESCRIPT = ["skills", "mcp", "compaction", "opencode", "requests"];

/** The declarations of what is written over the full module. */
async function overTheModule() {
  const { HERE, rolledUp } = await import("./declarations.mjs");
  const emitted = IN_TYPESCRIPT.map(
    (folder) => rolledUp(["ts", folder, "index.ts"], new Map([[GLUE, HERE]])).text,
  );
  return [...BY_HAND.map((name) => read("js", `${name}.d.ts`)), ...emitted].map(
    (text) => `\n${text}`,
  );
}

/** The error classes of src/wasm/errors.js that the declarations of a module export. */
async function classesOf(module) {
  const source = readFileSync(at("src", "wasm", "errors.js"), "utf8");
  const names = [...source.matchAll(/^export const (\w+) = .*classOf\(/gm)].map(([, name]) => name);
  const types = isTools(module) ? read("js", "builtins.d.ts") : await declarationsOf(module);
  const declares = (name) =>
    new RegExp(`^(?:export class ${name} extends Error|  ${name},$)`, "m").test(types);
  return names.filter(declares);
}

/** The declarations of a module; those of what is written over it belong to the full one. */
const declarationsOf = async ({ name }) =>
  declarations(
    readFileSync(join(bindgen, name, "apex_parts.d.ts"), "utf8"),
    name === "full" ? (await overTheModule()).join("") : "",
  );

/** The name under which the TypeScript sources import the module. */
const GLUE = "apex-parts:glue";

/** The declarations of the entries of the store. */
async function storeTypes() {
  const { rolledUp } = await import("./declarations.mjs");
  const store = rolledUp(["ts", "store", "index.ts"], new Map([[GLUE, "./index.js"]]));
  const shared = store.paths.map((path) => [path, "./store.js"]);
  const redis = rolledUp(["ts", "store", "redis", "index.ts"], new Map(shared));
  return {
    store: `// The types of \`apex-parts/store\`: runs that outlive their process, as deltas in a log.\n${store.text}`,
    redis: `// The types of \`apex-parts/store/redis\`: a log of runs in Redis Streams, over the program's own client.\n${redis.text}`,
  };
}

async function types() {
  const { store, redis } = await storeTypes();
  const shared = MODULES.filter((module) => !isTools(module));
  const [core, full] = await Promise.all(shared.map(declarationsOf));
  const known = new Set(statements(full));
  const foreign = statements(core).filter((text) => !known.has(text));
  if (foreign.length > 0) throw new Error(`only the small module declares: ${foreign.join("\n")}`);
  const { functions, types } = APEX_BRIDGE;
  const { values: fullValues, types: fullTypes } = exported(full);
  const missing = [...functions, ...types].filter(
    (name) => !fullValues.includes(name) && !fullTypes.includes(name),
  );
  if (missing.length > 0) {
    throw new Error(`the types have no ${missing.join(", ")}, which apex-bridge exports`);
  }
  const slim = readFileSync(at("js", "slim.d.ts"), "utf8");
  const wasm = readFileSync(at("js", "wasm.d.ts"), "utf8");
  const [tools, host] = ["builtins", "host"].map((name) =>
    readFileSync(at("js", `${name}.d.ts`), "utf8"),
  );
  for (const [kind, own] of [
    ["ts", "js"],
    ["cts", "cjs"],
  ]) {
    const from = `"./index.${own}"`;
    write(`index.d.${kind}`, full);
    // Declarations are shared, so that code for the small module also compiles with the full one.
    const names = exported(core);
    write(
      `core.d.${kind}`,
      reexport({ values: ["default", ...names.values], types: names.types }, from),
    );
    write(`tools.d.${kind}`, tools.replaceAll('"./index.js"', from));
    write(
      `host.d.${kind}`,
      host.replaceAll('"./tools.js"', `"./tools.${own}"`).replaceAll('"./index.js"', from),
    );
    write(`store.d.${kind}`, store.replaceAll('"./index.js"', from));
    write(`store-redis.d.${kind}`, redis.replaceAll('"./store.js"', `"./store.${own}"`));
    for (const module of MODULES) {
      const entry = `"./${module.types}.${own}"`;
      write(
        `${module.prefix}slim.d.${kind}`,
        `export * from ${entry};\n${slim.replaceAll('"./index.js"', from)}`,
      );
      write(`${module.wasm}.d.${kind}`, wasm.replaceAll('"./index.js"', from));
    }
    write(`apex-bridge.d.${kind}`, reexport({ values: functions, types }, from));
  }
}

const TARGET = "wasm32-unknown-unknown";
// A module names the files of the libraries where they panic: it is the same in every home folder. (Cargo adds
// these flags to those of .cargo/config.toml.)
const registry = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "registry", "src");
const SAME_PATHS = ["--remap-path-prefix", `${registry}=/registry`];

/** The module of the command and the viewer. */
const FULL = MODULES.find(({ name }) => name === "full");

/** Compiles the modules, unless the package is up to date. Can run while the rest is set up. */
export async function compile() {
  if (!isDone("package", packageFiles)) await compileModules(MODULES);
}

/** Compiles the module that `buildCommand` needs. Can run while the rest is set up. */
export async function compileForCommand() {
  if (!isCommandDone()) await compileModules([FULL]);
}

/** Compiles those of the modules that are not up to date. */
async function compileModules(some) {
  expect("package");
  if (!isDone("viewer", viewerFiles)) expect("viewer");
  // One after the other, because they share the compiled libraries.
  for (const module of some) {
    const outputs = () => files(compiledModule(module.name));
    await unlessDone(`module-${module.name}`, { inputs: sources, outputs }, () =>
      step(module.name, `compiling the ${module.name} WebAssembly module`, () =>
        compileOne(module),
      ),
    );
  }
}

async function compileOne({ name, features, flags, fast }) {
  const args = ["rustc", "--release", "--lib", "--target", TARGET, "--locked", "--quiet"];
  // For every crate of the workspace: each is optimised before all are together.
  args.push("--config", `target.${TARGET}.rustflags=${JSON.stringify([...SAME_PATHS, ...flags])}`);
  for (const crate of fast) args.push("--config", `profile.release.package.${crate}.opt-level=2`);
  // Without the library for other crates, whose functions the optimiser would keep: 2 % smaller.
  await run("cargo", [...args, ...features, "--crate-type", "cdylib"]);
  mkdirSync(join(modules, name), { recursive: true });
  cpSync(at("target", TARGET, "release", "apex_parts.wasm"), compiledModule(name));
}

async function buildPackage() {
  await compileModules(MODULES);
  await step("package", "making the package of them", makePackage);
}

function emptyPackage() {
  checkManifest();
  rmSync(bindgen, { recursive: true, force: true });
  rmSync(pkg, { recursive: true, force: true });
  mkdirSync(pkg, { recursive: true });
}

function copyCommand() {
  // The types of what it shares with the viewer are for the viewer's source.
  const filter = (path) => !path.endsWith(".d.mts");
  for (const name of ["cli.mjs", "cli"]) {
    cpSync(at("js", name), join(pkg, name), { recursive: true, filter });
  }
}

async function makeCommand() {
  await compileModules([FULL]);
  await step("package", "making the command of it", async () => {
    emptyPackage();
    await makeModule(FULL);
    copyCommand();
  });
}

async function makePackage() {
  emptyPackage();
  const made = await Promise.all(MODULES.map(makeModule));
  bridgeLoaders(made[1].names);
  await makeHost();
  await makeStore();
  await types();
  copyCommand();
  for (const { sizes } of made) console.log(sizes);
}

/** Writes a module with its glue and loaders; returns its exports and its sizes as text. */
async function makeModule(module) {
  const { name, prefix } = module;
  const folder = join(bindgen, name);
  mkdirSync(folder, { recursive: true });
  await run("apex-parts-bindgen", [compiledModule(name), folder]);
  const bound = join(folder, "apex_parts_bg.wasm");
  const optimised = join(pkg, module.wasm);
  await optimise(bound, optimised);

  const formatsOf = join(folder, "formats.mjs");
  writeFileSync(formatsOf, formats(readFileSync(join(folder, "apex_parts.d.ts"), "utf8")));
  const glue = join(folder, "apex_parts.js");
  const source = readFileSync(glue, "utf8");
  const classes = `export { ${(await classesOf(module)).join(", ")} } from "apex-parts:errors";\n`;
  writeFileSync(glue, `${classes}${readableGlue(source, formatsOf)}`);
  const bridge = join(folder, bridgeOf(source));
  const errors = bridge.replace(/bridge\.js$/, "errors.js");
  const { build } = await import("esbuild");
  let names = [];
  for (const format of ["esm", "cjs"]) {
    const outfile = join(pkg, `${prefix}glue.${format === "esm" ? "mjs" : "cjs"}`);
    const options = {
      entryPoints: [glue],
      bundle: true,
      inject: [at("js", "encoding.mjs")],
      platform: "neutral",
      target: "es2022",
      tsconfigRaw: ERASE,
      logLevel: "error",
      alias: { "apex-parts:glue": glue, "apex-parts:bridge": bridge, "apex-parts:errors": errors },
    };
    const made = await build({ ...options, format, outfile, metafile: true });
    writeFileSync(outfile, named(readFileSync(outfile, "utf8"), module));
    if (format === "esm") names = Object.values(made.metafile.outputs)[0].exports;
  }
  // The version is that of the package: the main entry tells it.
  names = names
    .filter((name) => !isInternal(name) && !(name === "version" && isTools(module)))
    .sort();
  loaders(module, names);
  const bytes = readFileSync(optimised);
  const compressed = brotliCompressSync(bytes);
  const inline = readFileSync(at("js", "inline.cjs"), "utf8");
  write(`${prefix}inline.cjs`, inline.replace("@brotli", compressed.toString("base64")));
  const sizes = [
    ["", bytes],
    ["gzip ", gzipSync(bytes, { level: 9 })],
    ["brotli ", compressed],
  ].map(([how, { length }]) => `${how}${kilobytes(length)}`);
  return { names, sizes: `${module.wasm}: ${sizes.join(", ")}\n${areas(readFileSync(bound))}` };
}

/**
 * Writes the entry `apex-parts/node`: a bundle over the entry of the built-in tools for Node. One for each kind of
 * module, because a bundle of ES modules has no `require` for Node's own; both share the instance of the module.
 */
async function makeHost() {
  const { build } = await import("esbuild");
  const over = (path) => ({
    name: "tools",
    setup({ onResolve }) {
      onResolve({ filter: /^apex-parts:tools$/ }, () => ({ path, external: true }));
      // What is not part of the API: the entry above makes it ready.
      onResolve({ filter: /^apex-parts:glue$/ }, () => ({
        path: "./tools.glue.cjs",
        external: true,
      }));
    },
  });
  const options = {
    entryPoints: [at("js", "node", "index.mjs")],
    bundle: true,
    platform: "node",
    target: "node20",
    tsconfigRaw: ERASE,
    logLevel: "error",
  };
  const esm = { format: "esm", outfile: join(pkg, "host.mjs"), metafile: true };
  const made = await build({ ...options, ...esm, plugins: [over("./tools.node.mjs")] });
  const cjsFile = { format: "cjs", outfile: join(pkg, "node-host.cjs") };
  await build({ ...options, ...cjsFile, plugins: [over("./tools.node.cjs")] });
  const names = Object.values(made.metafile.outputs)[0].exports.sort();
  const head = "// The built-in tools with the files, the shell and the network of this machine.\n";
  write("host.cjs", `${head}${commonjs("./node-host.cjs", names)}`);
}

/**
 * Writes the entries `apex-parts/store`, over the instance of the full module that the entry of the host makes ready,
 * and `apex-parts/store/redis`, which needs no module. Both use one file of what they share, as its error.
 */
async function makeStore() {
  const { build } = await import("esbuild");
  const outside = (ending) => ({
    name: "outside",
    setup({ onResolve }) {
      const to = (path) => () => ({ path: `${path}.${ending}`, external: true });
      onResolve({ filter: /^apex-parts:glue$/ }, to("./glue"));
      onResolve({ filter: /\/shared\.ts$/ }, ({ kind, path }) =>
        kind === "entry-point" ? { path } : to("./store.shared")(),
      );
    },
  });
  const names = {};
  for (const [name, ...source] of STORE_FILES) {
    for (const [format, ending] of [
      ["esm", "mjs"],
      ["cjs", "cjs"],
    ]) {
      const made = await build({
        entryPoints: [at("ts", "store", ...source)],
        bundle: true,
        platform: "neutral",
        target: "es2022",
        tsconfigRaw: ERASE,
        logLevel: "error",
        format,
        outfile: join(pkg, `${name}.${ending}`),
        metafile: true,
        plugins: [outside(ending)],
      });
      if (format === "esm") names[name] = Object.values(made.metafile.outputs)[0].exports.sort();
    }
  }
  const head = "// A log of runs; the module is that of the entry `apex-parts`.\n";
  const { "store.glue": store, "store.redis.glue": redis } = names;
  write("store.node.cjs", `${head}require("./node.cjs");\n${commonjs("./store.glue.cjs", store)}`);
  write("store.node.mjs", `${head}${esm(store, "./store.node.cjs")}\n`);
  write("store.edge.mjs", `${head}import "./edge.mjs";\n\n${esm(store, "./store.glue.mjs")}\n`);
  write("store.web.mjs", `${head}${esm(store, "./store.glue.mjs")}\n`);
  write("store.web.cjs", `${head}${commonjs("./store.glue.cjs", store)}`);
  const over = "// A log of runs in Redis.\n";
  write("store.redis.cjs", `${over}${commonjs("./store.redis.glue.cjs", redis)}`);
  write("store.redis.node.mjs", `${over}${esm(redis, "./store.redis.cjs")}\n`);
  write("store.redis.mjs", `${over}${esm(redis, "./store.redis.glue.mjs")}\n`);
}

/** What is bundled of the store: the name of the file in the package, its source. */
const STORE_FILES = [
  ["store.shared", "shared.ts"],
  ["store.glue", "index.ts"],
  ["store.redis.glue", "redis", "index.ts"],
];

/** What esbuild does with TypeScript: it erases types. Not as ts/tsconfig.json says, whose paths are those of types. */
const ERASE = { compilerOptions: { target: "es2022", verbatimModuleSyntax: true } };

function buildViewer() {
  return step("viewer", "building the viewer", async () => {
    await trim(at("www", "src", "worker", "worker.ts"));
    await run("vite", ["build", "-c", "www/vite.config.ts", "--logLevel", "warn"]);
    await buildPages();
    await buildElement();
  });
}

/** Whether a file of the package belongs to the viewer. */
const isViewer = (file) => /^viewer[.\-/]/.test(relative(pkg, file));

const own = () => files(pkg).filter((file) => !isViewer(file));
/** What the modules are compiled from. */
const sources = () =>
  files(
    at("Cargo.toml"),
    at("Cargo.lock"),
    at(".cargo"),
    at("src"),
    at("crates"),
    at("scripts", "build.mjs"),
    at("scripts", "entries.mjs"),
  );
const packageFiles = {
  inputs: () => [
    ...sources(),
    ...files(
      at("js"),
      at("ts"),
      at("scripts", "areas.mjs"),
      at("scripts", "declarations.mjs"),
      at("scripts", "module.mjs"),
      at("scripts", "tsdoc.mjs"),
    ),
  ],
  outputs: own,
};

const dist = at("www", "dist");
const viewerFiles = {
  inputs: () => [
    ...files(at("www")).filter((file) => !file.startsWith(dist)),
    ...own(),
    at("scripts", "viewer.mjs"),
    at("js", "cli", "view", "single-page.mjs"),
  ],
  outputs: () => files(dist, ...files(pkg).filter(isViewer)),
};

/** Whether the command is built, with the package or without. */
const isCommandDone = () => isDone("package", packageFiles) || isDone("command", packageFiles);

/**
 * Builds the command and the viewer without the rest of the package, which `build` makes: two more modules and the
 * types.
 */
export async function buildCommand() {
  if (!isCommandDone()) await unlessDone("command", packageFiles, makeCommand);
  await unlessDone("viewer", viewerFiles, buildViewer);
}

/** Builds the package and, unless `viewer` is false, the viewer. */
export async function build({ viewer = true } = {}) {
  await unlessDone("package", packageFiles, buildPackage);
  if (viewer) await unlessDone("viewer", viewerFiles, buildViewer);
}

if (isMain(import.meta)) {
  main(async () => {
    await setup({ meanwhile: compile });
    await build({ viewer: !process.argv.includes("--no-viewer") });
  });
}
