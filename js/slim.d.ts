/**
 * Loads the module from a URL, a Response or a promise of one, the bytes, or a compiled module; also as `{ module_or_path }`.
 * @param source - Where the module is.
 * @returns Nothing, when it is ready.
 */
export default function init(source: import("./index.js").InitSource): Promise<void>;
/**
 * Loads the module synchronously, from bytes or a compiled module; also as `{ module }`.
 * @param source - The bytes, or a compiled module.
 */
export function initSync(source: object): void;
