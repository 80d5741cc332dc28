// Writes files of the package, and notes which.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { at, root } from "../lib.mjs";
import { withTags } from "./tsdoc.mjs";

export const pkg = at("pkg");

/** Whether a file of the package belongs to the viewer. */
export const isViewer = (path) => /^viewer[.\-/]/.test(relative(pkg, path).replaceAll("\\", "/"));

/** The files that the step at work has written. Steps run one after the other. */
let written = [];

/** Does the work of a step, and returns the files that it wrote with the functions below. */
export async function writtenBy(work) {
  written = [];
  await work();
  return written;
}

/** Writes a file that is not of the package, for later steps. */
export function writeBeside(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  written.push(path);
}

/** Writes a file of the package. */
export function write(name, content) {
  // Errors of a store are told by their code.
  const codes = name.startsWith("store") ? "RunStoreError" : undefined;
  const isTypes = /\.d\.c?ts$/.test(name);
  writeBeside(join(pkg, name), isTypes ? withTags(content, { codes }) : content);
}

export const cjs = (names) => names.map((name) => `exports.${name} = glue.${name};`).join("\n");
/** A CommonJS file that gives these names of another one. */
export const commonjs = (from, names) =>
  `"use strict";\nconst glue = require("${from}");\n\nObject.defineProperty(exports, "__esModule", { value: true });\n${cjs(names)}\n`;
export const esm = (names, from) =>
  `export {\n${names.map((name) => `  ${name},\n`).join("")}} from "${from}";`;

/** How the TypeScript of the package is bundled: types are erased, and what comes out is written by `write`. */
export const BUNDLED = {
  bundle: true,
  write: false,
  metafile: true,
  logLevel: "error",
  // The comments that name sources do not depend on where the build was started.
  absWorkingDir: root,
  // Not as ts/tsconfig.json says, whose paths are those of types.
  tsconfigRaw: { compilerOptions: { target: "es2022", verbatimModuleSyntax: true } },
};

/** For files that Node reads as they are. Names stay, for the stacks of errors. */
export const FOR_NODE = { minifyWhitespace: true };

const STATEMENT =
  /(?<=[;{}])(?=(?:async|case|class|const|for|function|if|let|return|switch|throw|try|var|while)\b)/g;

/**
 * A text without white space in lines, a statement in each: Node prints the line from which an error comes. Not esbuild's
 * `lineLimit`, which breaks strings too, and rollup indents what follows.
 */
export async function inLines(text) {
  const { transform } = await import("esbuild");
  const lines = text.replace(STATEMENT, "\n");
  const { code } = await transform(lines, { ...FOR_NODE, target: "es2022" });
  const { code: whole } = await transform(text, { ...FOR_NODE, target: "es2022" });
  if (code !== whole) throw new Error("breaking the text into lines changes it");
  return lines;
}

/** The names that a bundle exports. */
export const bundledNames = ({ metafile }) => Object.values(metafile.outputs)[0].exports.sort();
