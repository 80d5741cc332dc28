// Where Node can (22.1 and later), it keeps what it compiles of the files that are loaded from here on: a file that
// imports this one first has to load the large ones later.
import module from "node:module";

// A cast: the types are those of Node 20.
const { enableCompileCache } = module as { enableCompileCache?: () => unknown };
enableCompileCache?.();
