/** Loads the module from a URL, a Response or a promise of one, the bytes, or a compiled module; also as `{ module_or_path }`. */
export default function init(source: import("./index.js").InitSource): Promise<void>;
/** Loads the module synchronously, from bytes or a compiled module; also as `{ module }`. */
export function initSync(source: object): void;
