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
    assert.equal(count("/ne+dle\\W/"), 2);
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

/** A run with a failed call, a call that only looks so, an error of the model, and a sub-agent with a failed call. */
const runFile = (() => {
  const part = (id, session, more) => ({
    id,
    sessionID: session,
    messageID: `m${session}`,
    ...more,
  });
  const call = (id, session, tool, state) =>
    part(id, session, {
      ...{ type: "tool", callID: `c${id}`, tool },
      state: { title: "t", metadata: {}, time: { start: 1, end: 2 }, ...state },
    });
  const info = (id, session, more) => ({ id, sessionID: session, time: { created: 1 }, ...more });
  const failed = {
    status: "error",
    input: { filePath: "/w/a.py" },
    error: "Error: no such file\nat x",
  };
  const done = {
    status: "completed",
    input: { command: "make all" },
    output: "status:failed is text",
  };
  const refused = { name: "APIError", data: { message: "Overloaded, try later" } };
  const steps = part("p4", "s", { type: "step-finish", reason: "stop", cost: 0.06, tokens: {} });
  return file("query.json", [
    {
      info: info("m1", "s", { role: "user" }),
      parts: [part("p1", "s", { type: "text", text: "Find \u001b[31mit" })],
    },
    {
      info: info("ms", "s", { role: "assistant", error: refused }),
      parts: [call("p2", "s", "read", failed), call("p3", "s", "bash", done), steps],
    },
    {
      info: info("mt", "t", { role: "assistant" }),
      parts: [call("q1", "t", "bash", { ...done, output: "no rule", metadata: { exit: 2 } })],
    },
  ]);
})();

describe("search: the language of queries", () => {
  const lines = (...args) =>
    run(["search", runFile, ...args])
      .stdout.split("\n")
      .slice(0, -1);

  test("filters alone are a line a part: tool, subject, and what it said", () => {
    assert.deepEqual(lines("status:failed"), [
      "1:0 read /w/a.py: Error: no such file",
      "t 0:0 bash make all: no rule",
    ]);
    assert.deepEqual(lines("cost>0.05"), ["1:2 step-finish: stop"]);
    assert.deepEqual(lines("role:user"), ["0:0 text: Find  [31mit"]);
    const [hit] = JSON.parse(run(["search", runFile, "status:failed", "--json"]).stdout);
    const excerpt = "Error: no such file";
    assert.deepEqual(hit, { message: 1, part: 0, field: "", start: 0, end: 0, excerpt });
  });

  test("texts and filters hold together, and a minus turns a filter round", () => {
    assert.deepEqual(lines("tool:bash text"), ["1:1 /state/output: status:failed is text"]);
    assert.deepEqual(lines('"make" "no rule"').length, 2);
    assert.deepEqual(lines("-tool:bash", "status:failed"), []);
    assert.deepEqual(lines("-tool:bash status:failed").length, 1);
    assert.deepEqual(lines("/NO \\w+le/i tool:bash").length, 1);
  });

  test("text that looks like a filter is in quotation marks, or --literal", () => {
    const found = ["1:1 /state/output: status:failed is text"];
    assert.deepEqual(lines('"status:failed"'), found);
    assert.deepEqual(lines("status:failed", "--literal"), found);
    assert.deepEqual(lines("status:(failed|none)", "--regex"), found);
    const unknown = run(["search", runFile, "foo:bar"]);
    assert.equal(unknown.status, 1);
    assert.match(unknown.stderr, /^foo: is not a filter/);
  });

  test("the error of a message is found, without a part", () => {
    assert.deepEqual(lines("try later"), ["1 /info/error/data/message: Overloaded, try later"]);
    assert.deepEqual(lines("try later", "--literal").length, 1);
    assert.deepEqual(lines("/try|later/").length, 2);
    assert.deepEqual(lines("status:error"), [
      "1 error: Overloaded, try later",
      "1:0 read /w/a.py: Error: no such file",
    ]);
    const [hit] = JSON.parse(run(["search", runFile, "later", "--json"]).stdout);
    assert.ok(!("part" in hit));
    assert.equal(hit.field, "/info/error/data/message");
  });

  test("a mistake is one sentence, and exit code 2", () => {
    for (const query of ["cost>abc", "status:broken", '"open', "tool:", "/(/", "x".repeat(2001)]) {
      const { status, stdout, stderr } = run(["search", runFile, query]);
      assert.deepEqual([status, stdout], [2, ""], query);
      assert.match(stderr, /^[^\n]+\.\n$/, query);
    }
    assert.equal(run(["search", runFile, '""']).status, 2);
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
