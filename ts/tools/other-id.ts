// The id of a tool of a server where a built-in has its own.

/** The field of a tool with a function that gives it. */
export const OTHER_ID = Symbol("the id where another tool has this one");

/** Whether the tool gives way to a built-in of the same id. */
export const givesWay = (tool) => typeof tool?.[OTHER_ID] === "function";

/** The tool under its other id. */
export const moved = (tool) => ({ ...tool, id: tool[OTHER_ID]() });
