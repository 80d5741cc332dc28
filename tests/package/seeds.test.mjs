// docs/seeds.md says where each requirement is: every name, rule and command in its column "where" exists, and every
// numbered rule and criterion of the five documents has a row.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { RULES } from "../../pkg/cli/catalogue/index.mjs";
import { ENTRIES } from "../../scripts/reference.mjs";
import { exportedNames } from "./docs/names.mjs";
import { page } from "./docs/pages.mjs";
import { at } from "./helper.mjs";

const CODES = new Set(RULES.map(({ code }) => code));
const { scripts } = JSON.parse(readFileSync(at("package.json"), "utf8"));

/** The ids of a document that are numbered through, and how many criteria each of its sections has. */
const DOCUMENTS = {
  "000": { ids: { "BR-": 14 }, criteria: { 8.1: 6, 8.2: 4 } },
  "001": { ids: { "BR-": 13 }, criteria: { 8.1: 6, 8.2: 4, 8.3: 3 } },
  "002": {
    ids: { "FR-": 56, "NFR-": 9, "C-": 7 },
    criteria: { "6.1.1": 4, "6.1.2": 3, "6.1.3": 6, 6.2: 8, 6.3: 3, 6.4: 4, 6.5: 3 },
  },
  "003": { ids: {}, criteria: {} },
  "004": { ids: {}, criteria: { 5: 8, 6: 4, 7: 3, 8: 3 } },
};

/** The rows below a heading, cell by cell, without the head of the table. */
function rowsBelow(prose, heading) {
  const start = prose.findIndex(({ text }) => text.startsWith(heading));
  assert.ok(start >= 0, `no heading "${heading}"`);
  const length = prose.slice(start + 1).findIndex(({ text }) => text.startsWith("## "));
  const lines = prose.slice(start + 1, length < 0 ? undefined : start + 1 + length);
  const table = lines.filter(({ text }) => text.startsWith("|")).slice(2);
  return table.map(({ text, line }) => ({
    line,
    cells: text
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  }));
}

/** The tables of a page: document, then id, what it asks, where it is, what is different. */
function tables(prose) {
  return Object.keys(DOCUMENTS).map((number) => {
    const rows = rowsBelow(prose, `## Requirements ${number}`).map(({ line, cells }) => {
      assert.equal(cells.length, 4, `line ${line} has ${cells.length} cells`);
      const [id, , where, different] = cells;
      return { line, ids: id.split(", "), where, different };
    });
    return { number, rows };
  });
}

/** `see FR-12 to FR-16`: the ids that a cell refers to. */
const referred = (where) =>
  /^see /.test(where) ? [...where.matchAll(/\b[A-Z]+-\d+\b/g)].map(([id]) => id) : [];

