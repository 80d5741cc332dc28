// With "chars" a tail is measured by the AI SDK's model messages as JSON: the SDK itself says how long they are.
import assert from "node:assert/strict";
import { test } from "node:test";
import { convertToModelMessages } from "ai";
import { SessionCompaction, toModelMessage } from "apex-parts";
import { madeHistory } from "./lib/histories.mjs";

const model = { limit: { context: 1_000_000 } };

test("a turn stays exactly if its model messages fit", async () => {
  let checked = 0;
  for (let seed = 100; seed < 160; seed++) {
    const messages = madeHistory(seed, { size: 12, compactions: false });
    const last = messages.findLastIndex(({ info }) => info.role === "user");
    if (last === 0) continue;
    const turn = messages.slice(last);
    const json = JSON.stringify(await convertToModelMessages(toModelMessage(turn)));
    const size = Math.round(json.length / 4);
    const first = (preserve_recent_tokens) =>
      SessionCompaction.plan(messages, { model, config: { tail_turns: 1, preserve_recent_tokens } })
        .tailStartID;
    assert.equal(first(size), messages[last].info.id, `seed ${seed}: ${size} tokens fit`);
    assert.notEqual(
      first(size - 1),
      messages[last].info.id,
      `seed ${seed}: ${size} do not fit in less`,
    );
    checked++;
  }
  assert.ok(checked > 40);
});
