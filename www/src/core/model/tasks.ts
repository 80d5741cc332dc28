// The tools that give a task to another agent.

/** Their names: OpenCode 1 and others, OpenCode 2. */
const NAMES: ReadonlySet<string> = new Set(["task", "subagent"]);

/** Does a tool of this name give a task to another agent? */
export const isTaskTool = (name: string): boolean => NAMES.has(name.toLowerCase());

/** The codes of these tools in a layout's `tools`: their places in its list of names, from 1. */
export function taskTools(toolNames: readonly string[]): readonly number[] {
  return toolNames.flatMap((name, place) => (isTaskTool(name) ? [place + 1] : []));
}
