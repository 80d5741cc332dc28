// The names of permissions.
import { toolsOtherName } from "apex-parts:glue";

/** The names of a permission, as rules may give it: that of some built-in tools has two. */
export function namesOf(permission: string): string[] {
  const other = toolsOtherName(permission);
  return other === undefined ? [permission] : [permission, other];
}

/** The permission that each name of OpenCode 2 stands for, if it is another. */
const OURS = /* @__PURE__ */ new Map([
  ["shell", "bash"],
  ["subagent", "task"],
  ["write", "edit"],
  ["patch", "edit"],
]);

/** The permission that a name of OpenCode 2 stands for; any other name is itself. */
export const nameOf = (permission: string): string => OURS.get(permission) ?? permission;

/** The name that OpenCode 2 has for a permission. */
export function name2Of(permission: string): string {
  const own = nameOf(permission);
  return own === "bash" ? "shell" : own === "task" ? "subagent" : own;
}
