// The types of `apex-parts/node`: the host of the built-in tools on a machine.
import type { Host, Tool } from "./tools.js";

export type * from "./tools.js";

/** A host with the real file system, shell and network; every option replaces what it would have. */
export function nodeHost(options?: Partial<Host>): Host;
/** The built-in tools over `nodeHost(options)`. */
export function builtinTools(options?: Partial<Host>): Tool.Info[];
