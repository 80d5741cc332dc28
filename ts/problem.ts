// Problems that are made in JavaScript. As those of the module (src/wasm/bridge.js) they end in their rule.

/** A problem; `path` is a JSON Pointer. */
export const problem = (severity, rule, message, path = "") => ({
  severity,
  rule,
  path,
  message: `${message} (${rule})`,
});

/** The message of a problem without its rule, for a text that goes on. */
export const unruled = ({ rule, message }) =>
  message.endsWith(` (${rule})`) ? message.slice(0, -` (${rule})`.length) : message;
