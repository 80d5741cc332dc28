// Writes a module into the package: with its glue and loaders, and as text for bundles.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { at } from "../lib.mjs";
import { boundGlue, boundTypes, compressedModule, finishedModule } from "./bind.mjs";
import { formats, glueOfAreas, readableGlue } from "./glue.mjs";
import { later } from "./later.mjs";
import { loaders, named, nodeLoader } from "./loaders.mjs";
import { BUNDLED, bundledNames, FOR_NODE, inLines, write, writeBeside } from "./package-files.mjs";
import { classesOf, isTools } from "./types.mjs";

/** The exports that are not part of the API: what the glue needs, and what ts/tools/ asks the module. */
const INTERNAL = new Set([
  ...["compileAtFirstCall", "default", "fastPathBuffer", "initSync", "start"],
  ...["isOurError", "log", "newError"],
]);
const isInternal = (name) =>
  INTERNAL.has(name) || /^tools[A-Z]|^Tools[A-Z]|^compaction[A-Z]|^OpenCodeWriter$/.test(name);

/** What is known of the formats of a module, for pages, which have no module. */
export const formatsOf = ({ folder }) => join(folder, "bound", "formats.mjs");

const exportsOf = ({ folder }) => join(folder, "exports.json");

/** The names that the entry of a module exports. */
export const exportedNames = (variant) => JSON.parse(readFileSync(exportsOf(variant), "utf8"));

/** What each glue exports for the parts that Node loads later. */
const SHARED = `export { isOurError, newError } from "apex-parts:errors";\nexport { log } from "apex-parts:shared";\n`;

/** The files of src/wasm/ that all modules of a program have in common. */
const COMMON = {
  name: "common",
  setup({ onResolve }) {
    onResolve(
      { filter: /(?:^apex-parts:|\/src\/wasm\/)(?:errors|shared)(?:\.js)?$/ },
      ({ path }) => ({
        path: at("src", "wasm", `${/\w+(?=\.js$|$)/.exec(path)[0]}.js`),
      }),
    );
  },
};

/** Bundles a glue into a file of the package. Returns the names that an ES module exports. */
async function bundleGlue(glue, name, prefix, variant, format) {
  const { build } = await import("esbuild");
  const forNode = format === "cjs";
  const result = await build({
    ...BUNDLED,
    ...(forNode ? FOR_NODE : {}),
    plugins: [COMMON, ...(forNode ? [later(prefix, name)] : [])],
    entryPoints: [glue],
    inject: [at("ts", "module", "encoding.ts")],
    platform: "neutral",
    target: "es2022",
    alias: { "apex-parts:glue": glue },
    format,
    outfile: name,
  });
  const [{ text }] = result.outputFiles;
  write(name, named(forNode ? await inLines(text) : text, variant));
  return forNode ? [] : bundledNames(result);
}

/** The line that exports the error classes of a module. */
const classesIn = async (variant) =>
  `export { ${(await classesOf(variant)).join(", ")} } from "apex-parts:errors";\n`;

/** Writes a module with its glue and loaders. */
export async function makeModule(variant) {
  const { prefix } = variant;
  const source = readFileSync(boundGlue(variant), "utf8");
  const known = formatsOf(variant);
  writeBeside(known, formats(readFileSync(boundTypes(variant), "utf8")));
  const glue = join(dirname(known), "glue.js");
  const head = `${await classesIn(variant)}${SHARED}`;
  writeBeside(glue, `${head}${readableGlue(variant, source, known)}`);
  await bundleGlue(glue, `${prefix}glue.cjs`, prefix, variant, "cjs");
  let names = await bundleGlue(glue, `${prefix}glue.mjs`, prefix, variant, "esm");
  // The version is that of the package: the main entry tells it.
  names = names.filter((name) => !isInternal(name) && !(name === "version" && isTools(variant)));
  writeBeside(exportsOf(variant), JSON.stringify(names));
  loaders(variant, names);
  write(variant.wasm, readFileSync(finishedModule(variant)));
  const inline = readFileSync(at("js", "inline.cjs"), "utf8");
  const text = readFileSync(compressedModule(variant)).toString("base64");
  write(`${prefix}inline.cjs`, inline.replace("@brotli", text));
}

/**
 * Writes the entry of the full module for Node, whose names come from all these modules (see `glueOfAreas`), and those of
 * the modules that have no entry of their own. The full one is the last.
 */
export async function makeNodeEntry(modules) {
  const full = modules.at(-1);
  const known = formatsOf(full);
  const own = modules.map((module) => {
    const bound = boundGlue(module);
    return {
      ...module,
      file: join(dirname(bound), "area.js"),
      source: readFileSync(bound, "utf8"),
    };
  });
  const { areas, text } = glueOfAreas(own, known);
  for (const { file, text } of areas) writeBeside(file, text);
  const glue = join(dirname(known), "areas.glue.js");
  writeBeside(glue, `${await classesIn(full)}${SHARED}${text}`);
  await bundleGlue(glue, "areas.glue.cjs", "areas.", full, "cjs");
  nodeLoader(modules, exportedNames(full));
  const withoutEntry = modules.filter(({ entry }) => entry === undefined);
  for (const module of withoutEntry) write(module.wasm, readFileSync(finishedModule(module)));
}
