// Makes the modules of the package smaller and faster.
import { run } from "../lib.mjs";

// The features that rustc uses; every engine since 2023 supports them.
export const FEATURES = [
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
// compute twice. 2 % of the module; some calls take 2 % longer (`npm run bench`).
const SMALL = ["-ocimfs", "100", "--skip-pass=local-cse", "--skip-pass=merge-locals"];

// Functions of one file side by side: a compressor finds what they have in common. 0.6 % of a module.
const ORDER = "--reorder-functions-by-name";

/** Optimises a module that wasm-bindgen wrote. */
export async function optimise(from, to) {
  const strip = ["--strip-debug", "--strip-producers", "--strip-target-features"];
  await run("wasm-opt", ["-O3", ...SMALL, ORDER, ...FEATURES, ...strip, from, "-o", to]);
}
