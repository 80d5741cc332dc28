// Transcripts in the packed package: every format, in chunks of any size, held in memory or not. (The scan
// itself is tested in Rust.)
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { generate } from "../../scripts/generate.mjs";
import { inputs } from "../inputs.mjs";
import { at } from "./helper.mjs";
import {
  inPieces,
  load,
  opened,
  parts,
  plainly,
  refused,
  rows,
  transcriptLaws,
} from "./transcript-laws.mjs";

const made = (format, bytes = 60_000) => Buffer.concat([...generate({ format, bytes, seed: 7 })]);

/** A file of each format: generated, or one of our streams. */
const STREAMS = at("tests", "fixtures", "streams");
const FILES = [
  ...["opencode-export", "opencode-events", "opencode-run", "with-parts", "messages", "deltas"],
  "opencode2-export",
  "claude-code",
].map((format) => ({ name: `made.${format}`, format, bytes: made(format) }));
for (const name of inputs(STREAMS, /\.sse$/)) {
  FILES.push({ name, format: name.split(".").at(-2), bytes: readFileSync(join(STREAMS, name)) });
}

before(() => load("transcripts"));

describe("every format", () => {
  transcriptLaws(FILES);

  test("is valid if generated", (t) => {
    for (const { name, bytes } of FILES.filter(({ name }) => name.startsWith("made."))) {
      const transcript = opened(t, parts.Transcript.open(bytes));
      const errors = transcript.problems().filter(({ severity }) => severity === "error");
      assert.deepEqual(errors.slice(0, 3), [], name);
    }
  });
});

describe("a file with `read`", () => {
  const bytes = made("with-parts");

  test("is read only when and where a message is needed", (t) => {
    const asked = [];
    const read = (start, end) => {
      asked.push([start, end]);
      return bytes.subarray(start, end);
    };
    const transcript = inPieces(t, bytes, 4_096, { read });
    const before = asked.length;
    const third = transcript.message(3);
    assert.equal(asked.length, before + 1);
    const [start, end] = asked.at(-1);
    assert.deepEqual(JSON.parse(bytes.subarray(start, end)), third);
  });

  test("whose `read` fails is an error, and the transcript continues", (t) => {
    let way = () => bytes;
    const read = (start, end) => way(start, end);
    const transcript = inPieces(t, bytes, 4_096, { read });
    for (const [bad, says] of [
      [() => bytes.subarray(0, 1), /the file has changed/],
      [() => bytes, /the file has changed/],
      [() => undefined, /did not return a Uint8Array/],
      [() => "text", /did not return a Uint8Array/],
      [
        () => {
          throw new Error("gone");
        },
        /could not be read again: gone/,
      ],
      [
        () => {
          throw undefined;
        },
        /`read` threw/,
      ],
      [() => transcript.message(1), /could not be read again.*busy/],
    ]) {
      way = bad;
      refused(() => transcript.message(0), says);
      refused(() => transcript.messages(), says);
      refused(() => transcript.search("a"), says);
      refused(() => transcript.loops(), says);
    }
    way = (start, end) => bytes.subarray(start, end);
    assert.equal(transcript.messages().length, transcript.messageCount);
    for (const read of [1, "read", {}, true]) {
      refused(() => new parts.Transcript({ read }), /`read` must be a function/);
    }
  });
});

describe("while it is read", () => {
  test("everything read so far is accessible", (t) => {
    const bytes = made("opencode-export");
    const transcript = opened(t, new parts.Transcript());
    let last = 0;
    for (let at = 0; at < bytes.length; at += 5_000) {
      transcript.push(bytes.subarray(at, at + 5_000));
      assert.ok(transcript.messageCount >= last);
      last = transcript.messageCount;
      if (last > 0) assert.ok(transcript.message(last - 1).info.id);
      assert.equal(transcript.messages().length, last);
    }
    transcript.end();
    transcript.end(); // a second call changes nothing
    refused(() => transcript.push(bytes), /push after end/);
    assert.ok(transcript.messageCount > 0);
  });

  test("the caller may reuse the memory of a chunk", (t) => {
    const bytes = made("opencode-export");
    const copy = Buffer.from(bytes);
    const transcript = opened(t, parts.Transcript.open(copy));
    copy.fill(0);
    assert.deepEqual(transcript.messages(), JSON.parse(bytes).messages);
  });
});

