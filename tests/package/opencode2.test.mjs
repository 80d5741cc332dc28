// Records of OpenCode 2: read into messages, written again, and written for other sessions.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { generate } from "../../scripts/generate.mjs";
import { at, consumer, requireFrom } from "./helper.mjs";

const FILE = at("tests", "fixtures", "formats", "opencode2-export.txt");
const EXPORT = JSON.parse(readFileSync(FILE, "utf8"));
const V1 = at("tests", "fixtures", "formats", "opencode-export.txt");

let parts;
let folder;
before(async () => {
  folder = await consumer("records");
  parts = requireFrom(folder)("apex-parts");
});

function opened(t, bytes) {
  const transcript = parts.Transcript.open(bytes);
  t.after(() => transcript.free());
  return transcript;
}

const bytesOf = (value) => Buffer.from(JSON.stringify(value));
const copy = (value) => JSON.parse(JSON.stringify(value));

describe("an export of OpenCode 2", () => {
  test("becomes messages with parts", (t) => {
    const transcript = opened(t, readFileSync(FILE));
    assert.equal(transcript.format, "opencode2-export");
    assert.deepEqual(transcript.problems(), []);
    assert.equal(transcript.session.directory, "/work");
    const ids = transcript.messages().map(({ info }) => info.id.replace("msg_example_", ""));
    assert.deepEqual(ids, ["0", "0:summary", "1", "2", "3", "5", "5:shell"]);
    const types = transcript.messages().map((message) => message.parts.map(({ type }) => type));
    assert.deepEqual(types[3], ["step-start", "reasoning", "tool", "tool", "patch", "step-finish"]);
    // What ended the run is the last part of the answer before it.
    assert.equal(types[4].at(-1), "idle");
    assert.equal(transcript.stats().tools.shell.calls, 1);
  });

  test("comes back, also from a copy of its messages and in pieces", (t) => {
    const transcript = opened(t, readFileSync(FILE));
    assert.deepEqual(parts.toOpenCode2(transcript), EXPORT);
    assert.deepEqual(parts.toOpenCode2(transcript.messages()), EXPORT);
    assert.deepEqual(parts.toOpenCode2(copy(transcript.messages())), EXPORT);
    const text = parts.openCode2Text(transcript);
    assert.deepEqual(JSON.parse([...text].join("")), EXPORT);
    assert.deepEqual(text.dropped, []);
  });

  test("comes back with what was changed", (t) => {
    const messages = copy(opened(t, readFileSync(FILE)).messages());
    messages[3].parts[2].state.output = "3 a.txt\n";
    messages[4].info.cost = 0.5;
    const { messages: records } = parts.toOpenCode2(messages);
    const expected = copy(EXPORT.messages);
    expected[2].content[1].state.content[0].text = "3 a.txt\n";
    expected[3].cost = 0.5;
    assert.deepEqual(records, expected);
  });

  test("takes another title and folder, and new ids", (t) => {
    const transcript = opened(t, readFileSync(FILE));
    const { info } = parts.toOpenCode2(transcript, { title: "Other", directory: "/other" });
    assert.deepEqual([info.title, info.location.directory], ["Other", "/other"]);
    const copied = parts.toOpenCode2(transcript, { newIds: true });
    assert.notEqual(copied.info.id, EXPORT.info.id);
    const ids = new Set(copied.messages.map(({ id }) => id));
    assert.equal(ids.size, EXPORT.messages.length);
    for (const { id } of EXPORT.messages) assert.ok(!ids.has(id), id);
  });

  test("is read wherever it is cut", (t) => {
    const file = readFileSync(FILE);
    const end = file.indexOf('"msg_example_3"');
    const transcript = opened(t, file.subarray(0, end));
    assert.equal(transcript.format, "opencode2-export");
    assert.deepEqual(
      transcript
        .messages()
        .map(({ info }) => info.id)
        .slice(2, 4),
      ["msg_example_1", "msg_example_2"],
    );
    assert.equal(transcript.problems().filter(({ severity }) => severity === "error").length, 1);
  });

  test("goes on after damage", (t) => {
    const text = readFileSync(FILE, "utf8").replace('"reasoning","text"', '"reasoning" "text"');
    const damaged =
      text === readFileSync(FILE, "utf8")
        ? text.replace('"reasoning", "text"', '"reasoning" "text"')
        : text;
    const transcript = opened(t, Buffer.from(damaged));
    const ids = transcript.messages().map(({ info }) => info.id);
    assert.deepEqual(ids.slice(2, 4), ["msg_example_1", "msg_example_3"]);
    assert.equal(transcript.problems().filter(({ rule }) => rule === "json").length, 1);
  });
});

