// The CommonJS entry for Node, which compiles the module at the first call. The ESM entry re-exports it, so that a
// process has one instance of the module, however it is imported.
"use strict";
const glue = require("./glue.cjs");

// A bundle of ES modules has no `require` for Node's built-in modules.
const fs = process.getBuiltinModule ? process.getBuiltinModule("node:fs") : require("node:fs");

/** Deno asks its user, or fails, when a file is read that its flags do not allow. */
const mayRead = (path) =>
  !globalThis.Deno || Deno.permissions.querySync({ name: "read", path }).state === "granted";

/** The module: from the file beside this one, or from the bundle. */
function compile() {
  // Not `__dirname`: bundlers replace it with a path of the machine that builds.
  const path = typeof module.path === "string" && `${module.path}/apex_parts_bg.wasm`;
  let bytes;
  if (path && mayRead(path)) {
    try {
      bytes = fs.readFileSync(path);
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  }
  try {
    return new WebAssembly.Module(bytes ?? require("./inline.cjs"));
  } catch (cause) {
    if (bytes === undefined) throw cause;
    const message = `apex-parts: ${path} is damaged (${cause.message}): install the package again`;
    throw new Error(message, { cause });
  }
}

const ready = glue.compileAtFirstCall(compile);

Object.defineProperty(exports, "__esModule", { value: true });
/** Compiles the module now, and not at the first call. */
exports.default = async function init() {
  ready();
};
/* @exports */
