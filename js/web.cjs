// The entry for pages that are run with `require`, as jest's jsdom environment does: `await init()`
// once, then everything else. Bundlers take web.mjs.
"use strict";
const glue = require("./glue.cjs");

function beside() {
  const fs = globalThis.process?.getBuiltinModule?.("node:fs");
  return fs && module.path ? fs.readFileSync(`${module.path}/apex_parts_bg.wasm`) : undefined;
}

Object.defineProperty(exports, "__esModule", { value: true });
/** Loads the module: the file beside this one, or what is given. */
exports.default = async function init(source) {
  await glue.default({ source, beside });
};
/* @exports */
