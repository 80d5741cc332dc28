// What `apex-parts convert --to opencode` writes is imported by the real OpenCode as it is: exported again it is equal,
// and imported again nothing changes.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { before, describe, test } from "node:test";
import { Transcript } from "../../../pkg/node.mjs";
import { findOpenCode, openCode } from "../../../scripts/record/place.mjs";
import { recorded, recordedFiles } from "../../recorded.mjs";
import { at, converted, folder, newFile, run, streams } from "./converted.mjs";
import { served } from "./served.mjs";

const { reason } = await findOpenCode();
const skip = reason ?? false;

let place;
before(async () => {
  if (!reason) place = await served();
});

/** The session without what `import` sets by where it runs. */
function known({ info, messages }) {
  const { projectID, directory, path, ...own } = info;
  return { info: own, messages };
}

/** Imports a file whose session is there already: nothing changes but the time of the last change. */
async function changesNothing({ path, session }) {
  const before = await place.read(session.info.id);
  await place.import(path);
  const after = await place.read(session.info.id);
  after.info.time.updated = before.info.time.updated;
  assert.deepEqual(after, before);
}

/** Imports a file and exports its session: equal to what was imported. */
async function comesThrough({ path, session }, { import: put, read } = place) {
  await put(path);
  const exported = await read(session.info.id);
  assert.deepEqual(known(exported), known(session));
  return exported;
}

const exports = [
  at("tests/fixtures/aborted.export.json"),
  at("tests/fixtures/subtask.export.json"),
  ...recordedFiles("opencode", /^(?!aborted|subtask).*\.export\.json$/),
];

describe("exports", { skip }, () => {
  test("are equal to the file after import, and nothing changes the second time", async () => {
    for (const file of exports) {
      const given = JSON.parse(readFileSync(file, "utf8"));
      const made = converted(file);
      assert.deepEqual(made.session, given, basename(file));
      assert.equal(made.stderr, "");
      await comesThrough(made);
    }
    for (const file of exports.slice(0, 2)) {
      await changesNothing(converted(file));
    }
    assert.deepEqual(place.outside, []);
  });

  test("--new-ids gives a whole copy beside the original", async () => {
    const file = recorded("opencode", "long-compaction.export.json");
    const original = converted(file);
    const copy = converted(file, "--new-ids");
    await place.import(original.path); // that it comes through is told above
    const made = await comesThrough(copy);
    assert.deepEqual(await place.export(made.info.id), made, "opencode export writes the same");
    await changesNothing(original);
    // Equal but for the ids: every id of the original has one of its own in the copy.
    const ids = (text) => [...text.matchAll(/"((?:ses|msg|prt)_\w+)"/g)].map(([, id]) => id);
    const texts = [original, copy].map(({ session }) => JSON.stringify(session.messages));
    const [before, now] = texts;
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
    const without = (text) => text.replace(/"(ses|msg|prt)_\w+"/g, '"$1"');
    assert.equal(without(now), without(before));
    const { id, ...info } = known(made).info;
    const { id: originalID, ...originalInfo } = known(original.session).info;
    assert.notEqual(id, originalID);
    assert.deepEqual(info, originalInfo);
  });
});

/** One file a format, of our own. */
const formats = ["claude-code", "deltas", "messages", "opencode-run", "with-parts"].map((name) =>
  at(`tests/fixtures/formats/${name}.txt`),
);

/** The first file of each format, by the last word of its name before the ending. */
function oneOfEach(paths) {
  const format = (path) => basename(path).split(".").at(-2);
  return paths.filter(
    (path, i) => paths.findIndex((other) => format(other) === format(path)) === i,
  );
}

describe("other formats", { skip }, () => {
  test("recorded events give what OpenCode itself exported, which is imported above", () => {
    for (const file of recordedFiles("opencode", /\.events\.sse$/)) {
      const exported = JSON.parse(readFileSync(file.replace("events.sse", "export.json"), "utf8"));
      assert.deepEqual(converted(file).session, exported, basename(file));
    }
  });

  test("every format is imported and comes back equal, also the second time", async () => {
    // They may be of one session.
    for (const file of formats.slice(1)) await comesThrough(converted(file, "--new-ids"));
    await comesThrough(converted(formats[0]));
    await changesNothing(converted(formats[0]));
  });

  test("a stream of each provider is imported and comes back equal", async () => {
    const all = [...recordedFiles("providers", /\.sse$/), ...streams];
    for (const file of oneOfEach(all)) await comesThrough(converted(file));
    await changesNothing(converted(oneOfEach(all)[0]));
  });

  test("a session of a task is a session with a parent", async (t) => {
    const file = recorded("opencode", "subtask.events.sse");
    const { sessions } = Transcript.open(readFileSync(file));
    const child = sessions.find(({ parentID }) => parentID);
    const made = converted(file, "--session", child.id);
    assert.equal(made.session.info.id, child.id);
    assert.equal(made.session.info.parentID, sessions[0].id);
    // A home of its own, because the session is among those above in some recordings; and `opencode export` itself.
    const own = await openCode(t);
    const program = { import: own.import, read: own.export };
    await comesThrough(converted(file), program);
    await comesThrough(made, program);
  });

  test("what OpenCode has no place for is told, and a custom part comes back as it was", async () => {
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
    assert.match(made.stderr, /no field for it: text\.foo, user\.mood\n$/);
    const exported = await comesThrough(made);
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
