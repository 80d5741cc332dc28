// Writes files of the package.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { at } from "../lib.mjs";
import { withTags } from "./tsdoc.mjs";

export const pkg = at("pkg");

export function write(name, text) {
  // Errors of a store are told by their code.
  const codes = name.startsWith("store") ? "RunStoreError" : undefined;
  const isTypes = /\.d\.c?ts$/.test(name);
  writeFileSync(join(pkg, name), isTypes ? withTags(text, { codes }) : text);
}

export const cjs = (names) => names.map((name) => `exports.${name} = glue.${name};`).join("\n");
/** A CommonJS file that gives these names of another one. */
export const commonjs = (from, names) =>
  `"use strict";\nconst glue = require("${from}");\n\nObject.defineProperty(exports, "__esModule", { value: true });\n${cjs(names)}\n`;
export const esm = (names, from) =>
  `export {\n${names.map((name) => `  ${name},\n`).join("")}} from "${from}";`;

/** What esbuild does with TypeScript: it erases types. Not as ts/tsconfig.json says, whose paths are those of types. */
export const ERASE = { compilerOptions: { target: "es2022", verbatimModuleSyntax: true } };
