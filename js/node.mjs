// The ESM entry for Node: re-exports the CommonJS one, so that a process has one instance. By name, because
// Node and bundlers do not agree on what the default export of a CommonJS module is.

/* @ready */
/* @exports */