describe("a page of the API", () => {
  const page = (data) => bytesOf({ data, cursor: {} });
  const newestFirst = [...EXPORT.messages].reverse();

  test("is turned round where the newest record is the first", (t) => {
    for (const data of [newestFirst, EXPORT.messages]) {
      const transcript = opened(t, page(data));
      assert.equal(transcript.format, "opencode2-export");
      assert.deepEqual(transcript.problems(), []);
      assert.deepEqual(parts.toOpenCode2(transcript).messages, EXPORT.messages);
    }
  });

  test("says its session in its records", (t) => {
    const data = newestFirst.map((record) => ({ ...record, sessionID: "ses_1" }));
    const transcript = opened(t, page(data));
    assert.equal(transcript.sessions[0].id, "ses_1");
    assert.deepEqual(parts.toOpenCode2(transcript).messages, [...data].reverse());
  });
});

describe("what is told", () => {
  test("is the form that is not known", (t) => {
    const file = bytesOf({ info: { id: "s" }, messages: [{ uid: "a", body: [] }] });
    const transcript = opened(t, file);
    assert.equal(transcript.format, undefined);
    const [problem, ...others] = transcript.problems();
    assert.deepEqual([problem.rule, problem.severity, others], ["unknown-opencode", "error", []]);
    assert.match(problem.message, /first element has: uid, body/);
  });

  test("is a record of an unknown type, which is kept", (t) => {
    const record = { id: "msg_1", type: "dream", deep: [1], time: { created: 1 } };
    const transcript = opened(t, bytesOf({ ...EXPORT, messages: [record] }));
    assert.deepEqual(
      transcript.problems().map(({ rule, severity }) => [rule, severity]),
      [["unknown-record", "warning"]],
    );
    assert.deepEqual(transcript.message(0).parts[0].deep, [1]);
    assert.deepEqual(parts.toOpenCode2(transcript).messages, [record]);
  });
});

describe("the check for an import", () => {
  const checked = (t, file) =>
    parts.openCode2Problems(opened(t, bytesOf(file))).map(({ severity, path }) => [severity, path]);

  test("finds nothing in an export", (t) => {
    assert.deepEqual(checked(t, EXPORT), []);
  });

  test("names what stops it and what it drops", (t) => {
    const file = copy(EXPORT);
    const [, first, answer] = file.messages;
    first.mood = "good";
    first.files[0].name = null;
    answer.content[1].state.content = [];
    delete answer.content[2].state.error;
    file.messages[3].id = "3";
    assert.deepEqual(checked(t, file).sort(), [
      ["error", "/messages/1/files/0/name"],
      ["error", "/messages/2/content/1/state/content"],
      ["error", "/messages/2/content/2/state/error"],
      ["error", "/messages/3/id"],
      ["warning", "/messages/1/mood"],
    ]);
  });

  test("wants records", (t) => {
    const [problem] = parts.openCode2Problems(opened(t, readFileSync(V1)));
    assert.match(problem.message, /convert --to opencode2/);
  });
});

describe("a session of OpenCode 1", () => {
  test("becomes records", (t) => {
    const transcript = opened(t, readFileSync(V1));
    const { info, messages } = parts.toOpenCode2(transcript);
    assert.match(info.id, /^ses/);
    assert.equal(typeof info.location.directory, "string");
    for (const { id, type, time } of messages) {
      assert.match(id, /^msg/);
      assert.ok(["user", "assistant", "synthetic", "compaction"].includes(type), type);
      assert.equal(typeof time.created, "number");
    }
    // They are read again as they are.
    const again = opened(t, bytesOf({ info, messages }));
    assert.deepEqual(parts.toOpenCode2(again), { info, messages });
  });

  test("has a record for each call, with a result", (t) => {
    const bytes = Buffer.concat([
      ...generate({ format: "opencode-export", bytes: 200_000, seed: 3 }),
    ]);
    const transcript = opened(t, bytes);
    const { messages } = parts.toOpenCode2(transcript);
    const calls = transcript
      .messages()
      .flatMap((message) => message.parts.filter(({ type }) => type === "tool"));
    const items = messages.flatMap(({ content = [] }) =>
      content.filter(({ type }) => type === "tool"),
    );
    assert.deepEqual(
      items.map(({ id }) => id),
      calls.map(({ callID }) => callID),
    );
    for (const { state } of items) assert.ok(["completed", "error"].includes(state.status));
  });
});

test("the command converts there and back", (t) => {
  const place = mkdtempSync(join(tmpdir(), "records-"));
  t.after(() => rmSync(place, { recursive: true, force: true }));
  const cli = join(folder, "node_modules", "apex-parts", "pkg", "cli.mjs");
  const run = (...given) => execFileSync(process.execPath, [cli, ...given], { encoding: "utf8" });
  const input = join(place, "records.json");
  writeFileSync(input, JSON.stringify(EXPORT));
  assert.deepEqual(JSON.parse(run("convert", input, "--to", "opencode2")), EXPORT);
  const first = JSON.parse(run("convert", input, "--to", "opencode"));
  assert.equal(first.info.id, EXPORT.info.id);
  assert.match(run("inspect", input), /opencode2-export/);
  assert.match(run("validate", input, "--for", "opencode2"), /0 errors, 0 warnings/);
});
