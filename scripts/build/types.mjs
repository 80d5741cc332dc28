// The declarations of the package: those of the modules, changed, and those of what is written over them.
import { readFileSync } from "node:fs";
import { at } from "../lib.mjs";
import { boundTypes } from "./bind.mjs";
import { APEX_BRIDGE } from "./loaders.mjs";
import { namespaced } from "./namespaces.mjs";
import { write } from "./package-files.mjs";

export const isTools = ({ name }) => name === "tools";

/** The source without a declaration and the comment above it. */
function without(source, declaration) {
  const at = source.indexOf(declaration);
  if (at < 0) return source;
  const before = source.slice(0, at).replace(/\/\*\*[\s\S]*?\*\/\s*$/, (comments) => {
    return comments.slice(0, comments.lastIndexOf("/**"));
  });
  return before + source.slice(at + declaration.length);
}

/** Gives the `create…` functions the types `Create` and `CreateFrom` of src/wasm/types/create.d.ts. */
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
  const head = `// Generated from the Rust source: see crates/model and src/wasm.
// The errors of every entry are one union.
import type { RunStoreError } from "./store.js";

`;
  // Without `export {}`, every declaration of such a file counts as exported.
  return `${head}${readFileSync(at("js", "index.d.ts"), "utf8")}${body.trimEnd()}\n${tools}\nexport {};\n`;
}

/** The names of the values and of the types that declarations export. */
function exported(source) {
  const matches = (kinds) => {
    const line = new RegExp(`^export (?:declare )?(?:${kinds}) (\\w+)`, "gm");
    return [...new Set([...source.matchAll(line)].map(([, name]) => name))].sort();
  };
  const values = matches("function|const|let|class|namespace");
  return { values, types: matches("interface|type").filter((name) => !values.includes(name)) };
}

