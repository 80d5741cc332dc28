// The CommonJS entry for Node, which compiles a module at the first call of one of its names. The ESM entry re-exports
// it, so that a process has one instance of each, however it is imported.
"use strict";
const { compile, isBeside } = require("./compile.cjs");

/** The modules from which names come, by the functions that take them. */
const AREAS = {};

// In a bundle, or if a file is missing, everything comes from the full module.
const areas = Object.values(AREAS).every(isBeside) ? require("./areas.glue.cjs") : undefined;
const glue = areas ?? require("./glue.cjs");

const full = () => compile("apex_parts_bg.wasm", () => require("./inline.cjs"));
const modules = areas
  ? Object.entries(AREAS).map(([take, file]) => areas[take](() => compile(file)))
  : [glue.compileAtFirstCall(full)];

Object.defineProperty(exports, "__esModule", { value: true });
/** Compiles the modules now, and not at the first call. */
exports.default = async function init() {
  for (const ready of modules) ready();
};
/* @exports */
