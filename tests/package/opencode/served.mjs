// One OpenCode for all tests of a file, with its server: each start of the program costs two seconds of a processor.
// Sessions with different ids do not disturb each other. The answers of the model are one list: tests that prompt must
// not run side by side.
import assert from "node:assert/strict";
import { after } from "node:test";
import { openCode } from "../../../scripts/record/place.mjs";
import { fromRequest } from "./chat.mjs";

const ends = [];
after(async () => {
  for (const end of ends.reverse()) await end();
});

/**
 * Starts it. What it has is gone after the file's last test.
 *
 * @param {Parameters<typeof openCode>[1]} [options]
 */
export async function served(options) {
  const t = { after: (end) => ends.push(end) };
  const place = await openCode(t, options);
  const server = await place.serve();
  return {
    ...place,
    server,
    /** What `opencode export` writes, in no program of its own: live.test.mjs and recorded-round-trip.test.mjs compare the two. */
    read: server.read,
    /**
     * One prompt, to the end of its turn, for which the model is asked once, and for no summary: what it was told.
     * With `run`, `opencode run` prompts, not the server.
     */
    async told(sessionID, prompt, answer, { run = false } = {}) {
      const { requests } = place.model;
      const before = requests.length;
      place.model.add({ text: answer });
      await (run ? place : server).prompt(sessionID, prompt);
      const made = requests.slice(before);
      const kinds = made.map(({ kind }) => kind);
      assert.deepEqual(kinds, ["step"], "one request, and no compaction of OpenCode's own");
      assert.deepEqual(place.model.left, []);
      return fromRequest(made[0].messages);
    },
  };
}
