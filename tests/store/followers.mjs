// Followers of a run for tests: they go on where they were, whatever happens to the store, and keep what they had.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { done, start, stored, text, textOf } from "./deltas.mjs";

/** The batches of a run until it ends, each once, over a log that may be away. */
export async function followed(log, runId) {
  const found = [];
  for (;;) {
    try {
      const at = found.at(-1)?.to ?? 0;
      for await (const batch of log.follow(runId, at)) {
        assert.equal(batch.from, found.at(-1)?.to ?? 0, "it goes on where it was");
        found.push(batch);
      }
      return found;
    } catch (error) {
      if (error.code !== "unavailable") throw error;
      await sleep(10);
    }
  }
}

export const textOfBatches = (batches) => batches.map(({ bytes }) => textOf(bytes)).join("");

/** That a follower has had byte for byte what the log has; the log has kept all. */
export async function hadAll(batches, log, runId) {
  assert.equal(textOfBatches(batches), textOfBatches(await stored(log, runId)));
}

/** A log that keeps what a snapshot would replace, to be compared. */
export const keepsAll = (log) => ({ ...log, snapshot: async () => {} });

/** Writes text until `isEnough()`, and `least` deltas, then ends the run; what was written. */
export async function written(writer, isEnough, least = 0) {
  let expected = "";
  let seq = 2;
  await writer.push(start());
  for (; !isEnough() || seq < least; seq++) {
    expected += `${seq}ä😀 `;
    await writer.push(text(seq, `${seq}ä😀 `));
    if (seq % 4 === 0) await sleep(1);
  }
  await writer.push(done(seq));
  await writer.end();
  return expected;
}
