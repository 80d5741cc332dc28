// `convert --to opencode`: what is written and what is said. tests/package/opencode imports it into the real program.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { openCodeText, Transcript, toOpenCode } from "../../pkg/node.mjs";
import { generate } from "../../scripts/generate.mjs";
import { at, DELTAS, file, folder, ndjson, run } from "./command.mjs";

const subtask = at("tests/fixtures/subtask.export.json");
const to = ["--to", "opencode"];

function converted(path, ...options) {
  const { status, stdout, stderr } = run(["convert", path, ...to, ...options]);
  assert.equal(status, 0, stderr);
  return { session: JSON.parse(stdout), stdout, stderr };
}

const message = (id, sessionID, more = {}) => ({
  info: {
    ...{ id, sessionID, role: "user", time: { created: 1_700_000_000_000 } },
    ...{ agent: "build", model: { providerID: "p", modelID: "m" }, ...more },
  },
  parts: [{ id: `p-${id}`, sessionID, messageID: id, type: "text", text: `Say ${id}` }],
});

describe("convert --to opencode", () => {
  test("an export stays as it is, on standard output and in a file", () => {
    const { session, stdout, stderr } = converted(subtask);
    assert.deepEqual(session, JSON.parse(readFileSync(subtask, "utf8")));
    assert.equal(stderr, "");
    const out = join(folder, "out.json");
    const { status } = run(["convert", subtask, ...to, "-o", out]);
    assert.equal(status, 0);
    assert.equal(readFileSync(out, "utf8"), stdout);
  });

  test("is what the library gives, as objects and as text", () => {
    const path = join(folder, "claude.jsonl");
    writeFileSync(path, Buffer.concat([...generate({ format: "claude-code", bytes: 60_000 })]));
    const transcript = Transcript.open(readFileSync(path));
    const { stdout, session } = converted(path);
    assert.deepEqual(toOpenCode(transcript), session);
    assert.equal([...openCodeText(transcript)].join(""), stdout);
    assert.equal(session.info.metadata.apex.format, "claude-code");
  });

  test("the same file gives the same, also one without ids and times", () => {
    const path = file("same.ndjson", ndjson(DELTAS));
    const first = converted(path).stdout;
    assert.equal(converted(path).stdout, first);
    const stream = file(
      "same.sse",
      readFileSync(at("tests/fixtures/streams/blocks.anthropic.sse"), "utf8"),
    );
    // The time is the file's own.
    utimesSync(stream, 1_600_000_000, 1_600_000_000);
    const made = converted(stream);
    assert.equal(made.session.messages.at(-1).info.time.created, 1_600_000_000_000);
    const other = join(folder, "other.sse");
    copyFileSync(stream, other);
    utimesSync(other, 1_600_000_000, 1_600_000_000);
    assert.equal(converted(other).stdout, made.stdout);
    writeFileSync(other, readFileSync(stream, "utf8").replace("claude", "klaude"));
    utimesSync(other, 1_600_000_000, 1_600_000_000);
    assert.notEqual(converted(other).session.info.id, made.session.info.id);
    assert.notEqual(converted(stream, "--new-ids").session.info.id, made.session.info.id);
  });

  test("names on standard error what has no place, with how often", () => {
    const path = file("dropped.json", [
      message("a", "s", { mood: 1 }),
      message("b", "s", { mood: 2, "odd\u001b[31m": 3 }),
    ]);
    const { session, stderr } = converted(path);
    assert.equal(
      stderr,
      `${path}: left out, because OpenCode has no field for it: user.mood (2 times), user.odd\\x1b[31m\n`,
    );
    assert.ok(!JSON.stringify(session.messages).includes("mood"));
  });

  test("of several sessions it is the main one, or the one that is named", () => {
    const path = file("several.json", [message("a", "s1"), message("b", "s2"), message("c", "s1")]);
    const main = converted(path);
    assert.match(main.stderr, /1 other session is not in it: s2 \(--session ID\)\n$/);
    const said = ({ session }) => session.messages.map(({ parts }) => parts[0].text);
    assert.deepEqual(said(main), ["Say a", "Say c"]);
    const other = converted(path, "--session", "s2");
    assert.equal(other.stderr, "");
    assert.deepEqual(said(other), ["Say b"]);
    const unknown = run(["convert", path, ...to, "--session", "s3"]);
    assert.deepEqual([unknown.status, unknown.stdout], [1, ""]);
    assert.match(unknown.stderr, /no session s3; the sessions are s1, s2/);
  });

  test("what is damaged is told, and the rest is written", () => {
    const text = JSON.stringify([message("a", "s"), message("b", "s")]);
    const { session, stderr } = converted(file("cut.json", text.slice(0, -30)));
    assert.ok(session.messages.length > 0);
    assert.match(stderr, /cut\.json: byte \d+: /);
  });

  test("takes a title and a folder, as the library does", () => {
    const answer = {
      info: { ...message("b", "s").info, role: "assistant", parentID: "a", cost: 0 },
      parts: [],
    };
    const named = structuredClone(answer);
    Object.assign(named.info, { id: "c", path: { cwd: "/own", root: "/own" } });
    const path = file("titled.json", [message("a", "s"), answer, named]);
    const title = 'Größe "x" \u{1f980}';
    const { session } = converted(path, "--title", title, "--directory", "/d e");
    const transcript = Transcript.open(readFileSync(path));
    assert.deepEqual(toOpenCode(transcript, { title, directory: "/d e" }), session);
    const { info, messages } = session;
    assert.deepEqual([info.title, info.directory], [title, "/d e"]);
    const paths = messages.map((each) => each.info.path);
    const given = { cwd: "/d e", root: "/d e" };
    assert.deepEqual(paths, [undefined, given, { cwd: "/own", root: "/own" }]);
    // Of an export nothing else changes, and its own id stays.
    const before = JSON.parse(readFileSync(subtask, "utf8"));
    const after = converted(subtask, "--title", "New", "--directory", "/new").session;
    Object.assign(before.info, { title: "New", directory: "/new" });
    assert.deepEqual(after, before);
  });

  test("the options of a session are for OpenCode only, and are not empty", () => {
    for (const options of [["--new-ids"], ["--title", "T"], ["--directory", "/d"]]) {
      const { status, stdout, stderr } = run(["convert", subtask, "--to", "messages", ...options]);
      assert.deepEqual([status, stdout], [2, ""]);
      assert.match(stderr, new RegExp(`^${options[0]} is for --to opencode or opencode2: `));
    }
    for (const option of ["--title", "--directory"]) {
      const { status, stdout, stderr } = run(["convert", subtask, ...to, option, ""]);
      assert.deepEqual([status, stdout], [2, ""]);
      assert.match(stderr, new RegExp(`^${option} is empty: `));
      const other = run(["inspect", subtask, option, "x"]);
      assert.equal(other.status, 2);
      assert.match(other.stderr, new RegExp(`^inspect has no ${option}\n`));
      const described = new RegExp(`^ {2}${option} [A-Z]+ +convert --to opencode\\[2\\]: `, "m");
      assert.match(run(["--help"]).stdout, described);
    }
  });

  test("a file that cannot be written stays as it was", () => {
    const path = file("kept.json", [message("a", "s")]);
    const refused = run(["convert", path, ...to, "-o", path]);
    assert.equal(refused.status, 2);
    const folderAsFile = run(["convert", path, ...to, "-o", folder]);
    assert.deepEqual(
      [folderAsFile.status, folderAsFile.stderr],
      [2, `${folder}: it is a folder\n`],
    );
    const none = join(folder, "none.json");
    assert.equal(run(["convert", join(folder, "not-there"), ...to, "-o", none]).status, 2);
    assert.equal(existsSync(none), false);
  });
});

