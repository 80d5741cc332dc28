// The tables of bash in the shell reader are those of the real bash.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { Permission } from "../../../pkg/node.mjs";
import { measuredTables, WAYS, writtenTables } from "../../../scripts/bash-tables.mjs";

const version = spawnSync("bash", ["-c", 'printf %s "$BASH_VERSION"'], { encoding: "utf8" }).stdout;
const [major, minor] = (version ?? "").split(".").map(Number);
const isKnown = major === 5 && minor === 2;
const isLater = major > 5 || (major === 5 && minor > 2);
const RULES = Permission.fromConfig({ bash: { "*": "allow", "zap *": "deny" } });
const action = (text) => Permission.evaluate("bash", text, RULES).action;

describe("the tables of bash", () => {
  test("are those of bash 5.2", { skip: isKnown ? false : "needs bash 5.2" }, () => {
    const { numbers, arrays, builtins } = writtenTables();
    const measured = measuredTables();
    assert.deepEqual(
      { numbers, arrays, builtins },
      { numbers: measured.numbers, arrays: measured.arrays, builtins: measured.builtins },
    );
  });

  test("what a later bash has more of is opaque", {
    skip: isLater ? false : "needs a bash after 5.2",
  }, () => {
    const written = writtenTables();
    const measured = measuredTables();
    const added = (key) => measured[key].filter((name) => !written[key].includes(name));
    for (const name of added("builtins")) assert.notEqual(action(`builtin ${name} x`), "allow");
    for (const name of [...added("numbers"), ...added("arrays")]) {
      assert.notEqual(action(`${name}='a[$(zap)0]'`), "allow", name);
    }
  });

  test("every way to set a variable that bash evaluates is asked, but for numbers", () => {
    const { numbers } = writtenTables();
    assert.ok(numbers.includes("RANDOM") && numbers.length > 5);
    for (const name of numbers) {
      for (const [way, text] of Object.entries(WAYS)) {
        assert.notEqual(action(text(name, "'a[$(zap)0]'")), "allow", `${way} ${name}`);
      }
      for (const way of ["=", "=( )", "for", "export", "declare"]) {
        assert.equal(action(WAYS[way](name, "42")), "allow", `${way} ${name}`);
      }
    }
    for (const [way, text] of Object.entries(WAYS)) {
      if (way === "nameref") continue;
      assert.equal(action(text("x", "'a[$(zap)0]'")), "allow", way);
    }
  });

  test("arrays of bash get no elements from a text that runs something", () => {
    for (const name of writtenTables().arrays) {
      assert.notEqual(action(`declare ${name}='($(zap))'`), "allow", name);
      // Setting these two changes what a name runs.
      if (name === "BASH_ALIASES" || name === "BASH_CMDS") continue;
      assert.equal(action(`declare ${name}='(1 2)'`), "allow", name);
    }
  });
});
