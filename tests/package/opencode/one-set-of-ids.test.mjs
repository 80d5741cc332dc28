// A session gets the same ids whether it is given as a transcript or as the messages of one.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { Transcript, toOpenCode } from "../../../pkg/node.mjs";

const folder = new URL("../../fixtures/formats/", import.meta.url);
const files = readdirSync(folder);

describe("a transcript and its messages", () => {
  for (const name of files) {
    test(name, () => {
      const transcript = Transcript.open(readFileSync(new URL(name, folder)));
      const whole = toOpenCode(transcript);
      assert.deepEqual(toOpenCode(transcript.messages()), whole);
      const [session] = transcript.sessions;
      if (session !== undefined) {
        const of = toOpenCode(transcript, { session: session.id });
        assert.deepEqual(toOpenCode(transcript.messagesOf(session.id)), of);
      }
      // Others than it gave are messages like any.
      const some = transcript.messages().slice(1);
      assert.equal(toOpenCode(some).messages.length > 0, some.length > 0);
      const list = transcript.messages();
      transcript.free();
      assert.ok(Array.isArray(toOpenCode(list).messages));
    });
  }
  test("there are files", () => assert.ok(files.length > 5));
});
