import { label } from "../fields";

/** What a problem says, without the rule in which its message ends: the viewer shows that beside it. */
export function messageOf({ rule, message }: Record<string, unknown>, longest: number): string {
  const end = ` (${String(rule)})`;
  const text = typeof message === "string" ? message : "";
  return label(text.endsWith(end) ? text.slice(0, -end.length) : text, longest);
}
