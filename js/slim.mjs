// The entry without a module: for workers and edge runtimes that provide a compiled module, and for
// bundlers without assets. It never locates or fetches the module itself.
import * as glue from "./glue.mjs";

/** Loads the module from a URL, a Response, the bytes, or a compiled module. */
export default async function init(source) {
  await glue.default({ source });
}

/** Loads the module synchronously, from bytes or a compiled module. */
export function initSync(source) {
  glue.initSync(source);
}
/* @exports */
