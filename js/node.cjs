// The CommonJS entry for Node: ready when `require` returns. The ESM entry wraps it, so that a
// process has one instance of the module, however it was imported.
"use strict";
const glue = require("./glue.cjs");

// A bundle of ES modules has no `require` for Node's own modules.
const fs = process.getBuiltinModule ? process.getBuiltinModule("node:fs") : require("node:fs");

/** The module's bytes: from the file beside this one, or, in a bundle, out of the bundle. */
function bytes() {
  // Not `__dirname`, in whose place bundlers put the path of the machine that they run on.
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
