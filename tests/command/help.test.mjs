// The help of the command: of all commands, and of each.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { at, run } from "./command.mjs";

const SESSION = at("tests/fixtures/subtask.export.json");

describe("the help of one command", () => {
  const NAMES = [
    ...["view", "validate", "inspect", "loops", "search", "compare", "convert", "redact"],
    ...["compact", "assemble", "explain", "tool", "skills"],
  ];

  test("is its part of the help, by --help and by help", () => {
    const all = run(["--help"]).stdout;
    const words = (text) => text.replace(/\s+/g, " ");
    for (const name of NAMES) {
      const { status, stdout, stderr } = run([name, "--help"]);
      assert.deepEqual([status, stderr], [0, ""], name);
      assert.equal(run(["help", name]).stdout, stdout);
      const usages = stdout.split("\n").filter((line) => line.startsWith("  apex-parts "));
      assert.ok(
        usages.length > 0 && usages.every((line) => line.startsWith(`  apex-parts ${name} `)),
      );
      for (const line of usages) assert.ok(all.includes(line), line);
      // Each option with the words that the whole help has for it.
      const options = stdout.split(/^(?= {2}-)/m).slice(1);
      assert.ok(options.length > 0, name);
      for (const option of options) {
        const [, head, text] = /^ {2}(-\S+(?: \S+)*)\s{2,}([\s\S]*?)(?:\n\n|$)/.exec(option);
        assert.ok(all.includes(`  ${head} `), `${name}: ${head}`);
        // The whole help names several commands before the words.
        const said = words(text).trim().replace(`${name} --list: `, "");
        assert.ok(words(all).includes(said), `${name} ${head}: ${said}`);
      }
      assert.match(
        words(stdout),
        / Exit code: 0 success; .*2 the command line is invalid, or a file could not be read/,
      );
    }
    assert.deepEqual(
      [...all.matchAll(/^ {2}apex-parts ([\w-]+) /gm)]
        .map(([, name]) => name)
        .filter((name, i, of) => of.indexOf(name) === i),
      NAMES,
    );
  });

  test("of none there is: says so; help alone is the whole", () => {
    for (const args of [
      ["help", "dance"],
      ["dance", "--help"],
    ]) {
      const { status, stderr } = run(args);
      assert.equal(status, 2);
      assert.match(stderr, /^no command dance\n/);
    }
    assert.equal(run(["help"]).stdout, run(["--help"]).stdout);
    const { status, stderr } = run([SESSION]);
    assert.equal(status, 2);
    const [first] = stderr.split("\n");
    // How the path is quoted is tested with the command (cli.test.mjs).
    assert.ok(first.startsWith(`no command ${SESSION}: apex-parts view `), first);
    assert.ok(first.includes(SESSION, `no command ${SESSION}`.length), first);
    assert.match(first, / opens it$/);
  });
});
