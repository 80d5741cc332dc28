// The ESM entry for Node: the CommonJS one under ESM names, so that a process has one instance. By
// name, because Node and bundlers do not agree on what the default of a CommonJS module is.

/* @ready */
/* @exports */
