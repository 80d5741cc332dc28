// What stands for an output that was cleared, and for turns that were left out.

/** What a model sees in place of an output that was cleared. */
export const CLEARED_TOOL_RESULT: "[Old tool result content cleared]" =
  "[Old tool result content cleared]";

/** What a model sees in place of turns that were left out without a summary. */
export const TRUNCATION_NOTICE: "[Earlier messages of this conversation were removed to fit the context, without a summary]" =
  "[Earlier messages of this conversation were removed to fit the context, without a summary]";
