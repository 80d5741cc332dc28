/** What is shown of the output of a command that failed. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { load } from "../typescript.mjs";

const { longWithEnd } = await load("core/worker/values.ts");

describe("the end of a long output", () => {
  test("is its last lines, whole", () => {
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i + 1}`);
    const { end, lines: all } = longWithEnd("output", `${lines.join("\n")}\n`);
    assert.equal(all, 100);
    assert.deepEqual(end, { text: `${lines.slice(60).join("\n")}\n`, lines: 40 });
  });

  test("is nothing of its own where all of it is shown", () => {
    assert.equal(longWithEnd("output", "one\ntwo").end, undefined);
    assert.equal(longWithEnd("output", "").end, undefined);
  });

  test("of one long line is the end of the line, with whole characters", () => {
    const { end } = longWithEnd("output", "😀".repeat(10_000));
    assert.ok(end.text.length <= 8192 && end.text.startsWith("😀"));
    assert.equal(end.lines, 1);
    const odd = longWithEnd("output", `x${"😀".repeat(10_000)}\n`);
    assert.ok(odd.end.text.startsWith("😀"));
  });
});
