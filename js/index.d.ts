// ── Loading ─────────────────────────────────────────────────────────────────────────────────────

/**
 * The source of the module: a URL (string or object), a Response or a promise of one, the bytes, or a
 * compiled module; also as `{ module_or_path }`. Declared without DOM types, so that programs compile with
 * `lib: ["ES2020"]` alone.
 */
export type InitSource = string | object;

/**
 * Loads the module. In browsers and workers, await it once before anything else. Edge runtimes load it on import, and
 * Node at the first call; there this loads it earlier. Rejects with an `Error` if the module cannot be loaded.
 * @param source - Where the module is; by default beside the file of its code.
 * @returns Nothing, when it is ready.
 */
export default function init(source?: InitSource): Promise<void>;
