/** Loads the module from what is given: a URL, a Response or a promise of one, the bytes, or a compiled module. */
export default function init(source: import("./index.js").InitSource): Promise<void>;
/** The same without waiting, from bytes or a compiled module. */
export function initSync(source: object): void;
