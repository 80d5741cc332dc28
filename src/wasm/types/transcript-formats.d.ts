import type { TranscriptFormat } from "apex-parts:glue";

/** All formats of transcripts: the values of the option `format` of a `Transcript`. */
export const TRANSCRIPT_FORMATS: readonly TranscriptFormat[];
