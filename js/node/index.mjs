// The host of the built-in tools in Node: what `apex-parts/node` exports.

import { BUILTIN_ALIASES, builtinTools as builtinToolsOver } from "apex-parts:tools";
import { fetch, resolve } from "./fetch.mjs";

/** A host with this machine's files, shell and network; each option replaces what it would have. */
export function nodeHost(options = {}) {
  return { directory: process.cwd(), clock: Date, fetch, resolve, ...options };
}

/** The built-in tools over `nodeHost(options)`. */
export const builtinTools = (options) => builtinToolsOver(nodeHost(options));

export { BUILTIN_ALIASES };
