// Problems that are made in JavaScript. As those of the module (src/wasm/bridge.js) they end in their rule.
import type { Problem } from "apex-parts:glue";

/** A problem; `path` is a JSON Pointer. */
export const problem = (
  severity: Problem["severity"],
  rule: string,
  message: string,
  path: string = "",
): Problem => ({
  severity,
  rule,
  path,
  message: `${message} (${rule})`,
});

/** A step of a JSON Pointer, into the field or element of this name. */
export const pointerStep = (name: string | number): string =>
  `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;

/** The message of a problem without its rule, for a text that goes on. */
export const unruled = ({ rule, message }: Problem): string =>
  message.endsWith(` (${rule})`) ? message.slice(0, -` (${rule})`.length) : message;
