// docs/results.md is the one page of results: what README.md, docs/costs.md and docs/limits.md say of speeds is on it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inWords, range, rounded } from "../../benches/lib/figures.mjs";
import { at } from "../../scripts/lib.mjs";
import { figuresOf, quoted, withResults } from "../../scripts/results.mjs";

const page = readFileSync(at("docs", "results.md"), "utf8");

test("every figure that other pages quote is that of the page", () => {
  const all = quoted();
  assert.ok(all.length >= 60, `${all.length} figures`);
  const files = new Set(all.map(({ what }) => what.split(":")[0]));
  assert.deepEqual([...files].sort(), ["README.md", "docs/costs.md", "docs/limits.md"]);
  for (const { what, says, is } of all) {
    assert.equal(says, is, `${what}: \`npm run bench -- --write\` writes it`);
  }
});

test("a figure that is not on the page, or that no page quotes, fails", () => {
  const without = page.replace(/^\| `sessions\.codex` .*\n/m, "");
  assert.notEqual(without, page);
  assert.throws(
    () => quoted(without),
    /docs\/results\.md has no figure sessions\.codex with × parse/,
  );
  const empty = page.replace(/^(\| `deltas\.chunks` .*\| )[\d.]+( +\| at least)/m, "$1$2");
  assert.notEqual(empty, page);
  assert.throws(() => quoted(empty), /no figure deltas\.chunks with times as fast/);
  assert.throws(() => quoted(page, () => "no figures"), /README\.md quotes no figures as /);
  const other = (file) =>
    readFileSync(at(file), "utf8").replace(
      /(searching it|Searching an export\s+of 100 MB is)\s+/g,
      "$1 9",
    );
  const wrong = quoted(page, other).filter(({ says, is }) => says !== is);
  assert.deepEqual(
    wrong.map(({ what }) => what),
    [
      "README.md: transcripts.search, times as fast",
      "docs/costs.md: transcripts.search, times as fast",
    ],
  );
});

test("each benchmark on the page says where and when it ran, and no path of that machine", () => {
  const [, ...sections] = page.split(/^(?=## )/m);
  assert.ok(sections.length >= 6);
  for (const section of sections) {
    const [head, , where, , table] = section.split("\n");
    assert.match(where, /^\d{4}-\d\d-\d\d: apex-parts [\d.]+, Node [\d.]+, rustc [\d.]+\. /, head);
    assert.match(where, /\. \d+ × \S.*, \d+ GB of memory, \S+ [\d.]+ \(\w+\)\.$/, head);
    assert.match(table, /^\|/, head);
  }
  assert.doesNotMatch(page, /\/(?:home|work|root|Users|tmp)\//);
});

const row = (id, ratio) => ({ id, what: "it", "times as fast": ratio });

test("only the benchmarks that ran are written again, each with its own date", () => {
  const first = withResults(
    "",
    [
      {
        name: "sessions",
        rows: [row("sessions.a", "0.5"), { what: "|", size: "1 MB" }, row("", "2")],
      },
      { name: "parts", rows: [row("parts.a", "3")] },
      { name: "silent", rows: [] },
    ],
    "2026-01-01: here.",
  );
  const second = withResults(
    first,
    [
      { name: "parts", rows: [row("parts.a", "4")] },
      { name: "later", rows: [row("later.a", "1 to 2")] },
    ],
    "2026-02-02: there.",
  );
  assert.deepEqual(second.match(/^## .*$/gm), ["## sessions", "## later", "## parts"]);
  assert.deepEqual(second.match(/^2026.*$/gm), [
    "2026-01-01: here.",
    "2026-02-02: there.",
    "2026-02-02: there.",
  ]);
  const figures = figuresOf(second);
  assert.deepEqual([...figures.keys()], ["sessions.a", "later.a", "parts.a"]);
  assert.equal(figures.get("parts.a")["times as fast"], "4");
  assert.equal(figures.get("later.a")["times as fast"], "1 to 2");
  // Rows with the same columns are one table.
  assert.equal(second.match(/^\| figure \| what/gm).length, 3);
  assert.match(second, /^# Results\n[\s\S]*\*\*plain\*\*/);
  assert.equal(withResults(second, [], "never"), second);
  const twice = [{ name: "x", rows: [row("x.a", "1"), row("x.a", "2")] }];
  assert.throws(() => figuresOf(withResults("", twice, "")), /two figures x\.a/);
});

test("numbers are said with two digits, and ranges from the least to the most", () => {
  assert.deepEqual([0.2449, 5.63, 27.4, 1234, 0.0139].map(rounded), [
    "0.24",
    "5.6",
    "27",
    "1,200",
    "0.014",
  ]);
  assert.equal(range([3, 0.21, 1]), "0.21 to 3");
  assert.equal(range([0.301, 0.302]), "0.3");
  assert.deepEqual([140, 5_400, 27e6, 999.9e3, 2.3e9].map(inWords), [
    "0.14 µs",
    "5.4 µs",
    "27 ms",
    "1 ms",
    "2.3 s",
  ]);
});
