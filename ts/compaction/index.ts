// Context compaction.
export { CLEARED_TOOL_RESULT } from "./cleared.ts";
export { SessionCompaction } from "./session.ts";
export type * from "./types.ts";
