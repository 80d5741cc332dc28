// The modules in the files beside this one; a bundle has no files.
"use strict";

// A bundle of ES modules has no `require` for Node's built-in modules.
const fs = process.getBuiltinModule ? process.getBuiltinModule("node:fs") : require("node:fs");

/** Deno asks its user, or fails, when a file is read that its flags do not allow. */
const mayRead = (path) =>
  !globalThis.Deno || Deno.permissions.querySync({ name: "read", path }).state === "granted";

/** The path of a file that may be read. Not of `__dirname`: bundlers replace it with a path of the machine that builds. */
function pathOf(file) {
  const path = typeof module.path === "string" ? `${module.path}/${file}` : undefined;
  return path !== undefined && mayRead(path) ? path : undefined;
}

exports.isBeside = function isBeside(file) {
  const path = pathOf(file);
  return path !== undefined && fs.existsSync(path);
};

/** A module: from its file, or from the bytes that `bundled` returns, if there are any. */
exports.compile = function compile(file, bundled) {
  const path = pathOf(file);
  let bytes;
  if (path !== undefined) {
    try {
      bytes = fs.readFileSync(path);
    } catch (error) {
      if (error.code !== "ENOENT" || bundled === undefined) throw error;
    }
  }
  try {
    return new WebAssembly.Module(bytes ?? bundled());
  } catch (cause) {
    if (bytes === undefined) throw cause;
    const message = `apex-parts: ${path} is damaged (${cause.message}): install the package again`;
    throw new Error(message, { cause });
  }
};
