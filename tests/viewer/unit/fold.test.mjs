/** Where long texts fold: after 40 lines or 8 KB of UTF-8. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "../typescript.mjs";

const { foldAt } = await load("ui/fold.ts");
const { long } = await load("core/worker/values.ts");

const KB8 = 8192;
const shown = (text) => text.slice(0, foldAt(long("output", text)));

test("8 KB are counted in bytes, whatever the letters", () => {
  for (const letter of ["a", "é", "語", "😀"]) {
    const bytes = Buffer.byteLength(letter);
    const most = Math.floor(KB8 / bytes);
    assert.equal(shown(letter.repeat(most)), letter.repeat(most), `${letter}: all of it fits`);
    assert.equal(shown(letter.repeat(most + 1)), letter.repeat(most), `${letter}: one too many`);
    assert.equal(shown(letter.repeat(100_000)), letter.repeat(most), `${letter}: far too many`);
  }
});

test("no pair of surrogates is cut, and half a pair is three bytes", () => {
  const text = `ab${"😀".repeat(3000)}`;
  assert.ok(shown(text).isWellFormed());
  assert.equal(Buffer.byteLength(shown(text)), KB8 - 2);
  assert.equal(shown("\ud800".repeat(5000)).length, Math.floor(KB8 / 3));
});

test("40 lines come before 8 KB, and 8 KB before 40 lines", () => {
  const line = (width, count) => Array.from({ length: count }, () => "語".repeat(width)).join("\n");
  assert.equal(shown(line(5, 40)), line(5, 40));
  assert.equal(shown(line(5, 41)), line(5, 40));
  // 31 bytes a line, so 8 KB would be 264 lines; 301 bytes, and they are 27.
  assert.equal(shown(line(10, 1000)).split("\n").length, 40);
  const wide = shown(line(100, 60));
  assert.equal(wide.split("\n").length, 28);
  assert.ok(Buffer.byteLength(wide) <= KB8);
});

test("a text of few bytes is whole, however it is counted", () => {
  for (const text of ["", "a", "\n", "語".repeat(2730), "語\n".repeat(39)]) {
    assert.equal(shown(text), text);
  }
});
