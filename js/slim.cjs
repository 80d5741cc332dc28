// Bring your own module, for CommonJS: see slim.mjs.
"use strict";
const glue = require("./glue.cjs");

Object.defineProperty(exports, "__esModule", { value: true });
/** Loads the module from what is given: a URL, a Response, the bytes, or a compiled module. */
exports.default = async function init(source) {
  await glue.default({ source });
};
/** The same without waiting, from bytes or a compiled module. */
exports.initSync = function initSync(source) {
  glue.initSync(source);
};
/* @exports */
