// Recordings in the packed package: they are there, files of agents open as what they are, loops are found, and
// the AI SDK accepts the sessions.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { before, describe, test } from "node:test";
import { isOthers, recorded, recordedFiles } from "../recorded.mjs";
import { accepted } from "./accepted.mjs";
import { consumer, requireFrom } from "./helper.mjs";

let parts;
before(async () => {
  parts = requireFrom(await consumer("recorded"))("apex-parts");
  parts.setLogger(undefined);
});

const SESSIONS = recordedFiles("opencode", /\.export\.json$/);
/** Files that hold one session; archives are opened by the command and the viewer. */
const AGENTS = recordedFiles("agents", /\.(?:jsonl?|traj)$/);

test("the recordings are of every kind, and of other people's enough", () => {
  const counts = {
    opencode: SESSIONS.length,
    compaction: recordedFiles("compaction", /\.setup\.json$/).length,
    providers: recordedFiles("providers", /\.sse$/).length,
    agents: recordedFiles("agents", /\.(?:jsonl?|traj|eval)$/).length,
    tools: JSON.parse(readFileSync(recorded("tools", "cases.json"), "utf8")).length,
  };
  const least = isOthers
    ? { opencode: 7, compaction: 20, providers: 25, agents: 20, tools: 200 }
    : { opencode: 7, compaction: 12, providers: 20, agents: 20, tools: 150 };
  for (const [kind, count] of Object.entries(counts)) {
    assert.ok(count >= least[kind], `${count} of ${kind}, ${least[kind]} are to be there`);
  }
});

describe("a session of another agent", () => {
  /** Of other people's recordings: those that are no transcript. */
  const NONE = ["qwen.small.jsonl"];

  for (const path of AGENTS.filter((path) => !NONE.includes(basename(path)))) {
    test(`${basename(path)} is detected, and opens`, (t) => {
      const transcript = parts.Transcript.open(readFileSync(path));
      t.after(() => transcript.free());
      assert.equal(transcript.format, basename(path).split(".")[0]);
      const messages = transcript.messages();
      assert.equal(messages.length, transcript.messageCount);
      for (const { info, parts: list } of messages) assert.ok(info.id && Array.isArray(list));
    });
  }
});

describe("loops", () => {
  for (const [name, loops] of [
    ["doom-loop", 1],
    ["many-steps", 0],
    ["fix-greeting", 0],
    ["long-compaction", 0],
    ["subtask", 0],
  ]) {
    test(`${loops === 0 ? "none is" : "one is"} found in ${name}`, () => {
      const bytes = readFileSync(recorded("opencode", `${name}.export.json`));
      const { messages } = JSON.parse(bytes.toString());
      const found = parts.findLoops(messages);
      const transcript = parts.Transcript.open(bytes);
      assert.deepEqual(transcript.loops(), found);
      transcript.free();
      assert.equal(found.length, loops, JSON.stringify(found));
      if (loops === 0) return;
      const calls = messages.flatMap(({ parts: list }) =>
        list.filter(({ type }) => type === "tool"),
      );
      // The command ends with exit code 1 each time, and the loop goes on to its last call.
      assert.equal(found[0].kind, "exact_error");
      assert.equal(found[0].suggestedAction, "interrupt");
      assert.equal(found[0].stepCount, calls.length);
      assert.deepEqual(
        found[0].partIDs,
        calls.map(({ id }) => id),
      );
      // Each call has its own message, so looking at single messages never finds it.
      assert.equal(new Set(calls.slice(0, 3).map(({ messageID }) => messageID)).size, 3);
    });
  }
});

describe("the AI SDK accepts", () => {
  for (const path of SESSIONS) {
    test(basename(path), async () => {
      const transcript = parts.Transcript.open(readFileSync(path));
      const { messages } = await accepted(parts, transcript.messages());
      transcript.free();
      assert.ok(messages.length > 0);
    });
  }
});
