/**
 * Loads the module from a URL, a Response or a promise of one, the bytes, or a compiled module; also as `{ module_or_path }`.
 * @param source - Where the module is.
 * @returns Nothing, when it is ready.
 * @example
 * ```ts
 * import { readFile } from "node:fs/promises";
 * import init, { generateMessageId } from "apex-parts/slim";
 *
 * // In a browser, the URL that a bundler gives the module.
 * await init(readFile(new URL(import.meta.resolve("apex-parts/apex_parts_bg.wasm"))));
 * generateMessageId().length; // 36
 * ```
 */
export default function init(source: import("./index.js").InitSource): Promise<void>;
/**
 * Loads the module synchronously, from bytes or a compiled module; also as `{ module }`.
 * @param source - The bytes, or a compiled module.
 * @example
 * ```ts
 * import { readFileSync } from "node:fs";
 * import { generatePartId, initSync } from "apex-parts/slim";
 *
 * initSync(readFileSync(new URL(import.meta.resolve("apex-parts/apex_parts_bg.wasm"))));
 * generatePartId().length; // 36
 * ```
 */
export function initSync(source: object): void;
