/** Where the output of a command that failed tells why, and what of it is shown. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { load } from "../typescript.mjs";

const { firstError } = await load("features/tools/worker/first_error.ts");
const { longWithEnd } = await load("worker/values.ts");

const OUTPUTS = {
  "   Compiling thiserror v2\nwarning: unused\nerror[E0425]: cannot find value `x`\nerror: two": 3,
  "src/a.ts(3,4): error TS2304: Cannot find name 'x'.": 1,
  "running 3 tests\ntest a ... ok\ntest b ... FAILED\n\nthread 'b' panicked at src/b.rs:1:1": 3,
  "collected 2 items\nTraceback (most recent call last):\n  File x\nValueError: no": 2,
  "hint: x\nfatal: not a git repository": 2,
  "npm ERR! code ENOENT": 1,
  "cc -c a.c\nmake[1]: *** No rule to make target 'x'.  Stop.": 2,
  "/bin/bash: line 1: x: command not found": 1,
  "ls: cannot access 'x': No such file or directory": 1,
  "\u001b[31m\u001b[1merror\u001b[0m: could not compile": 1,
  "0 errors\nno errors found\nTypeError: x is not a function\n    at y": 3,
  "--- FAIL: TestX (0.00s)": 1,
  "line\nit failed somehow": 2,
};

describe("the first error", () => {
  for (const [output, line] of Object.entries(OUTPUTS)) {
    test(JSON.stringify(output.slice(0, 60)), () => {
      const found = firstError(output);
      assert.equal(found?.line, line);
      const words = output.split("\n")[line - 1];
      assert.equal(output.slice(found.at, found.at + words.length), words);
      assert.ok(words.includes(found.text.slice(-4)), found.text);
    });
  }

  test("is none where nothing is said", () => {
    for (const output of [
      "",
      "ok\n",
      "0 errors, 0 failed",
      "test result: ok. 3 passed; 0 failed",
    ]) {
      assert.equal(firstError(output), undefined, output);
    }
  });

  test("is looked for in bounded time, in a bounded part", () => {
    assert.equal(firstError(`${"x".repeat(3_000_000)}\nerror: late`), undefined);
    assert.equal(firstError(`${"e".repeat(399_000)}\nerror: in time`)?.line, 2);
  });
});

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
