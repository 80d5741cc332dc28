// Context compaction.
export { CLEARED_TOOL_RESULT, TRUNCATION_NOTICE } from "./cleared.ts";
export { SessionCompaction } from "./session.ts";
export type * from "./types.ts";
