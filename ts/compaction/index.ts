// Context compaction: what index.d.ts declares of js/compaction.d.ts.

export { CLEARED_TOOL_RESULT, SessionCompaction } from "./session.ts";
