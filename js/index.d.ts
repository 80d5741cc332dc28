// ── Formats ─────────────────────────────────────────────────────────────────────────────────────

/** The names of all formats of streams, as `format` of a DeltaAssembler takes them. */
export const STREAM_FORMATS: readonly WireFormat[];
/** The names of all formats of transcripts, as `format` of a Transcript takes them. */
export const TRANSCRIPT_FORMATS: readonly TranscriptFormat[];

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
