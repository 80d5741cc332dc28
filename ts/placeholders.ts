// What a model sees in place of what cannot be sent.

/** In place of the result of a call that has none. */
export const INTERRUPTED = "[Tool execution was interrupted]";
/** In place of a part of the type `compaction`. */
export const COMPACTION = "What did we do so far?";
/** In place of a part of the type `subtask`. */
export const SUBTASK = "The following tool was executed by the user";
