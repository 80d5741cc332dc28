// A row in the table of part types (crates/model/src/spec/parts.rs) is all that a type needs: the package exports and
// declares everything for it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as apex from "../../pkg/node.mjs";
import { at } from "./helper.mjs";

const rows = readFileSync(at("crates/model/src/spec/parts.rs"), "utf8")
  .split(": PartSpec = PartSpec {")
  .slice(1)
  .map((row) => {
    const text = (name) => row.match(`\\b${name}: (?:Some\\()?"(\\w+)"`)?.[1];
    return { type: text("type_name"), guard: text("guard"), create: text("constructor") };
  });
const functions = new Map(Object.entries(apex).filter(([, value]) => typeof value === "function"));
const declarations = readFileSync(at("pkg/index.d.ts"), "utf8");

test("each part type has its interface, and the union names it", () => {
  assert.ok(rows.length >= 12);
  const [, union] = declarations.match(/export type Part = ([^;]+);/);
  assert.deepEqual(
    union.split("|").map((name) => name.trim()),
    rows.map((row) => row.type),
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
