// The entry for browsers: `await init()` once before anything else.
import * as glue from "./glue.mjs";

const beside = () => new URL("./apex_parts_bg.wasm", import.meta.url);

/**
 * Loads the module: the file beside this one, or `source` (a URL, a Response or a promise of one, the bytes,
 * or a compiled module). Calls after the first do nothing.
 */
export default async function init(source) {
  await glue.default({ source, beside });
}
/* @exports */
