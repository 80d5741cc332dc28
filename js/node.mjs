// The ESM entry for Node: re-exports the CommonJS one, so that a process has one instance. By name, because
// Node and bundlers do not agree on what the default export of a CommonJS module is.

import * as entry from "./node.cjs";

/** Compiles what is here now, and not at the first call. */
export default async function init() {
  const { default: own } = entry;
  // In Node the default is all that the file exports, in some bundles its `default`.
  await (own.default ?? own)();
}
/* @exports */
