// The CommonJS entry for Node: ready when `require` returns. The ESM entry re-exports it, so that a process
// has one instance of the module, however it is imported.
"use strict";
const glue = require("./glue.cjs");

// A bundle of ES modules has no `require` for Node's built-in modules.
const fs = process.getBuiltinModule ? process.getBuiltinModule("node:fs") : require("node:fs");

/** Deno asks its user, or fails, when a file is read that its flags do not allow. */
const mayRead = (path) =>
  !globalThis.Deno || Deno.permissions.querySync({ name: "read", path }).state === "granted";

/** The module's bytes: from the file beside this one, or from the bundle. */
function bytes() {
  // Not `__dirname`: bundlers replace it with a path of the machine that builds.
  const path = typeof module.path === "string" && `${module.path}/apex_parts_bg.wasm`;
  if (path && mayRead(path)) {
    try {
      return fs.readFileSync(path);
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
