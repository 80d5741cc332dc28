import type { WireFormat } from "apex-parts:glue";

/** All formats of streams: the values of the option `format` of a `DeltaAssembler`. */
export const STREAM_FORMATS: readonly WireFormat[];
