// The CommonJS entry for Node: ready when `require` returns. The ESM entry wraps it, so that a
// process has one instance of the module, however it was imported.
"use strict";
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const glue = require("./glue.cjs");

glue.initSync({
  module: new WebAssembly.Module(readFileSync(join(__dirname, "apex_parts_bg.wasm"))),
});

Object.defineProperty(exports, "__esModule", { value: true });
/** Ready already: resolves at once. */
exports.default = function init() {
  return Promise.resolve();
};
/* @exports */