describe("while it grows", () => {
  test("a row keeps its id, and a cut end is not an error", (t) => {
    for (const format of ["deltas", "messages", "claude-code", "opencode-run"]) {
      const { bytes } = FILES.find((file) => file.name === `made.${format}`);
      const transcript = opened(t, new parts.Transcript());
      let before = [];
      for (let at = 0; at < bytes.length; at += 3_001) {
        transcript.push(bytes.subarray(at, at + 3_001));
        transcript.refresh();
        const ids = transcript
          .messages()
          .map(({ info, parts }) => [info, ...parts].map((p) => p.id));
        for (const [i, old] of before.entries()) {
          assert.deepEqual(
            old.filter((id) => !ids[i].includes(id)),
            [],
            format,
          );
        }
        before = ids;
        const errors = transcript.problems().filter(({ severity }) => severity === "error");
        assert.deepEqual(errors, [], format);
      }
      assert.ok(before.length > 0, format);
    }
  });

  test("a refused file stays refused, and end() gives the reason", (t) => {
    const transcript = opened(t, new parts.Transcript());
    transcript.push(Buffer.from(`<!doctype html>${" ".repeat(1_000)}`));
    transcript.refresh();
    assert.deepEqual([transcript.messageCount, transcript.problems()], [0, []]);
    refused(() => transcript.end(), /HTML or XML/);
    transcript.refresh();
  });
});

describe("the layout", () => {
  const finish = {
    type: "step-finish",
    cost: 0.25,
    tokens: { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } },
  };
  const call = (tool, time) => ({ type: "tool", tool, state: { status: "completed", time } });
  const messages = [
    {
      info: { id: "a", sessionID: "s", role: "user", agent: "plan", time: { created: 5 } },
      parts: [{ type: "text", text: "hi", time: { start: 3, end: 4 } }],
    },
    {
      info: {
        sessionID: "t",
        role: "assistant",
        agent: "build",
        time: { created: 6, completed: 9 },
      },
      parts: [call("bash", { start: 6, end: 8 }), call("read", { start: 7 }), call("bash"), finish],
    },
    { info: { role: "assistant", agent: 7, time: { created: "then" } }, parts: [call()] },
  ];
  const bytes = Buffer.from(JSON.stringify({ info: { id: "t" }, messages }));

  test("has times, costs, tokens, tools, agents and sessions", (t) => {
    const transcript = opened(t, parts.Transcript.open(bytes));
    const layout = transcript.layout();
    const plain = (name, Kind) => {
      assert.ok(layout[name] instanceof Kind, name);
      return Array.from(layout[name]);
    };
    assert.deepEqual(plain("firstPart", Uint32Array), [0, 1, 5, 6]);
    assert.deepEqual(plain("starts", Float64Array), [3, 6, 7, NaN, NaN, NaN]);
    assert.deepEqual(plain("ends", Float64Array), [4, 8, NaN, NaN, NaN, NaN]);
    assert.deepEqual(plain("costs", Float32Array), [0, 0, 0, 0, 0.25, 0]);
    assert.deepEqual(plain("tokens", Uint32Array), [0, 0, 0, 0, 15, 0]);
    assert.deepEqual(plain("tools", Uint16Array), [0, 1, 2, 1, 0, 0]);
    assert.deepEqual(plain("created", Float64Array), [5, 6, NaN]);
    assert.deepEqual(plain("completed", Float64Array), [NaN, 9, NaN]);
    assert.deepEqual(plain("agents", Uint16Array), [1, 2, 0]);
    assert.deepEqual(plain("sessions", Uint32Array), [1, 0, 4_294_967_295]);
    assert.deepEqual(
      transcript.sessions.map(({ id }) => id),
      ["t", "s"],
    );
    assert.deepEqual(layout.toolNames, ["bash", "read"]);
    assert.deepEqual(layout.agentNames, ["plan", "build"]);
  });

  test("distinguishes 65,534 tools, and cuts long names", (t) => {
    const part = (n) => `{"type":"tool","tool":"${n}"}`;
    const names = Array.from({ length: 70_000 }, (_, n) => part(`tool ${n}`));
    names.push(part("x".repeat(1_000)), part("tool 1"));
    const file = `[{"info":{"role":"assistant"},"parts":[${part("y".repeat(500))},${names}]}]`;
    const transcript = opened(t, parts.Transcript.open(Buffer.from(file)));
    const { tools, toolNames } = transcript.layout();
    assert.equal(toolNames.length, 65_534);
    assert.equal(toolNames[0], "y".repeat(200));
    assert.deepEqual(
      [tools[65_533], tools[65_534], tools[70_001], tools[70_002]],
      [65_534, 0, 0, 3],
    );
  });
});

