// Files of messages for models, as transcripts: what fromMessages says of each session.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { at, consumer, requireFrom } from "../helper.mjs";
import { json, turns, WRITERS } from "./turns.mjs";

let parts;
before(async () => {
  parts = requireFrom(await consumer("message-arrays"))("apex-parts");
  parts.setLogger(undefined);
});

const FORMATS = [
  ...["anthropic", "openai-chat", "openai-responses", "gemini"],
  ...["ai-sdk", "ai-sdk-model", "sharegpt"],
];
/** The body of a request. */
function fixture(format) {
  const file = at("tests", "fixtures", "messages", `${format}.json`);
  const body = JSON.parse(readFileSync(file, "utf8"));
  return Array.isArray(body) ? { messages: body } : body;
}
const LISTS = ["messages", "contents", "input", "conversations"];
const listOf = (body) => LISTS.map((name) => body[name]).find(Array.isArray);

const now = 1_700_000_000_000;
const opened = (text, options) =>
  parts.Transcript.open(new TextEncoder().encode(text), { now, ...options });
const linesOf = (values) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
/** What fromMessages makes of the same. */
function read(format, body, sessionID = "session-1") {
  const model = { providerID: "", modelID: body.model ?? "" };
  return parts.fromMessages(format, body, { sessionID, now, model });
}

for (const format of FORMATS)
  describe(format, () => {
    test("the body of a request is a session", () => {
      const body = { ...fixture(format), label: "l" };
      const expected = read("auto", body);
      for (const text of [JSON.stringify(body), JSON.stringify(body, null, 2), linesOf([body])]) {
        const transcript = opened(text);
        assert.equal(transcript.format, `messages-${format}`);
        const id = body.id ?? "session-1";
        assert.deepEqual(
          transcript.messages(),
          body.id === undefined ? expected.messages : read("auto", body, id).messages,
        );
        const { system, tools, fields } = transcript.session;
        assert.deepEqual([system, tools ?? []], [expected.system, expected.tools ?? []]);
        assert.equal(fields.label, "l");
        assert.deepEqual(transcript.problems(), []);
        assert.deepEqual(
          transcript.sessions.map((session) => session.id),
          [id],
        );
        transcript.free();
      }
    });
    test("an array of messages is a session, as messages one a line are", () => {
      const list = listOf(fixture(format));
      for (const text of [JSON.stringify(list), JSON.stringify(list, null, 1), linesOf(list)]) {
        const transcript = opened(text);
        assert.equal(transcript.format, `messages-${format}`);
        assert.deepEqual(transcript.messages(), read("auto", list).messages);
        assert.deepEqual(transcript.problems(), []);
        transcript.free();
      }
    });
    test("each record of a data set is a session", () => {
      const body = fixture(format);
      const own = body.id === undefined ? ["session-1", "session-2"] : [body.id, "session-2"];
      for (const text of [linesOf([body, body]), JSON.stringify([body, body])]) {
        const transcript = opened(text);
        assert.deepEqual(
          transcript.sessions.map(({ id }) => id),
          own,
        );
        for (const id of own)
          assert.deepEqual(transcript.messagesOf(id), read("auto", body, id).messages);
        transcript.free();
      }
    });
    test("a given format is not doubted", () => {
      const list = listOf(fixture(format));
      for (const given of FORMATS) {
        const expected = read(given, list);
        const open = () => opened(JSON.stringify(list), { format: `messages-${given}` });
        if (expected.messages.length === 0 && expected.system === undefined) {
          assert.throws(open, { name: "TranscriptError" });
          continue;
        }
        const transcript = open();
        assert.equal(transcript.format, `messages-${given}`);
        assert.deepEqual(transcript.messages(), expected.messages);
        transcript.free();
      }
    });
  });

