// The command `apex-parts search`, as a user runs it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { oneLine } from "../../pkg/cli/colour.mjs";
import { at, file, run } from "./command.mjs";

const of = { sessionID: "s", messageID: "m" };
const path = file("search.json", {
  info: { id: "s" },
  messages: [
    {
      info: { id: "m", sessionID: "s", role: "user", time: { created: 1 } },
      parts: [
        {
          id: "p1",
          ...of,
          type: "text",
          text: "Where is the Needle?\nIn the \x1b[31mhay\x07 stack.",
        },
        {
          ...{ id: "p2", ...of, type: "tool", callID: "c", tool: "bash" },
          state: {
            ...{ status: "completed", input: { command: "grep needle" }, output: "a needle 針" },
            ...{ title: "t", metadata: {}, time: { start: 1, end: 2 } },
          },
        },
      ],
    },
  ],
});

describe("search", () => {
  test("each hit is a line: message, part, field, and the words around it; exit code 0", () => {
    const { status, stdout, stderr } = run(["search", path, "needle"]);
    assert.equal(status, 0, stderr);
    const lines = stdout.trimEnd().split("\n");
    assert.equal(lines.length, 3);
    assert.match(lines[0], /^0:0 \/text: .*Where is the Needle\?/);
    assert.match(lines[1], /^0:1 \/state\/input\/command: grep needle/);
    assert.match(lines[2], /^0:1 \/state\/output: a needle 針/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not occur
    assert.doesNotMatch(stdout, /[\x00-\x09\x0b-\x1f\x7f]/);
  });

  test("no match is exit code 1, as in grep", () => {
    const { status, stdout } = run(["search", path, "haystack"]);
    assert.equal(status, 1);
    assert.equal(stdout, "");
    const json = run(["search", path, "haystack", "--json"]);
    assert.equal(json.status, 1);
    assert.deepEqual(JSON.parse(json.stdout), []);
  });

  test("--case-sensitive, --regex, --limit", () => {
    const count = (...args) => run(["search", path, ...args]).stdout.split("\n").length - 1;
    assert.equal(count("Needle", "--case-sensitive"), 1);
    assert.equal(count("ne+dle\\W", "--regex"), 2);
    assert.equal(count("ne+dle"), 0);
    assert.equal(count("needle", "--limit", "2"), 2);
    assert.match(run(["search", path, "needle", "--limit", "2"]).stderr, /--limit N shows more/);
  });

  test("--json prints the result of the library", () => {
    const hits = JSON.parse(run(["search", path, "needle", "--json"]).stdout);
    assert.equal(hits.length, 3);
    const { message, part, field, start, end, excerpt } = hits[1];
    assert.deepEqual([message, part, field, start, end], [0, 1, "/state/input/command", 5, 11]);
    assert.ok(excerpt.includes("needle"));
  });

  test("matches are coloured only if the terminal wants that", () => {
    const colours = (env) =>
      spawnSync(process.execPath, [at("pkg/cli.mjs"), "search", path, "needle"], {
        encoding: "utf8",
        env: { PATH: process.env.PATH, ...env },
      }).stdout;
    assert.ok(colours({ FORCE_COLOR: "1" }).includes("\x1b[1;31mNeedle\x1b[0m"));
    for (const env of [{}, { NO_COLOR: "1" }, { FORCE_COLOR: "0" }]) {
      assert.ok(!colours(env).includes("\x1b"));
    }
  });

  test("an invalid pattern is exit code 2", () => {
    const { status, stderr } = run(["search", path, "(", "--regex"]);
    assert.equal(status, 2);
    assert.match(stderr, /^[^\n]+\n$/);
  });
});

test("search: errors of the command line", () => {
  const cases = [
    [["search", path], 2, /takes one FILE and one QUERY/],
    [["search", path, ""], 2, /QUERY is empty/],
    [["search", path, "a", "b"], 2, /takes one FILE and one QUERY/],
    [["search", path, "a", "--limit", "0"], 2, /--limit must be an integer from 1/],
    [["search", path, "a", "--threshold", "1"], 2, /search has no --threshold/],
    [["search", "/nowhere/at/all", "a"], 2, /no such file/],
    [["validate", path, "a"], 2, /takes one FILE/],
  ];
  for (const [args, code, says] of cases) {
    const { status, stdout, stderr } = run(args);
    assert.equal(status, code, `${args}: ${stderr}`);
    assert.equal(stdout, "");
    assert.match(stderr, says);
  }
});

test("no control characters of a transcript reach the terminal", () => {
  assert.equal(oneLine("a\x1b[31m\x07\r\n\tb\u009b1mc\u2028d"), "a [31m b 1mc d");
});
