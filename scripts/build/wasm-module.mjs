// Writes a module into the package: optimised, with its glue and loaders, and as text for bundles.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { at, cache, run } from "../lib.mjs";
import { areas, kilobytes } from "./areas.mjs";
import { compiledModule } from "./compile.mjs";
import { bridgeOf, formats, readableGlue } from "./glue.mjs";
import { loaders, named } from "./loaders.mjs";
import { optimise } from "./module.mjs";
import { ERASE, pkg, write } from "./package-files.mjs";
import { classesOf, isTools } from "./types.mjs";

const bindgen = join(cache, "bindgen");

/** The exports that are not part of the API: what the glue needs, and what ts/tools/ asks the module. */
const INTERNAL = new Set(["default", "initSync", "start"]);
const isInternal = (name) =>
  INTERNAL.has(name) || /^tools[A-Z]|^Tools[A-Z]|^compaction[A-Z]|^OpenCodeWriter$/.test(name);

/** Writes a module with its glue and loaders; returns its exports and its sizes as text. */
export async function makeModule(module) {
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
      inject: [at("ts", "module", "encoding.ts")],
      platform: "neutral",
      target: "es2022",
      tsconfigRaw: ERASE,
      logLevel: "error",
      alias: { "apex-parts:glue": glue, "apex-parts:bridge": bridge, "apex-parts:errors": errors },
    };
    const result = await build({ ...options, format, outfile, metafile: true });
    writeFileSync(outfile, named(readFileSync(outfile, "utf8"), module));
    if (format === "esm") names = Object.values(result.metafile.outputs)[0].exports;
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