describe("search", () => {
  const message = {
    info: { id: "m", sessionID: "s", role: "user" },
    parts: [
      { type: "text", text: "Ärger, ärger \u{1f600} end" },
      {
        type: "tool",
        tool: "grep",
        state: {
          status: "completed",
          input: { "a/b": { "~": ["x", "needle"] } },
          output: 'say "needle"\n',
          title: "Needle",
        },
      },
    ],
  };
  const bytes = Buffer.from(JSON.stringify([message]));
  const at = (value, pointer) =>
    pointer
      .split("/")
      .slice(1)
      .reduce((v, key) => v[key.replaceAll("~1", "/").replaceAll("~0", "~")], value);

  test("finds strings and their places", (t) => {
    const transcript = opened(t, parts.Transcript.open(bytes));
    const all = (query, options) =>
      transcript.search(query, options).map(({ message, part, field, start, end, excerpt }) => {
        const text = at(transcript.message(message).parts[part], field);
        assert.ok(excerpt.length > 0);
        return `${field} ${text.slice(start, end)}`;
      });
    assert.deepEqual(all("needle"), [
      "/state/title Needle",
      "/state/input/a~1b/~0/1 needle",
      "/state/output needle",
    ]);
    assert.deepEqual(all("needle", { caseSensitive: true }).length, 2);
    assert.deepEqual(all("ÄRGER"), ["/text Ärger", "/text ärger"]);
    assert.deepEqual(all("end"), ["/text end"]);
    assert.deepEqual(all('"needle"\n'), ['/state/output "needle"\n']);
    assert.deepEqual(all("needle", { limit: 1 }).length, 1);
    assert.deepEqual(all("needle", { limit: 0 }), []);
    assert.deepEqual(all(""), []);
    assert.deepEqual(all("grep"), []);
    assert.deepEqual(all("n.{4}e", { regex: true }).length, 3);
    assert.deepEqual(all("N.{4}e", { regex: true, caseSensitive: true }), ["/state/title Needle"]);
    assert.deepEqual(all(". end", { regex: true }), ["/text \u{1f600} end"]);
    assert.deepEqual(all("^", { regex: true }), []);
    assert.deepEqual(all("e", { regex: true, limit: 2 }).length, 2);
    assert.deepEqual(all("\\-", { regex: true }), []); // valid only without Unicode mode
  });

  test("reads the language of queries", (t) => {
    const transcript = opened(t, parts.Transcript.open(bytes));
    const all = (query, options) =>
      plainly(transcript.search(query, { query: true, ...options })).map(
        ({ message, part, field, start, end }) => [message, part, field, end - start].join(" "),
      );
    const calls = all("type:tool");
    assert.ok(calls.length > 0);
    for (const call of calls) assert.match(call, /^\d+ \d+ {2}0$/);
    assert.deepEqual(all("type:tool needle").length, 3);
    assert.deepEqual(all("-type:tool needle"), []);
    assert.deepEqual(all('"needle" /N.{4}e/').length, 3);
    assert.deepEqual(all('"needle" "nowhere"'), []);
    assert.deepEqual(all("n.{4}e", { regex: true }).length, 3);
    assert.deepEqual(all("NEEDLE", { caseSensitive: true }), []);
    assert.deepEqual(all("type:tool", { limit: 0 }), []);
    assert.deepEqual(all(""), []);
    const { messages } = transcript.searchColumns("type:tool needle", { query: true });
    assert.equal(messages.length, 3);
    for (const [query, says] of [
      ["cost>abc", /^“abc” is not an amount of dollars, as in cost>0.05. \(query\)$/],
      ["/(/", /not a valid regular expression: unterminated group/],
      ["x".repeat(5000), /at most 2000 characters/],
    ]) {
      assert.throws(
        () => transcript.search(query, { query: true }),
        (error) => says.test(error.message) && error.details.rule === "query",
        query,
      );
    }
    const { mistake, terms, filters } = parts.parseQuery("a cost>abc");
    assert.deepEqual([mistake.at, terms, filters], [7, [], []]);
    assert.throws(() => parts.parseQuery(5), /a query must be a string/);
  });

  test("reports what is wrong with a query", (t) => {
    const transcript = opened(t, parts.Transcript.open(bytes));
    refused(() => transcript.search("(", { regex: true }), /not a regular expression: .*\(/);
    refused(() => transcript.search(5), /a query must be a string/);
    assert.throws(
      () => transcript.search("a", { limit: -1 }),
      /`limit` must be a number, 0 or more/,
    );
    assert.throws(() => transcript.search("a", { regex: 1 }), /`regex` must be true or false/);
    assert.deepEqual(transcript.search("needle", { limit: 1 }).length, 1);
  });
});

describe("search in columns", () => {
  test("the default limit is that of `search`, and infinity means none", (t) => {
    const transcript = opened(t, parts.Transcript.open(made("opencode-export", 300_000)));
    const found = transcript.searchColumns("e");
    assert.deepEqual(rows(found), plainly(transcript.search("e")));
    assert.equal(found.messages.length, 1000);
    assert.equal(found.capped, true);
    const all = transcript.searchColumns("e", { limit: Number.POSITIVE_INFINITY });
    assert.ok(all.messages.length > 1000 && !all.capped);
  });

  test("a range is cut to the messages that exist, and has its own limit", (t) => {
    const transcript = opened(t, parts.Transcript.open(made("with-parts", 100_000)));
    const { messageCount } = transcript;
    const count = (range) =>
      transcript.searchColumns("e", { limit: 1e6, ...range }).messages.length;
    const all = count({});
    assert.ok(all > 100);
    for (const range of [
      { from: 0, to: messageCount },
      { from: 0.9, to: Number.POSITIVE_INFINITY },
      { from: undefined, to: null },
      { to: 2 ** 40 },
    ]) {
      assert.equal(count(range), all, JSON.stringify(range));
    }
    for (const range of [
      { from: messageCount },
      { from: Number.POSITIVE_INFINITY },
      { from: 3, to: 3 },
      { from: 3, to: 2 },
      { to: 0 },
      { to: 0.9 },
    ]) {
      assert.equal(count(range), 0, JSON.stringify(range));
    }
    const { messages, capped } = transcript.searchColumns("e", { from: 2, limit: 5 });
    assert.equal(messages.length, 5);
    assert.ok(messages[0] >= 2 && capped);
    assert.equal(transcript.searchColumns("e", { from: 3, to: 3, limit: 0 }).capped, false);
  });

  test("reports errors as `search` does", (t) => {
    const bytes = made("with-parts", 20_000);
    const transcript = opened(t, parts.Transcript.open(bytes));
    const words = (call) => {
      try {
        call();
      } catch (error) {
        return `${error.name}: ${error.message}`;
      }
      return assert.fail("nothing was thrown");
    };
    for (const given of [
      ["(", { regex: true }],
      [5],
      [undefined],
      [null],
      [{}],
      [Symbol("a")],
      ["a", { limit: -1 }],
      ["a", { limit: "5" }],
      ["a", { from: -1 }],
      ["a", { to: "5" }],
      ["a", { regex: 1 }],
      ["a", { caseSensitive: "no" }],
    ]) {
      const says = words(() => transcript.searchColumns(...given));
      assert.equal(
        says,
        words(() => transcript.search(...given)),
      );
      assert.match(says, /^(?:TranscriptError|PartValidationError): /);
    }
    const failing = { read: () => assert.fail("gone") };
    const away = opened(t, new parts.Transcript(failing));
    away.push(bytes);
    away.end();
    refused(() => away.searchColumns("the"), /gone/);
    assert.ok(transcript.searchColumns("e").messages.length > 0, "it still works");
    const freed = parts.Transcript.open(bytes);
    freed.free();
    refused(() => freed.searchColumns("e"), /was freed/);
  });

  test("field names under a long key take no more than 16 MB", (t) => {
    const input = { ["k".repeat(1 << 20)]: Array(1000).fill("a a") };
    const state = { status: "completed", input, output: "" };
    const message = {
      info: { id: "m", sessionID: "s", role: "assistant" },
      parts: [{ type: "tool", tool: "t", state }],
    };
    const bytes = Buffer.from(JSON.stringify([message]));
    const transcript = opened(t, parts.Transcript.open(bytes));
    const found = transcript.searchColumns("a", { limit: 100_000 });
    assert.equal(found.capped, true);
    assert.equal(found.fieldNames.length, 15);
    assert.equal(found.messages.length, 30);
  });
});
