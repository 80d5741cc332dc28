import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const path = createRequire(import.meta.url).resolve("apex-parts/apex_parts_bg.wasm");
export const module = new WebAssembly.Module(readFileSync(path));
