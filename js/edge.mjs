// The entry for edge runtimes (conditions `edge-light` and `workerd`), where code must not compile
// WebAssembly: the build of the program compiles the file. Ready on import.
import module from "./apex_parts_bg.wasm?module";
import * as glue from "./glue.mjs";

glue.initSync(module);

/** Ready already: resolves at once. */
export default function init() {
  return Promise.resolve();
}
/* @exports */
