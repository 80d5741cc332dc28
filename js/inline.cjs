// The module's bytes, for programs bundled into one file for Node: apex_parts_bg.wasm of the same build.
// Read only if that file is not beside the program.
"use strict";
const zlib = process.getBuiltinModule
  ? process.getBuiltinModule("node:zlib")
  : require("node:zlib");

module.exports = zlib.brotliDecompressSync(Buffer.from("@brotli", "base64"));
