// Runs that outlive their process: what `apex-parts/store` exports.
export { runHandler, runResponse } from "./http.mjs";
export { memoryRunLog } from "./memory.mjs";
export { RunReader } from "./reader.mjs";
export { RunStoreError } from "./shared.mjs";
export { RunWriter } from "./writer.mjs";
