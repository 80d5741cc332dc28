// The entry for edge runtimes (condition `edge-light`), where code may not compile WebAssembly: what
// builds the program compiles the file. Ready when the import is.
import module from "./apex_parts_bg.wasm?module";
import * as glue from "./glue.mjs";

glue.initSync(module);

/* @ready */
/* @exports */