/** The declarations one by one, without comments. */
const statements = (source) =>
  source
    .replace(/\/\*\*[\s\S]*?\*\//g, "")
    .split(/\n(?=export |declare |type |interface )/)
    .map((text) => text.replace(/\s+/g, " ").trim());

/** The name of a namespace of constants and those of its members; undefined for any other statement. */
function membersOf(statement) {
  const [, name, body] = /^export namespace (\w+) \{(.*)\}$/.exec(statement) ?? [];
  return (
    name && {
      name,
      members: [...body.matchAll(/ const (\w+: .*?;)(?= const | *$)/g)].map(([, one]) => one),
    }
  );
}

/** The namespaces of the small module that have more members in the full one, with the names of its own. */
function narrowed(foreign, full) {
  const wide = new Map(
    statements(full).flatMap((text) => {
      const one = membersOf(text);
      return one ? [[one.name, one.members]] : [];
    }),
  );
  return foreign.map((text) => {
    const { name, members = [] } = membersOf(text) ?? {};
    const isPart = members.length > 0 && members.every((one) => wide.get(name)?.includes(one));
    if (!isPart) throw new Error(`only the small module declares: ${text}`);
    return { name, members: members.map((one) => one.slice(0, one.indexOf(":"))) };
  });
}

/** The declaration of such a namespace, by that of the full module. */
const picked = ({ name, members }, from) =>
  `export const ${name}: Pick<typeof import(${from}).${name}, ${members.map((one) => `"${one}"`).join(" | ")}>;\n`;

/** The statements that re-export these values and types of another file. */
const reexport = ({ values, types }, from) => {
  const list = (names) => names.map((name) => `  ${name},\n`).join("");
  return `export {\n${list(values)}} from ${from};\nexport type {\n${list(types)}} from ${from};\n`;
};

/** The declarations of the entry of apex-bridge: its own, and those of the main entry that it does not declare again. */
function bridgeTypes() {
  const own = readFileSync(at("js", "apex-bridge.d.ts"), "utf8");
  const { values, types } = exported(own);
  const others = {
    values: APEX_BRIDGE.functions.filter((name) => !values.includes(name)),
    types: APEX_BRIDGE.types.filter((name) => !types.includes(name)),
  };
  return `${reexport(others, '"./index.js"')}\n${own}`;
}

/** The folders of ts/ that are written over the full module, and whose declarations are among its own. */
const IN_TYPESCRIPT = [
  "tools",
  "skills",
  "mcp",
  "compaction",
  "opencode",
  "requests",
  "aliases",
  "events",
];

let emittedOverTheModule;

/** The declarations of what is written over the full module. */
const overTheModule = () => (emittedOverTheModule ??= emitOverTheModule());

async function emitOverTheModule() {
  const { HERE, rolledUp } = await import("./declarations.mjs");
  const emitted = IN_TYPESCRIPT.map(
    (folder) => rolledUp(["ts", folder, "index.ts"], new Map([[GLUE, HERE]])).text,
  );
  return emitted.map((text) => `\n${text}`);
}

/** The error classes of src/wasm/errors.js that the declarations of a module export. */
export async function classesOf(module) {
  const source = readFileSync(at("src", "wasm", "errors.js"), "utf8");
  const names = [...source.matchAll(/^export const (\w+) = .*classOf\(/gm)].map(([, name]) => name);
  const types = isTools(module) ? await toolsTypes() : await declarationsOf(module);
  const declares = (name) =>
    new RegExp(`^export (?:class ${name} extends Error|\\{[^}]*\\b${name}\\b)`, "m").test(types);
  return names.filter(declares);
}

/** The declarations of a module; those of what is written over it belong to the full one. */
const declarationsOf = async (module) =>
  declarations(
    readFileSync(boundTypes(module), "utf8"),
    module.name === "full" ? (await overTheModule()).join("") : "",
  );

/** The name under which the TypeScript sources import the module. */
const GLUE = "apex-parts:glue";
/** … and the entry of the built-in tools. */
const TOOLS = "apex-parts:tools";

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

/** The declarations of the entry of the built-in tools. */
async function toolsTypes() {
  const { rolledUp } = await import("./declarations.mjs");
  const { text } = rolledUp(
    ["ts", "tools", "builtins", "entry.ts"],
    new Map([[GLUE, "./index.js"]]),
  );
  return `// The types of \`apex-parts/tools\`: the built-in tools over a host, which does what touches a machine.\n${text}`;
}

/** The declarations of the entry of the host in Node. */
async function hostTypes() {
  const { rolledUp } = await import("./declarations.mjs");
  const outside = new Map([
    [GLUE, "./index.js"],
    [TOOLS, "./tools.js"],
  ]);
  const { text } = rolledUp(["ts", "node", "index.ts"], outside);
  return `// The types of \`apex-parts/node\`: the host of the built-in tools on a machine, and folders of skills.\n${text}`;
}

/** Writes the declarations of all entries, from these modules. */
export async function types(modules) {
  const { store, redis } = await storeTypes();
  const shared = modules.filter((module) => !isTools(module));
  const [core, full] = await Promise.all(shared.map(declarationsOf));
  const fullNames = new Set(statements(full));
  const foreign = statements(core).filter((text) => !fullNames.has(text));
  const smaller = narrowed(foreign, full);
  const { functions, types } = APEX_BRIDGE;
  const { values: fullValues, types: fullTypes } = exported(full);
  const missing = [...functions, ...types].filter(
    (name) => !fullValues.includes(name) && !fullTypes.includes(name),
  );
  if (missing.length > 0) {
    throw new Error(`the types have no ${missing.join(", ")}, which apex-bridge exports`);
  }
  const bridge = bridgeTypes();
  const slim = readFileSync(at("js", "slim.d.ts"), "utf8");
  const wasm = readFileSync(at("js", "wasm.d.ts"), "utf8");
  const tools = await toolsTypes();
  const host = await hostTypes();
  for (const [kind, own] of [
    ["ts", "js"],
    ["cts", "cjs"],
  ]) {
    const from = `"./index.${own}"`;
    write(`index.d.${kind}`, full.replaceAll('"./store.js"', `"./store.${own}"`));
    // Declarations are shared, so that code for the small module also compiles with the full one.
    const names = exported(core);
    const values = names.values.filter((value) => !smaller.some(({ name }) => name === value));
    write(
      `core.d.${kind}`,
      reexport({ values: ["default", ...values], types: names.types }, from) +
        smaller.map((one) => picked(one, from)).join(""),
    );
    write(`tools.d.${kind}`, tools.replaceAll('"./index.js"', from));
    write(
      `host.d.${kind}`,
      host.replaceAll('"./tools.js"', `"./tools.${own}"`).replaceAll('"./index.js"', from),
    );
    write(`store.d.${kind}`, store.replaceAll('"./index.js"', from));
    write(`store-redis.d.${kind}`, redis.replaceAll('"./store.js"', `"./store.${own}"`));
    for (const module of modules) {
      const entry = `"./${module.types}.${own}"`;
      write(
        `${module.prefix}slim.d.${kind}`,
        `export * from ${entry};\n${slim.replaceAll('"./index.js"', from)}`,
      );
      write(`${module.wasm}.d.${kind}`, wasm.replaceAll('"./index.js"', from));
    }
    write(`apex-bridge.d.${kind}`, bridge.replaceAll('"./index.js"', from));
  }
}
