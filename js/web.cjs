// The entry for pages that run with `require`, as in jest's jsdom environment: `await init()` once before
// anything else. Bundlers use web.mjs.
"use strict";
const glue = require("./glue.cjs");

function beside() {
  const fs = globalThis.process?.getBuiltinModule?.("node:fs");
  return fs && module.path ? fs.readFileSync(`${module.path}/apex_parts_bg.wasm`) : undefined;
}

Object.defineProperty(exports, "__esModule", { value: true });
/** Loads the module: the file beside this one, or `source`. */
exports.default = async function init(source) {
  await glue.default({ source, beside });
};
/* @exports */
