// The names of permissions.

/** The built-in tools that have a second name, without the hyphen: rules may give either. */
const TWO_NAMES = ["web-fetch", "web-search", "code-search", "todo-write", "todo-read"];

/** The names of a permission, as rules may give it. */
export function namesOf(permission: string): string[] {
  const two = TWO_NAMES.find((name) => [name, name.replace("-", "")].includes(permission));
  return two === undefined ? [permission] : [two, two.replace("-", "")];
}
