// Bring your own module: for workers and edge runtimes that hand over a compiled module, and for
// bundlers without assets. Nothing is looked up or fetched by itself.
import * as glue from "./glue.mjs";

/** Loads the module from what is given: a URL, a Response, the bytes, or a compiled module. */
export default async function init(source) {
  await glue.default({ source });
}

/** The same without waiting, from bytes or a compiled module. */
export function initSync(source) {
  glue.initSync(source);
}
/* @exports */
