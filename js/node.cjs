// The CommonJS entry for Node, which compiles the module at the first call. The ESM entry re-exports it, so that a
// process has one instance of the module, however it is imported.
"use strict";
const { compile } = require("./compile.cjs");
const glue = require("./glue.cjs");

const bundled = () => require("./inline.cjs");
const ready = glue.compileAtFirstCall(() => compile("apex_parts_bg.wasm", bundled));

Object.defineProperty(exports, "__esModule", { value: true });
/** Compiles the module now, and not at the first call. */
exports.default = async function init() {
  ready();
};
/* @exports */