describe("toOpenCode", () => {
  const messages = [message("a", "s")];

  test("takes a title, a folder and a session", () => {
    const answer = {
      info: { ...messages[0].info, id: "b", role: "assistant", parentID: "a", cost: 0 },
      parts: [],
    };
    const made = toOpenCode([...messages, answer], { title: "T", directory: "/d", newIds: false });
    assert.deepEqual([made.info.title, made.info.directory], ["T", "/d"]);
    assert.deepEqual(made.messages[1].info.path, { cwd: "/d", root: "/d" });
    assert.equal(made.messages[1].info.parentID, made.messages[0].info.id);
    const several = Transcript.open(Buffer.from(JSON.stringify([...messages, message("c", "t")])));
    assert.equal(toOpenCode(several).messages.length, 1);
    const [{ parts }] = toOpenCode(several, { session: "t" }).messages;
    assert.equal(parts[0].text, "Say c");
  });

  test("a copy is another each time, and otherwise it is the same", () => {
    assert.deepEqual(toOpenCode(messages), toOpenCode(messages));
    const [a, b] = [1, 2].map(() => toOpenCode(messages, { newIds: true }));
    assert.notEqual(a.info.id, b.info.id);
    assert.notEqual(a.messages[0].info.id, b.messages[0].info.id);
  });

  test("refuses what is not its argument with an error of the package", () => {
    const cyclic = message("a", "s");
    cyclic.info.self = cyclic;
    const transcript = Transcript.open(Buffer.from(JSON.stringify(messages)));
    for (const [given, options] of [
      [undefined],
      ["x"],
      [[7]],
      [[{ info: {} }]],
      [[cyclic]],
      [messages, { title: 7 }],
      [messages, { newIds: "yes" }],
      [messages, { session: "s" }],
      [messages, null],
      [transcript, { session: "no" }],
    ]) {
      assert.throws(() => toOpenCode(given, options), { name: "PartValidationError" });
    }
    transcript.free();
    assert.throws(() => toOpenCode(transcript), { name: "TranscriptError" });
    assert.deepEqual(toOpenCode([]).messages, []);
  });
});
