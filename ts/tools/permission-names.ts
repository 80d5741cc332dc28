// The names of permissions.
import { toolsOtherName } from "apex-parts:glue";

/** The names of a permission, as rules may give it: that of some built-in tools has two. */
export function namesOf(permission: string): string[] {
  const other = toolsOtherName(permission);
  return other === undefined ? [permission] : [permission, other];
}
