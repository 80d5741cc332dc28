// What stands for an output that was cleared.

/** What a model sees in place of an output that was cleared. */
export const CLEARED_TOOL_RESULT: "[Old tool result content cleared]" =
  "[Old tool result content cleared]";
