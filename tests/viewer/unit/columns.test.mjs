/** The columns of the list of runs: one entry each, from which the grid is made. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "../typescript.mjs";

const { COLUMNS, tracks } = await load("features/runs/model/columns.ts");

test("the grid has the width of each column, in their order", () => {
  const { wide, middle } = tracks();
  assert.equal(wide, COLUMNS.map(({ width }) => width).join(" "));
  assert.equal(
    middle,
    COLUMNS.flatMap(({ width, from }) => (from === "wide" ? [] : width)).join(" "),
  );
  assert.notEqual(wide, middle);
});

test("a run whose file was not read yet has a cell in every column", () => {
  const run = { id: 0, path: "a/session.json", size: 2048, modified: 0 };
  const said = COLUMNS.map(({ id, cell }) => [id, cell(run)]);
  assert.deepEqual(
    said.filter(([, words]) => words === ""),
    [],
  );
  assert.equal(Object.fromEntries(said).title, "session.json");
  assert.equal(Object.fromEntries(said).cost, "—");
});

test("the style sheet names no column's place", () => {
  const path = new URL("../../../www/src/features/runs/style.css", import.meta.url);
  const css = readFileSync(path, "utf8");
  for (const { id } of COLUMNS.slice(1)) {
    const [rule] = new RegExp(`\\.run > \\.run-${id}\\b`).exec(css) ?? [];
    assert.equal(rule, undefined);
  }
  for (const [, template] of css.matchAll(/\n\s+grid-template-columns:([^;]+);/g)) {
    assert.match(template, /var\(--runs-|minmax\(0, 1fr\)/);
  }
});