describe("toRequest goes on with a file", () => {
  for (const format of ["anthropic", "openai-chat", "openai-responses", "gemini"])
    test(`${format}: with its messages and its instructions`, () => {
      const body = fixture(format);
      const transcript = opened(JSON.stringify(body));
      const { messages, system, tools } = read("auto", body);
      const sent = (options) => parts.toRequest(format, { model: "m", tools, ...options });
      assert.deepEqual(sent({ messages: transcript }), sent({ messages, system }));
      assert.deepEqual(
        sent({ messages: transcript, system: "And so on." }),
        sent({ messages, system: ["And so on.", system] }),
      );
      transcript.free();
    });
});

describe("any history", () => {
  for (const [format, write] of Object.entries(WRITERS))
    test(`${format}: has the messages and the problems of fromMessages`, () => {
      const law = fc.property(turns, fc.array(json, { maxLength: 2 }), (list, odd) => {
        const isObject = (value) => typeof value === "object" && value && !Array.isArray(value);
        const body = [...list.flatMap(write), ...odd.filter(isObject)];
        const expected = read(format, body);
        const options = { format: `messages-${format}` };
        if (expected.messages.length === 0 && expected.system === undefined) return;
        const transcript = opened(JSON.stringify(body), options);
        assert.deepEqual(transcript.messages(), expected.messages);
        const problems = transcript.problems().filter(({ offset }) => offset !== undefined);
        const told = (all) =>
          all.map(({ severity, rule, path, message }) => {
            return [severity, rule, path === "" ? message : `${path}: ${message}`];
          });
        assert.deepEqual(told(problems).sort(), told(expected.problems).sort());
        transcript.free();
      });
      fc.assert(law, { numRuns: 60 });
    });
});

describe("what is lost is told", () => {
  test("with the place in the file", () => {
    const good = { role: "user", content: "a" };
    const bad = { role: "nobody", content: "b" };
    const text = `[${JSON.stringify(good)},\n ${JSON.stringify(bad)}]`;
    const transcript = opened(text);
    const [problem, ...more] = transcript.problems();
    assert.deepEqual(more, []);
    assert.deepEqual(
      [problem.path, problem.offset, problem.rule],
      ["", text.indexOf('{"role":"nobody'), "schema"],
    );
    assert.match(problem.message, /^\/1\/role: a role must be/);
    assert.equal(problem.message.split("(schema)").length, 2, problem.message);
    transcript.free();
  });
  test("of a record that is nested too deeply, and the others are read", () => {
    const deep = `{"messages":[{"role":"user","content":"x"}],"more":${"[".repeat(12_000)}${"]".repeat(12_000)}}`;
    const plain = JSON.stringify({ messages: [{ role: "user", content: "y" }] });
    const transcript = opened(`${plain}\n${deep}\n${plain}\n`);
    const texts = transcript.sessions.flatMap(({ id }) =>
      transcript.messagesOf(id).map(({ parts: [part] }) => part.text),
    );
    const isDeepRead = texts.length === 3;
    assert.deepEqual(texts, isDeepRead ? ["y", "x", "y"] : ["y", "y"]);
    const problems = transcript.problems().map(({ rule }) => rule);
    assert.deepEqual(problems, isDeepRead ? [] : ["limit"]);
    transcript.free();
  });
  test("a file of nothing but refused messages is an error", () => {
    assert.throws(() => opened(JSON.stringify([{ from: "nobody", value: "x" }])), {
      name: "TranscriptError",
      message: /`from` must be one of/,
    });
  });
});

test("it opens in pieces, and grows", () => {
  const list = listOf(fixture("anthropic"));
  const bytes = new TextEncoder().encode(JSON.stringify(list));
  const transcript = new parts.Transcript({ now });
  const counts = new Set();
  for (let from = 0; from < bytes.length; from += 50) {
    transcript.push(bytes.subarray(from, from + 50));
    transcript.refresh();
    counts.add(transcript.messageCount);
  }
  transcript.end();
  assert.ok(counts.size > 2, [...counts].join());
  assert.deepEqual(transcript.messages(), read("auto", list).messages);
  transcript.free();
});
