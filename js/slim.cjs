// The entry without a module, for CommonJS: see slim.mjs.
"use strict";
const glue = require("./glue.cjs");

Object.defineProperty(exports, "__esModule", { value: true });
/** Loads the module from a URL, a Response, the bytes, or a compiled module. */
exports.default = async function init(source) {
  await glue.default({ source });
};
/** Loads the module synchronously, from bytes or a compiled module. */
exports.initSync = function initSync(source) {
  glue.initSync(source);
};
/* @exports */