/** The words of a cell in code quotes, each with its entry: that of its clause, or the main one. */
function quoted(where) {
  return where.split(";").flatMap((clause) => {
    const words = [...clause.matchAll(/`([^`]+)`/g)].map(([, word]) => word);
    const isEntry = (word) => word.split("/")[0] === "apex-parts";
    const entry = words.find(isEntry) ?? "apex-parts";
    return words.filter((word) => !isEntry(word)).map((word) => ({ word, entry }));
  });
}

/** Whether a word in code quotes is something: a rule, a script of package.json, or an export of its entry. */
async function exists({ word, entry }, isExported) {
  if (!Object.hasOwn(ENTRIES, entry)) return false;
  if (/^[A-Z]{2}-\d+$/.test(word)) return CODES.has(word);
  const script = /^npm run (\S+)$/.exec(word)?.[1];
  if (script) return Object.hasOwn(scripts, script);
  return (await isExported(word, entry)) || CODES.has(word);
}

/** What is wrong in the column "where" of a row. */
async function faults({ line, where }, ids, isExported) {
  const found = [];
  const isAnything = where === "—" || /`|\]\(|^see |^the rows below$/.test(where);
  if (!isAnything) found.push(`line ${line} says nothing of where it is: ${where}`);
  for (const id of referred(where)) {
    if (!ids.has(id)) found.push(`line ${line} refers to ${id}, which has no row`);
  }
  for (const one of quoted(where)) {
    if (await exists(one, isExported)) continue;
    found.push(`line ${line}: ${one.entry} has no ${one.word}`);
  }
  return found;
}

const two = (n) => String(n).padStart(2, "0");
const upTo = (count) => Array.from({ length: count }, (_, index) => index + 1);
const idsOf = (rows) => new Set(rows.flatMap(({ ids }) => ids));

describe("docs/seeds.md", () => {
  let prose;
  let isExported;
  before(() => {
    ({ prose } = page("docs/seeds.md"));
    isExported = exportedNames();
  });

  test("names only what exists, in each row", async (t) => {
    let count = 0;
    const found = [];
    for (const { rows } of tables(prose)) {
      for (const row of rows) {
        count += quoted(row.where).length;
        found.push(...(await faults(row, idsOf(rows), isExported)));
      }
    }
    assert.deepEqual(found, []);
    t.diagnostic(`${count} names`);
    assert.ok(count > 300, `${count} names`);
  });

  test("has a row for each numbered rule and each criterion", () => {
    for (const { number, rows } of tables(prose)) {
      const { ids, criteria } = DOCUMENTS[number];
      const wanted = [
        ...Object.entries(ids).flatMap(([word, count]) => upTo(count).map((n) => word + two(n))),
        ...Object.entries(criteria).flatMap(([of, count]) => upTo(count).map((n) => `§${of}.${n}`)),
      ];
      const own = idsOf(rows);
      assert.deepEqual(
        wanted.filter((id) => !own.has(id)),
        [],
        `requirements ${number}`,
      );
      // No row for an id that the document does not have.
      const numbered = [...own].filter((id) => /^[A-Z]+-/.test(id));
      assert.deepEqual(
        numbered.filter((id) => !wanted.includes(id)),
        [],
        `requirements ${number}`,
      );
    }
  });

  test("lists every gap at its end", () => {
    const marked = tables(prose).flatMap(({ number, rows }) => {
      const gaps = rows.filter(({ different }) => different.includes("**Gap**"));
      return gaps.flatMap(({ ids }) => ids.map((id) => `${number}: ${id}`));
    });
    const listed = rowsBelow(prose, "## Gaps").flatMap(({ cells: [ids] }) => ids.split(", "));
    assert.deepEqual(listed.sort(), marked.sort());
  });

  test("would not pass with a name, rule, entry, command or id that is invented", async () => {
    const ids = new Set(["FR-01"]);
    const check = (where) => faults({ line: 1, where }, ids, isExported);
    for (const wrong of [
      "`DoomLoopPreventer`",
      "`ReActRecorder.executeStep`",
      "`PartFactory.createBananaPart`",
      "`Tool.Context.metadatum`",
      "`TextPart.time.begin`",
      "`BR-99`",
      "`BR-9`",
      "`exact_repeats`",
      "`scanSkills`",
      "`scanSkills` in `apex-parts/core`",
      "`Transcript` in `apex-parts/core`",
      "`scanSkills` in `apex-parts/nodes`",
      "`npm run covering`",
      "see FR-02",
      "somewhere",
      "",
    ]) {
      assert.equal((await check(wrong)).length, 1, wrong);
    }
    for (const right of [
      "`DoomLoopDetector`",
      "`ReActRecorder.startStep`, `ReActRecorder.stepContext`",
      "`PartFactory.createTextPart`; `BR-09`, `exact_repeat`",
      "`Tool.Context.metadata`, `TextPart.time.start`",
      "`scanSkills` in `apex-parts/node`; `Transcript`",
      "`npm run coverage`",
      "[a page](parts.md)",
      "see FR-01",
      "—",
    ]) {
      assert.deepEqual(await check(right), [], right);
    }
  });
});
