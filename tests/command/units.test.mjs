// Numbers as people read them: the command and the viewer print them with these functions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, changed, count, dollars, duration, plural } from "../../pkg/cli/units.mjs";

test("sizes are of 1,000 bytes, with one decimal from 1 kB on", () => {
  for (const [value, words] of [
    [0, "0 B"],
    [999, "999 B"],
    [1000, "1.0 kB"],
    [1234, "1.2 kB"],
    [999_949, "999.9 kB"],
    [999_950, "1.0 MB"],
    [1_200_000, "1.2 MB"],
    [999_950_000, "1.0 GB"],
    [1_500_000_000_000, "1500.0 GB"],
  ]) {
    assert.equal(bytes(value), words);
  }
});

test("counts have commas, and a noun that agrees", () => {
  assert.equal(count(1_234_567), "1,234,567");
  const numbers = [0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 0.5, 1234.5678, 1e21, 2 ** 53, NaN];
  for (const value of [...numbers, ...numbers.map((number) => -number || 0)]) {
    assert.equal(count(value), value.toLocaleString("en-US"));
  }
  assert.equal(plural(1, "line"), "1 line");
  assert.equal(plural(2000, "line"), "2,000 lines");
  assert.equal(plural(2, "match", "matches"), "2 matches");
  assert.equal(changed({ added: 1960, removed: 93 }), "+1,960 −93");
  assert.equal(changed({}), "");
});

test("costs have as many decimals as say something", () => {
  for (const [amount, words] of [
    [0, "$0"],
    [0.00312, "$0.0031"],
    [0.169, "$0.169"],
    [486.06, "$486.06"],
  ]) {
    assert.equal(dollars(amount), words);
  }
});

test("times carry, and never show 60 s or 60 min", () => {
  for (const [ms, words] of [
    [0, "0 ms"],
    [999.4, "999 ms"],
    [999.6, "1.0 s"],
    [9949, "9.9 s"],
    [9951, "10 s"],
    [59_500, "1 min 0 s"],
    [3_599_600, "1 h 0 min"],
    [7_440_000, "2 h 4 min"],
    [5 * 86_400_000, "5 days"],
    [-1500, "−1.5 s"],
    [Number.MAX_VALUE, "unknown"],
  ]) {
    assert.equal(duration(ms), words);
  }
});
