// What `apex-parts convert --to opencode` writes is imported by the real OpenCode as it is: exported again it is equal,
// imported again nothing changes, and a new prompt goes on with all of it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { SessionCompaction, Transcript, toModelMessage, toOpenCode } from "../../../pkg/node.mjs";
import { fromRequest, fromView } from "./chat.mjs";
import { findOpenCode, openCode } from "./harness.mjs";
import { History } from "./sessions.mjs";

const { reason } = await findOpenCode();
const skip = reason ?? false;
const at = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const cli = at("pkg/cli.mjs");
const folder = mkdtempSync(join(tmpdir(), "apex-parts-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The files of a folder of ../shared/recorded with these names; none if it is not there. */
function recorded(kind, wanted) {
  const path = at(join("..", "shared", "recorded", kind));
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => wanted.test(name))
    .map((name) => join(path, name));
}

function run(...args) {
  const made = spawnSync(process.execPath, [cli, ...args], { encoding: "utf8" });
  return { status: made.status, stdout: made.stdout, stderr: made.stderr };
}

let files = 0;
const newFile = () => join(folder, `${++files}.json`);

/** Converts a file as a user does: the path of what was made, and its content. */
function converted(file, ...options) {
  const path = newFile();
  const { status, stderr } = run("convert", file, "--to", "opencode", "-o", path, ...options);
  assert.equal(status, 0, stderr);
  const checked = run("validate", path, "--for", "opencode");
  assert.equal(checked.status, 0, `${basename(file)}: ${checked.stdout}`);
  assert.match(checked.stdout, /^0 errors, 0 warnings in /, basename(file));
  return { path, session: JSON.parse(readFileSync(path, "utf8")), stderr };
}

/** The session without what `import` sets by where it runs. */
function known({ info, messages }) {
  const { projectID, directory, path, ...own } = info;
  return { info: own, messages };
}

/** Imports a file whose session is there already: nothing changes but the time of the last change. */
async function changesNothing(place, { path, session }) {
  const before = await place.export(session.info.id);
  await place.import(path);
  const after = await place.export(session.info.id);
  after.info.time.updated = before.info.time.updated;
  assert.deepEqual(after, before);
}

/** Imports a file and exports its session: equal to what was imported. */
async function comesThrough(place, { path, session }) {
  await place.import(path);
  const exported = await place.export(session.info.id);
  assert.deepEqual(known(exported), known(session));
  return exported;
}

const exports = [
  at("tests/fixtures/aborted.export.json"),
  at("tests/fixtures/subtask.export.json"),
  ...recorded("opencode", /^(?!aborted|subtask).*\.export\.json$/),
];

describe("exports", { skip }, () => {
  test("are equal to the file after import, and nothing changes the second time", async (t) => {
    const place = await openCode(t);
    for (const file of exports) {
      const given = JSON.parse(readFileSync(file, "utf8"));
      const made = converted(file);
      assert.deepEqual(made.session, given, basename(file));
      assert.equal(made.stderr, "");
      await comesThrough(place, made);
    }
    for (const file of exports.slice(0, 2)) {
      await changesNothing(place, converted(file));
    }
    assert.deepEqual(place.outside, []);
  });

  test("--new-ids gives a whole copy beside the original", async (t) => {
    const place = await openCode(t);
    const [file] = [...recorded("opencode", /^long-compaction\.export/), exports[1]];
    const original = converted(file);
    const copy = converted(file, "--new-ids");
    const again = converted(file, "--new-ids");
    await comesThrough(place, original);
    const made = await comesThrough(place, copy);
    await comesThrough(place, again);
    await comesThrough(place, original);
    // Equal but for the ids: every id of the original has one of its own in the copy.
    const ids = (text) => [...text.matchAll(/"((?:ses|msg|prt)_\w+)"/g)].map(([, id]) => id);
    const [before, now] = [original.session, made].map(({ messages }) => JSON.stringify(messages));
    const others = new Map();
    const own = new Set(
      original.session.messages.flatMap(({ info, parts }) => [
        info.id,
        ...parts.map(({ id }) => id),
      ]),
    );
    for (const [i, id] of ids(before).entries()) {
      const other = ids(now)[i];
      assert.equal(others.get(id) ?? other, other, id);
      others.set(id, other);
      if (own.has(id)) assert.notEqual(other, id);
    }
    assert.ok(own.size > 5);
    for (const id of own) assert.ok(!JSON.stringify(made.messages).includes(`"id":"${id}"`), id);
    const without = (text) => text.replace(/"(ses|msg|prt)_\w+"/g, '"$1"');
    assert.equal(without(now), without(before));
    const { id, ...info } = known(made).info;
    const { id: originalID, ...originalInfo } = known(original.session).info;
    assert.notEqual(id, originalID);
    assert.deepEqual(info, originalInfo);
  });
});

/** One file a format, of our own, so that they are there in a plain clone. */
const formats = readdirSync(at("tests/fixtures/formats")).map((name) =>
  at(join("tests", "fixtures", "formats", name)),
);
const streams = readdirSync(at("tests/fixtures/streams"))
  .filter((name) => /\.(sse|ndjson|jsonl)$/.test(name))
  .map((name) => at(join("tests", "fixtures", "streams", name)));

/** The first file of each format, by the last word of its name before the ending. */
function oneOfEach(paths) {
  const format = (path) => basename(path).split(".").at(-2);
  return paths.filter(
    (path, i) => paths.findIndex((other) => format(other) === format(path)) === i,
  );
}

describe("other formats", { skip, concurrency: 2 }, () => {
  test("recorded events give what OpenCode itself exported", async (t) => {
    const place = await openCode(t);
    for (const file of recorded("opencode", /\.events\.sse$/)) {
      const made = converted(file);
      const exported = JSON.parse(readFileSync(file.replace("events.sse", "export.json"), "utf8"));
      assert.deepEqual(made.session, exported, basename(file));
      await comesThrough(place, made);
    }
  });

  test("every format is imported and comes back equal, also the second time", async (t) => {
    const place = await openCode(t);
    // An export and events of the same session would be one session.
    for (const file of formats) {
      const made = converted(file, "--new-ids");
      await comesThrough(place, made);
    }
    const claude = converted(at("tests/fixtures/formats/claude-code.txt"));
    await comesThrough(place, claude);
    await changesNothing(place, converted(at("tests/fixtures/formats/claude-code.txt")));
  });

  test("a stream of each provider is imported and comes back equal", async (t) => {
    const place = await openCode(t);
    const all = [...recorded("providers", /\.sse$/), ...streams];
    for (const file of oneOfEach(all)) await comesThrough(place, converted(file));
    await changesNothing(place, converted(oneOfEach(all)[0]));
  });

  test("a session of a task is a session with a parent", async (t) => {
    const file = recorded("opencode", /^subtask\.events\.sse$/)[0];
    if (!file) return t.skip("../shared is not there");
    const place = await openCode(t);
    const { sessions } = Transcript.open(readFileSync(file));
    const child = sessions.find(({ parentID }) => parentID);
    const made = converted(file, "--session", child.id);
    assert.equal(made.session.info.id, child.id);
    assert.equal(made.session.info.parentID, sessions[0].id);
    await comesThrough(place, converted(file));
    await comesThrough(place, made);
  });

  test("what OpenCode has no place for is told, and a custom part comes back as it was", async (t) => {
    const place = await openCode(t);
    const place2 = { sessionID: "0198c3f0-8d5e-7cc1-b5d1-0a2b3c4d5e6f", messageID: "m1" };
    const messages = [
      {
        info: {
          ...{ id: "m1", sessionID: place2.sessionID, role: "user", time: { created: 1000.4 } },
          ...{ agent: "plan", model: { providerID: "a", modelID: "b" }, mood: "good" },
        },
        parts: [
          { id: "p2", ...place2, type: "text", text: "Look\u0000 \ud800", metadata: null, foo: 1 },
          { id: "p1", ...place2, type: "x-chart", bars: [1, 2.5, { deep: "é" }] },
        ],
      },
    ];
    const file = join(folder, "custom.json");
    writeFileSync(file, JSON.stringify(messages));
    const made = converted(file);
    assert.match(made.stderr, /no place for it: text\.foo, user\.mood\n$/);
    const exported = await comesThrough(place, made);
    const [text, chart] = exported.messages[0].parts;
    assert.equal(text.text, "Look\u0000 \ud800");
    assert.equal(chart.type, "text");
    assert.ok(chart.synthetic && chart.ignored);
    const back = newFile();
    writeFileSync(back, JSON.stringify(exported));
    const { stdout } = run("convert", back, "--to", "with-parts");
    const [message] = JSON.parse(stdout);
    const { id, sessionID, messageID } = chart;
    assert.deepEqual(message.parts[1], {
      id,
      sessionID,
      messageID,
      type: "x-chart",
      bars: messages[0].parts[1].bars,
    });

    // Converted again, the file stays as it is.
    assert.deepEqual(converted(back).session, exported);
  });
});

/** A prompt after the history: what the model was told, which is all of it. */
async function goesOn(t, { path, session }) {
  const prompt = "And what now?";
  const place = await openCode(t, {
    answers: [{ text: "Going on." }],
    limit: { context: 2_000_000, output: 8_000 },
  });
  await place.import(path);
  await place.prompt(session.info.id, prompt);
  const steps = place.model.steps();
  assert.equal(steps.length, 1);
  const said = fromRequest(steps[0].messages);
  const view = SessionCompaction.filterCompacted([...session.messages, new History().user(prompt)]);
  assert.deepEqual(said, fromView(toModelMessage(view)));
  const calls = said.flatMap((item) => item.calls ?? []).map(({ id }) => id);
  const results = said.filter(({ role }) => role === "tool").map(({ id }) => id);
  assert.deepEqual(results.sort(), calls.sort());
  const { messages } = await place.export(session.info.id);
  assert.deepEqual(messages.slice(0, session.messages.length), session.messages);
  assert.equal(messages.length, session.messages.length + 2);
  assert.deepEqual(place.outside, []);
  return { said, calls };
}

describe("the real server goes on", { skip, concurrency: 2 }, () => {
  const texts = (said) => said.flatMap(({ text, texts }) => texts ?? [text]).filter(Boolean);

  test("with a session of Claude Code", async (t) => {
    const made = converted(at("tests/fixtures/formats/claude-code.txt"));
    const { said, calls } = await goesOn(t, made);
    const all = made.session.messages.flatMap(({ parts }) => parts);
    assert.equal(calls.length, all.filter(({ type }) => type === "tool").length);
    for (const { text, ignored } of all.filter(({ type }) => type === "text")) {
      if (!ignored) assert.ok(texts(said).includes(text), text);
    }
  });

  test("with a stream whose call has no result", async (t) => {
    const name = /anthropic-json-tool.*\.sse$/;
    const file = recorded("providers", name)[0] ?? streams.find((path) => /tool/.test(path));
    const { calls } = await goesOn(t, converted(file));
    assert.ok(calls.length > 0);
  });

  for (const [kind, name] of [
    ["opencode", /^fix-greeting\.events\.sse$/],
    ["opencode", /^aborted\.events\.sse$/],
    ["providers", /^openai-code-interpreter-tool.*\.sse$/],
  ]) {
    test(`with ${name.source}`, async (t) => {
      const [file] = recorded(kind, name);
      if (!file) return t.skip("../shared is not there");
      await goesOn(t, converted(file));
    });
  }

  test("with messages of our own, converted by the library", async (t) => {
    const history = new History();
    history.user("Print a");
    history.step({ calls: [{ input: { command: "echo a" }, output: "a" }] });
    history.step({ text: "Printed." });
    const plain = JSON.parse(JSON.stringify(history.messages).replaceAll(/(?:msg|prt|ses)_/g, ""));
    for (const { info } of plain) delete info.mode;
    const session = toOpenCode(plain, { title: "Ours", directory: "/tmp" });
    assert.equal(session.info.title, "Ours");
    assert.equal(session.messages[1].info.mode, "build");
    const path = newFile();
    writeFileSync(path, JSON.stringify(session));
    await goesOn(t, { path, session });
  });
});
