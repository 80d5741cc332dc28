// A part type is stated once (in crates/model/src/types): the package exports and declares everything for it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as apex from "../../pkg/node.mjs";
import { at } from "./helper.mjs";

const rows = ["part.rs", "file.rs"]
  .map((file) => readFileSync(at(`crates/model/src/types/${file}`), "utf8"))
  .flatMap((text) => [...text.matchAll(/^ {4}(\d+) \w+: (\w+), \w+(, constructor)? \{$/gm)])
  .sort(([, a], [, b]) => a - b)
  .map(([, , type, hasConstructor]) => ({
    type,
    guard: `is${type}`,
    create: hasConstructor && `create${type}`,
  }));
const functions = new Map(Object.entries(apex).filter(([, value]) => typeof value === "function"));
const declarations = readFileSync(at("pkg/index.d.ts"), "utf8");

test("each part type has its interface, and the union names it", () => {
  assert.ok(rows.length >= 12);
  const [, union] = declarations.match(/export type Part = ([^;]+);/);
  assert.deepEqual(
    union.split("|").map((name) => name.trim()),
    [...rows.map((row) => row.type), "ProgramPart"], // the last: those that a program adds
  );
  for (const { type } of rows) {
    assert.match(declarations, new RegExp(`export interface ${type} extends [^{]*PartBase`));
  }
});

test("each part type has its guard", () => {
  for (const { type, guard } of rows) {
    assert.equal(typeof apex.PartValidator[guard], "function", guard);
    const declared = `    function ${guard}(part: unknown): part is ${type};`;
    assert.ok(declarations.includes(declared), guard);
  }
});

test("each constructor of the table is exported, with the type of its options", () => {
  for (const { type, create } of rows.filter((row) => row.create)) {
    assert.ok(functions.has(create), create);
    const options = `C${create.slice(1)}Options`;
    assert.ok(declarations.includes(`export interface ${options} {`), options);
    const declared = `export const ${create}: CreateFrom<${options}, ${type}>;`;
    assert.ok(declarations.includes(declared), declared);
  }
});
