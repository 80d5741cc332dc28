// A command runs for a moment, and most of that is compiling: what can be left out of it.
import module from "node:module";
import { setFlagsFromString } from "node:v8";

// Where Node can (22.1 and later), it keeps what it compiles of the files that are loaded from here on: a file that
// imports this one first has to load the large ones later.
// A cast: the types are those of Node 20.
const { enableCompileCache } = module as { enableCompileCache?: () => unknown };
enableCompileCache?.();

// Each function of the module is checked when it is first called, and not all 3 MB of it before the first call. Only in
// versions that are known to have the flag: other versions would print an error.
const { bun, v8 } = process.versions;
if (bun === undefined && /^1[123]\./.test(v8)) setFlagsFromString("--wasm-lazy-validation");
