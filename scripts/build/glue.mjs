// The glue that wasm-bindgen writes, changed: guards, own loading, fast paths, and what is written over the module. Each
// change fails the build if the text that it replaces is not there.
import { runInNewContext } from "node:vm";
import { at } from "../lib.mjs";

/** Replaces a text that must be there. */
function replace(source, from, to, what) {
  const result = source.replaceAll(from, to);
  if (result === source) throw new Error(`the glue of wasm-bindgen has changed: no ${what} found`);
  return result;
}

/** The path of a file of src/wasm/, as the glue imports it; undefined if it does not. */
function snippetOf(glue, file) {
  const paths = [...glue.matchAll(/from '(\.\/snippets\/[^']*)'/g)].map(([, path]) => path);
  return paths.find((path) => path.endsWith(`/src/wasm/${file}`));
}

/** The path of src/wasm/bridge.js, as the glue imports it. */
export function bridgeOf(glue) {
  const bridge = snippetOf(glue, "bridge.js");
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

/** wasm-bindgen's glue with guards, own loading, a clear error for calls before init, and what is written over it. */
export function readableGlue(module, source, formatsOf) {
  const { imports, calls } = overTheModule(module, formatsOf);
  return `${imports}${glueOfInstance(source)}${calls}`;
}

/** The fast paths of a module, and the classes that have one: by default both. */
const FAST = ["DeltaAssembler", "DoomLoopDetector"];

/** wasm-bindgen's glue with guards, own loading, and a clear error for calls before init. */
function glueOfInstance(source, classes = FAST) {
  const proxy = `let compileModule;
const notReady = new Proxy({}, {
    get(_, name) {
        if (compileModule !== undefined) {
            ready();
            return wasm[name];
        }
        // A bundler that does not choose the entry for Node, which compiles the module by itself.
        const setting = globalThis.process?.versions?.node ? ${JSON.stringify(FOR_NODE)} : "";
        throw new Error("apex-parts is not ready: \`await init()\` once before anything else" + setting);
    },
});
function ready() {
    if (wasm !== notReady) return;
    try {
        initSync(compileModule());
    } catch (error) {
        // Half an instance must not stay: the next call tries again.
        wasm = notReady;
        throw error;
    }
}
/** At the first call the module is what \`compile\` returns. The result is a function that makes it ready at once. */
export function compileAtFirstCall(compile) {
    compileModule = compile;
    return ready;
}
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
  // Loading is replaced by ts/module/loading.ts, whose errors say which setting helps.
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
    `import { guard } from ${JSON.stringify(at("ts", "module", "guard.ts"))};`,
    `import { compiled, instantiated } from ${JSON.stringify(at("ts", "module", "loading.ts"))};`,
    `import * as bridge from ${JSON.stringify(bridge)};`,
  ];
  const hasParts = glue.includes("class DeltaAssembler ");
  if (hasParts) {
    glue = withFastPaths(glue, guarding, classes);
    imports.push(
      `import { modelMessages } from ${JSON.stringify(at("ts", "module", "model-messages.ts"))};`,
      `import { addFastPath } from ${JSON.stringify(at("ts", "module", "fast-path.ts"))};`,
    );
  } else {
    glue = replace(glue, OF_INSTANCE, `wasm = ${guarding}.guarded;`, "exports of the instance");
  }
  return `${imports.join("\n")}\n${glue}`;
}

/** What is written over a module: what is imported and exported for it, and calls behind all else. */
function overTheModule({ name }, formatsOf) {
  const file = (...path) => JSON.stringify(at("ts", ...path));
  const imports = OVER_THE_MODULE[name].map(
    (folder) => `export * from ${file(folder, "index.ts")};`,
  );
  if (name !== "tools") {
    imports.push(`export * from ${file("module", "defaults.ts")};`);
    imports.push(`export * from ${JSON.stringify(formatsOf)};`);
  }
  if (name !== "full") return { imports: `${imports.join("\n")}\n`, calls: "" };
  imports.push(
    `import { addCompaction } from ${file("compaction", "of-transcript.ts")};`,
    `import { noteOrigins } from ${file("opencode", "origins.ts")};`,
  );
  const calls = `
addCompaction(Transcript);
noteOrigins(Transcript);
`;
  return { imports: `${imports.join("\n")}\n`, calls };
}

/** The names that the glue of wasm-bindgen exports. */
const exportsIn = (source) =>
  [...source.matchAll(/^export (?:class|const|function) (\w+)/gm)].map(([, name]) => name);

/**
 * For Node, the glue of several modules as one: each name is that of the first module that has it, and the first call of
 * one of its names loads a module. `modules` have the glue of wasm-bindgen of each, and the file for its area; the full one
 * is the last. The result has the text of each area, and that over them.
 */
export function glueOfAreas(modules, formatsOf) {
  const full = modules.at(-1);
  const left = new Set(exportsIn(full.source).filter((one) => !WITHOUT_MODULE.includes(one)));
  const areas = modules.map(({ name, source, file }) => {
    const names = exportsIn(source).filter((one) => left.has(one));
    for (const one of names) left.delete(one);
    return { name, names, file, text: glueOfArea(source, names) };
  });
  const { imports, calls } = overTheModule(full, formatsOf);
  const from = ({ name, names, file }) =>
    `export { compileAtFirstCall as ${compileOf(name)}, ${names.join(", ")} } from ${JSON.stringify(file)};\n`;
  const transcript = `import { Transcript } from ${JSON.stringify(full.file)};\n`;
  const own = withoutModule(modules[0]);
  return { areas, text: `${areas.map(from).join("")}${transcript}${imports}${own}${calls}` };
}

/** What needs no module: a program sets its logger before it calls anything else. */
const WITHOUT_MODULE = ["isApexPartsError", "setLogger"];

/** The functions of `WITHOUT_MODULE`; the error for what is no logger is that of a module. */
const withoutModule = ({
  file,
}) => `import { setLogger as refuseLogger } from ${JSON.stringify(file)};
import { isOurError as isOwnError } from "apex-parts:errors";
import { setLogger as takeLogger } from "apex-parts:shared";
export function isApexPartsError(error) {
  return isOwnError(error);
}
export function setLogger(logger) {
  if (!takeLogger(logger)) refuseLogger(logger);
}
`;

/** The name of the function that says how a module is compiled. */
export const compileOf = (name) => `compile_${name}`;

/** The glue of a module of which only these names are used: a bundler removes the rest. */
function glueOfArea(source, names) {
  const isOther = (name) => !names.includes(name);
  const text = glueOfInstance(
    source,
    FAST.filter((name) => !isOther(name)),
  );
  return text
    .replace(/^if \(Symbol\.dispose\) (\w+)\.prototype.*;\n/gm, (whole, name) =>
      isOther(name) ? "" : whole,
    )
    .replace(/^(\w+)\.\w+ = \1__\w+;\n/gm, (whole, name) => (isOther(name) ? "" : whole))
    .replaceAll(": new FinalizationRegistry(", ": /* @__PURE__ */ new FinalizationRegistry(");
}

const OF_INSTANCE = "wasm = instance.exports;";

/** What is written over each module, in folders of ts/. */
const OVER_THE_MODULE = {
  core: [],
  full: ["tools", "skills", "mcp", "compaction", "opencode", "requests", "aliases", "events"],
  tools: ["tools/builtins", "skills", "mcp"],
};

/** The glue of parts with the fast paths before the module's own functions. */
function withFastPaths(source, guarding, classes) {
  const guarded = `wasm = connectFastPath(instance.exports, ${guarding});`;
  const glue = replace(source, OF_INSTANCE, guarded, "exports of the instance");
  // toModelMessage tries its fast path first.
  const whole = "function everyModelMessage(input, options) {";
  const fast = `export function toModelMessage(input, options) {
    const made = wasm === notReady ? undefined : modelMessages(input, options, everyModelMessage);
    return made ?? everyModelMessage(input, options);
}

${whole}`;
  const added = replace(
    glue,
    "export function toModelMessage(input, options) {",
    fast,
    "toModelMessage",
  );
  const given = ["fastPathBuffer", ...classes].join(", ");
  return `${added}\nconst connectFastPath = addFastPath({ ${given} });\n`;
}

/** A literal that nobody can change. */
function frozen(value) {
  if (Array.isArray(value)) return `Object.freeze([${value.map(frozen).join(", ")}])`;
  if (typeof value !== "object") return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, field]) => `${JSON.stringify(name)}: ${frozen(field)}`,
  );
  return `Object.freeze({ ${fields.join(", ")} })`;
}

/** A constant whose type has all its strings, and so its value. */
function constantOf(types, name) {
  const type = new RegExp(`^export const ${name}: (\\{.*?^\\});?$`, "ms").exec(types)?.[1];
  if (type === undefined) return "";
  const value = runInNewContext(`(${type.replaceAll("readonly ", "").replaceAll(";", ",")})`);
  return `export const ${name} = ${frozen(value)};\n`;
}

/** The constants that list the names in the unions of a module's declarations, and what is known of each. */
export function formats(types) {
  const list = (constant, type) => {
    const union = new RegExp(`^export type ${type} = (.*);$`, "m").exec(types)?.[1];
    return union === undefined
      ? ""
      : `export const ${constant} = Object.freeze([${union.split(" | ").join(", ")}]);\n`;
  };
  return (
    list("STREAM_FORMATS", "WireFormat") +
    list("TRANSCRIPT_FORMATS", "TranscriptFormat") +
    constantOf(types, "TRANSCRIPT_FORMAT_INFO")
  );
}
