// Makes of a compiled module what the package has of it: the glue and declarations of wasm-bindgen, and the module
// optimised and compressed.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { at, files, run, toolFile } from "../lib.mjs";
import { areas, kilobytes } from "./areas.mjs";
import { compiledModule } from "./compile.mjs";
import { optimise } from "./optimise.mjs";

/** Where wasm-bindgen writes. */
const boundIn = ({ folder }) => join(folder, "bound");

/** The glue that wasm-bindgen wrote for a variant of a module. */
export const boundGlue = (variant) => join(boundIn(variant), "apex_parts.js");
/** The declarations that it wrote. */
export const boundTypes = (variant) => join(boundIn(variant), "apex_parts.d.ts");
/** The module as the package has it, and the same compressed with brotli. */
export const finishedModule = ({ folder, wasm }) => join(folder, wasm);
export const compressedModule = (variant) => `${finishedModule(variant)}.br`;

/** What a variant of a module is made of. */
export const bindInputs = (variant) => [
  compiledModule(variant),
  toolFile("apex-parts-bindgen"),
  ...["bind.mjs", "optimise.mjs"].map((name) => at("scripts", "build", name)),
];

/** Makes a variant of a module. A quick one is neither optimised nor made as small as it can be. */
export async function bindOne(variant) {
  const bound = boundIn(variant);
  rmSync(bound, { recursive: true, force: true });
  mkdirSync(bound, { recursive: true });
  await run("apex-parts-bindgen", [compiledModule(variant), bound]);
  const whole = join(bound, "apex_parts_bg.wasm");
  const finished = finishedModule(variant);
  if (variant.isQuick) cpSync(whole, finished);
  else await optimise(whole, finished);
  const bytes = readFileSync(finished);
  const quality = variant.isQuick ? 1 : constants.BROTLI_MAX_QUALITY;
  const compressed = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: quality },
  });
  writeFileSync(compressedModule(variant), compressed);
  if (!variant.isQuick) {
    const sizes = [
      ["", bytes],
      ["gzip ", gzipSync(bytes, { level: 9 })],
      ["brotli ", compressed],
    ].map(([how, { length }]) => `${how}${kilobytes(length)}`);
    console.log(`${variant.wasm}: ${sizes.join(", ")}\n${areas(readFileSync(whole))}`);
  }
  return [...files(bound), finished, compressedModule(variant)];
}
