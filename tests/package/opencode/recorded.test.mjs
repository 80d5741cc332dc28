// What the real OpenCode sent in its recorded sessions is what the package makes of the messages that stood
// before: every request of a step, the last one too.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { before, describe, test } from "node:test";
import { isOthers, recorded, recordedFiles } from "../../recorded.mjs";
import { consumer, requireFrom } from "../helper.mjs";
import { fromRequest, fromView } from "./chat.mjs";
import { placed } from "./placed.mjs";
import { DIFFERENCES } from "./recorded-differences.mjs";

const names = recordedFiles("compaction", /\.setup\.json$/).map((path) =>
  basename(path, ".setup.json"),
);

/** A recording: its setup, its messages afterwards, and every request. */
function recording(name) {
  const text = (ending) => readFileSync(recorded("compaction", name + ending), "utf8");
  return {
    setup: JSON.parse(text(".setup.json")),
    messages: JSON.parse(text(".export.json")).messages,
    requests: text(".requests.jsonl")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  };
}

let parts;
let compaction;
before(async () => {
  parts = requireFrom(await consumer("opencode-recorded"))("apex-parts");
  parts.setLogger(undefined);
  compaction = parts.SessionCompaction;
});

describe("recorded sessions", () => {
  for (const name of names) {
    test(name, () => {
      const { setup, messages, requests } = recording(name);
      const steps = placed(messages, requests);
      // The first request of each prompt is answered to a message that was not there before it.
      setup.steps.forEach(({ prompt }, index) => {
        const first = requests[setup.stepFirstRequest[index]];
        const step = steps.find(({ request }) => request === first);
        if (!prompt || !step) return;
        const asked = step.before.findLast(({ info }) => info.role === "user");
        assert.equal(asked.info.id, step.answer.parentID);
        assert.ok(asked.parts.some(({ text }) => text === prompt));
      });
      for (const { request, before: messagesBefore } of steps) {
        const view = compaction.filterCompacted(messagesBefore);
        const ours = fromView(parts.toModelMessage(view));
        const theirs = fromRequest(request.messages);
        const differs = DIFFERENCES[name];
        if (differs) {
          assert.notDeepEqual(ours, theirs, "it no longer differs: take it off the list");
          assert.deepEqual(ours, differs(structuredClone(theirs)));
        } else {
          assert.deepEqual(ours, theirs);
        }
      }
    });
  }

  // Our own recordings are fewer.
  if (isOthers) {
    test("the list of differences names recordings only", () => {
      assert.deepEqual(
        Object.keys(DIFFERENCES).filter((name) => !names.includes(name)),
        [],
      );
    });
  }
});
