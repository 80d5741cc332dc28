/** Files that are of one run, in the list of runs: grouped, read as one, nested under the run. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../typescript.mjs";

const { countRuns, grouped, ownersOf, withFilesOf } = await load(
  "features/runs/model/sub_agents.ts",
);
const { asTrees } = await load("features/runs/model/tree.ts");

const NO_FOLDS = new Set();
const run = (id, path) => ({
  ...{ id, path, size: 1, modified: 0 },
  source: { kind: "url", url: `https://x/${path}`, name: path },
});
const facts = (title, more = {}) => ({
  ...{ title, format: "codex", model: "m", failed: 0, loops: 0 },
  ...more,
});
const FILES = [run(0, "child.jsonl"), run(1, "other.json"), run(2, "main.jsonl")];
const RUNS = grouped(FILES, [["other.json"], ["main.jsonl", "child.jsonl", "gone.jsonl"]]);
const rows = (runs) => asTrees(runs, NO_FOLDS).map(({ run: { path }, depth }) => [path, depth]);

test("a run is opened with all of its files", () => {
  assert.deepEqual(
    RUNS[2].source.run.map(({ path, source }) => [path, source.kind, source.run]),
    [
      ["main.jsonl", "url", undefined],
      ["child.jsonl", "url", undefined],
    ],
  );
  assert.equal(RUNS[1].source.run, undefined);
  assert.equal(RUNS[0].owner, 2);
  assert.equal(countRuns(RUNS, ownersOf(RUNS)), 2);
});

test("what was read of it stands in the row of each session's file, under its own", () => {
  const child = facts("Count the words", { failed: 2, session: "b" });
  const whole = {
    ...RUNS[2],
    facts: facts("Count", { failed: 3, files: { "child.jsonl": child } }),
  };
  const read = withFilesOf(RUNS.with(2, whole), whole);
  assert.deepEqual(read[0].facts, child);
  assert.equal(read[2].facts.failed, 3);
  assert.deepEqual(rows(read), [
    ["other.json", 0],
    ["main.jsonl", 0],
    ["child.jsonl", 1],
  ]);
});

test("a file in which the session goes on has no row", () => {
  const whole = { ...RUNS[2], facts: facts("Count") };
  const read = withFilesOf(RUNS.with(2, whole), whole);
  assert.equal(read[0].isPart, true);
  assert.deepEqual(rows(read), [
    ["other.json", 0],
    ["main.jsonl", 0],
  ]);
});

test("where the run cannot be read, each of its files is a run", () => {
  const broken = { ...RUNS[2], error: "It is no transcript." };
  const read = withFilesOf(RUNS.with(2, broken), broken);
  assert.equal(countRuns(read, ownersOf(read)), 3);
  assert.deepEqual(
    rows(read).map(([, depth]) => depth),
    [0, 0, 0],
  );
});
