// The CommonJS entry for Node: ready when `require` returns. The ESM entry re-exports it, so that a process
// has one instance of the module, however it is imported.
"use strict";
const glue = require("./glue.cjs");

// A bundle of ES modules has no `require` for Node's built-in modules.
const fs = process.getBuiltinModule ? process.getBuiltinModule("node:fs") : require("node:fs");

/** The module's bytes: from the file beside this one, or from the bundle. */
function bytes() {
  // Not `__dirname`: bundlers replace it with a path of the machine that builds.
  if (typeof module.path === "string") {
    try {
      return fs.readFileSync(`${module.path}/apex_parts_bg.wasm`);
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  }
  return require("./inline.cjs");
}

glue.initSync(new WebAssembly.Module(bytes()));

Object.defineProperty(exports, "__esModule", { value: true });
/* @ready */
/* @exports */
