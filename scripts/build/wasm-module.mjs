// Writes a module into the package: with its glue and loaders, and as text for bundles.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { at } from "../lib.mjs";
import { boundGlue, boundTypes, compressedModule, finishedModule } from "./bind.mjs";
import { bridgeOf, formats, readableGlue } from "./glue.mjs";
import { later } from "./later.mjs";
import { loaders, named } from "./loaders.mjs";
import { BUNDLED, bundledNames, FOR_NODE, inLines, write, writeBeside } from "./package-files.mjs";
import { classesOf, isTools } from "./types.mjs";

/** The exports that are not part of the API: what the glue needs, and what ts/tools/ asks the module. */
const INTERNAL = new Set([
  ...["compileAtFirstCall", "default", "initSync", "start"],
  ...["log", "newError"],
]);
const isInternal = (name) =>
  INTERNAL.has(name) || /^tools[A-Z]|^Tools[A-Z]|^compaction[A-Z]|^OpenCodeWriter$/.test(name);

/** What is known of the formats of a module, for pages, which have no module. */
export const formatsOf = ({ folder }) => join(folder, "bound", "formats.mjs");

const exportsOf = ({ folder }) => join(folder, "exports.json");

/** The names that the entry of a module exports. */
export const exportedNames = (variant) => JSON.parse(readFileSync(exportsOf(variant), "utf8"));

/** Writes a module with its glue and loaders. */
export async function makeModule(variant) {
  const { prefix, wasm } = variant;
  const source = readFileSync(boundGlue(variant), "utf8");
  const known = formatsOf(variant);
  writeBeside(known, formats(readFileSync(boundTypes(variant), "utf8")));
  const classes = `export { ${(await classesOf(variant)).join(", ")} } from "apex-parts:errors";\n`;
  // For the parts that Node loads later.
  const shared = `export { newError } from "apex-parts:errors";\nexport { log } from "apex-parts:bridge";\n`;
  const folder = dirname(known);
  const glue = join(folder, "glue.js");
  writeBeside(glue, `${classes}${shared}${readableGlue(source, known)}`);
  const bridge = join(folder, bridgeOf(source));
  const errors = bridge.replace(/bridge\.js$/, "errors.js");
  const { build } = await import("esbuild");
  let names = [];
  for (const format of ["esm", "cjs"]) {
    const forNode = format === "cjs";
    const name = `${prefix}glue.${forNode ? "cjs" : "mjs"}`;
    const result = await build({
      ...BUNDLED,
      ...(forNode ? { ...FOR_NODE, plugins: [later(prefix, name)] } : {}),
      entryPoints: [glue],
      inject: [at("ts", "module", "encoding.ts")],
      platform: "neutral",
      target: "es2022",
      alias: { "apex-parts:glue": glue, "apex-parts:bridge": bridge, "apex-parts:errors": errors },
      format,
      outfile: name,
    });
    const [{ text }] = result.outputFiles;
    write(name, named(forNode ? await inLines(text) : text, variant));
    if (format === "esm") names = bundledNames(result);
  }
  // The version is that of the package: the main entry tells it.
  names = names.filter((name) => !isInternal(name) && !(name === "version" && isTools(variant)));
  writeBeside(exportsOf(variant), JSON.stringify(names));
  loaders(variant, names);
  write(wasm, readFileSync(finishedModule(variant)));
  const inline = readFileSync(at("js", "inline.cjs"), "utf8");
  const text = readFileSync(compressedModule(variant)).toString("base64");
  write(`${prefix}inline.cjs`, inline.replace("@brotli", text));
}
