// The id of a tool of a server where a built-in has its own.

/** The field of a tool with a function that gives it. */
export const OTHER_ID: unique symbol = Symbol("the id where another tool has this one");

/** Whether the tool gives way to a built-in of the same id. */
export const givesWay = (tool: unknown): tool is MovingTool =>
  typeof tool === "object" &&
  tool !== null &&
  OTHER_ID in tool &&
  typeof tool[OTHER_ID] === "function";

/** A tool that gives way. */
export interface MovingTool {
  id: string;
  [OTHER_ID]: () => string;
}

/** The tool under its other id. */
export const moved = <Moving extends MovingTool>(tool: Moving): Moving => ({
  ...tool,
  id: tool[OTHER_ID](),
});
