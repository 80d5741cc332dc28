// The module's bytes, for programs that were bundled into a file for Node: apex_parts_bg.wasm of the
// same build. Only what finds no such file beside it reads this.
"use strict";
const zlib = process.getBuiltinModule
  ? process.getBuiltinModule("node:zlib")
  : require("node:zlib");

module.exports = zlib.brotliDecompressSync(Buffer.from("@brotli", "base64"));
