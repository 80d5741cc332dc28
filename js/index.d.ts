// ── Loading ─────────────────────────────────────────────────────────────────────────────────────

/**
 * A URL (string or object), a Response or a promise of one, the bytes, or a compiled module; also
 * as `{ module_or_path }`. Spelled without DOM types: programs compile with `lib: ["ES2020"]` alone.
 */
export type InitSource = string | object;

/**
 * Browsers, workers, edge: await once before anything else. Node: the module is ready on import;
 * resolves at once.
 */
export default function init(source?: InitSource): Promise<void>;
