/** Loads the module from what is given: a URL, a Response or a promise of one, the bytes, or a compiled module, also as `{ module_or_path }`. */
export default function init(source: import("./index.js").InitSource): Promise<void>;
/** The same without waiting, from bytes or a compiled module, also as `{ module }`. */
export function initSync(source: object): void;
