// Runs that outlive their process: what `apex-parts/store` exports.

export { runHandler, runResponse } from "./http.ts";
export { memoryRunLog } from "./memory.ts";
export { RunReader } from "./reader.ts";
export { RunStoreError } from "./shared.ts";
export type * from "./types.ts";
export { RunWriter } from "./writer.ts";
