// What stages and test files need: only that is installed and built before they run.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, relative } from "node:path";
import { test } from "node:test";
import { at, files } from "../../scripts/lib.mjs";
import { whole } from "../../scripts/needs.mjs";
import { stageTable, writtenSeconds } from "../../scripts/stage-table.mjs";
import { needsOf, needsOfFile, STAGES } from "../../scripts/stages.mjs";

const testFiles = files(at("tests")).filter((path) => path.endsWith(".test.mjs"));

test("native tests need Rust and nothing else", () => {
  assert.deepEqual(whole(needsOf(STAGES.native)), ["rust"]);
});

test("what needs the package needs what it is built with, and neither viewer, browser nor Redis", () => {
  const { requests } = STAGES;
  assert.deepEqual(whole(needsOf(requests)).sort(), ["bindgen", "npm", "package", "rust"]);
});

test("a test file can need nothing", () => {
  assert.deepEqual(needsOfFile(at("tests", "command", "places.test.mjs")), []);
  assert.deepEqual(needsOfFile(at("tests", "command", "new.test.mjs")), ["npm"]);
});

test("every need of a stage and of a test file is known", () => {
  for (const stage of Object.values(STAGES)) whole(needsOf(stage));
  assert.throws(() => whole(["viewers"]), /nothing is needed as "viewers"; there are: .*viewer/);
});

/** What a test file uses, by which its need is told, and in how many files at least. */
const USES = [
  ["browser", /\bbrowser\(\)|from "(?:\.\.\/)*(?:\.\/)?(?:viewer\/)?browser\.mjs"/, 20],
  ["wasm-pack", /execFileSync\("wasm-pack"/, 1],
  ["redis", /from "\.\/redis\.mjs"/, 3],
];

for (const [need, use, fewest] of USES) {
  test(`a test file that needs ${need} says so, or its stage does`, () => {
    const own = (path) => basename(path) === "stages.test.mjs";
    const found = testFiles.filter((path) => !own(path) && use.test(readFileSync(path, "utf8")));
    assert.ok(found.length >= fewest, `${found.length} files`);
    const silent = found.filter((path) => !needsOfFile(path).includes(need));
    assert.deepEqual(
      silent.map((path) => `${relative(at(), path)}: // Needs: ${need}.`),
      [],
    );
  });
}

test("CONTRIBUTING.md lists the stages", () => {
  const seconds = writtenSeconds();
  const table = stageTable((name) => seconds.get(name) ?? "");
  const text = readFileSync(at("CONTRIBUTING.md"), "utf8");
  assert.ok(text.includes(table), "run `npm test -- STAGE --write`");
  for (const [name, of] of seconds) assert.match(of, /^\d+$/, name);
});

test("npm test names what there is when a stage or a file is not known", () => {
  const run = (...args) =>
    spawnSync(process.execPath, [at("scripts", "test.mjs"), ...args], { encoding: "utf8" });
  const stage = run("nativ");
  assert.match(stage.stderr, /^\n✗ no stage nativ; there are: format and lint, native, /);
  assert.equal(stage.status, 1);
  const file = run("tests/package/nowhere.test.mjs");
  assert.match(file.stderr, /^\n✗ no test file tests\/package\/nowhere\.test\.mjs\n$/);
  const other = run("README.test.mjs");
  assert.match(other.stderr, /no test file README\.test\.mjs/);
});
