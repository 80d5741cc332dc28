// A session that the real OpenCode runs and compacts itself: the package makes of its messages what OpenCode
// sent. And what `opencode import` reads, `opencode export` writes.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { findOpenCode, openCode } from "../../../scripts/record/place.mjs";
import { consumer, requireFrom } from "../helper.mjs";
import { fromRequest, fromView } from "./chat.mjs";
import { placed } from "./placed.mjs";
import { exported, History } from "./sessions.mjs";

const { reason } = await findOpenCode();

let parts;
let compaction;
before(async () => {
  if (reason) return;
  parts = requireFrom(await consumer("opencode-live"))("apex-parts");
  parts.setLogger(undefined);
  compaction = parts.SessionCompaction;
});

const LIMIT = { context: 24_000, output: 8_000 };
/** So little that a tail is one step of a turn. */
const CONFIG = { preserve_recent_tokens: 90 };

/** What a request for a summary has summarised. */
function conversationOf(text) {
  const found = /<conversation>([\s\S]*)<\/conversation>/.exec(text);
  assert.ok(found, text);
  return found[1].trim();
}

/** A step that prints something, and what the provider counts for it. */
const step = (id, input) => ({
  text: `Step ${id}.`,
  calls: [{ id, name: "bash", input: { command: `echo ${id}`, description: "Print" } }],
  input,
});

describe("the real OpenCode", { skip: reason ?? false }, () => {
  test("compacts itself; each of its requests is the view of what stood before", async (t) => {
    const place = await openCode(t, {
      limit: LIMIT,
      compaction: CONFIG,
      answers: [
        ...[step("a", 5_000), step("b", 16_000), { text: "## Objective\n- first" }],
        ...[step("c", 5_000), step("d", 16_000), { text: "## Objective\n- second" }],
        ...[{ text: "Done." }, { text: "Nothing more." }],
      ],
    });
    const history = new History();
    history.user("Hello");
    history.step({ text: "Hello to you." });
    const session = exported(history.messages);
    await place.import(session);
    const server = await place.serve();
    await server.prompt(session.info.id, "Print a lot");
    await server.prompt(session.info.id, "What was it?");
    assert.deepEqual(place.model.left, [], "every answer was asked for");
    assert.deepEqual(place.outside, []);

    const messages = await server.messages(session.info.id);
    const requests = place.model.requests.filter(({ kind }) => kind !== "title");
    for (const { request, before: messagesBefore } of placed(messages, requests)) {
      const view = compaction.filterCompacted(messagesBefore);
      assert.deepEqual(fromView(parts.toModelMessage(view)), fromRequest(request.messages));
    }

    // The package cuts where OpenCode did, and has the same summarised.
    const cuts = messages.filter(({ parts: [first] }) => first?.type === "compaction");
    assert.equal(cuts.length, 2);
    const summaries = requests.filter(({ kind }) => kind === "summary");
    for (const [index, cut] of cuts.entries()) {
      const [{ tail_start_id }] = cut.parts;
      assert.ok(tail_start_id);
      const stood = messages.slice(0, messages.indexOf(cut));
      const plan = compaction.plan(stood, { model: { limit: LIMIT }, config: CONFIG });
      assert.equal(plan.tailStartID, tail_start_id);
      const [{ parts: request }] = compaction.summaryRequest(stood, plan);
      const [asked] = fromRequest(summaries[index].messages);
      assert.equal(conversationOf(request[0].text), conversationOf(asked.texts[0]));
    }
  });

  test("exports what it imported, and adds nothing when it imports it again", async (t) => {
    const place = await openCode(t);
    const history = new History();
    history.user("Print a", "and b 🎉");
    history.step({
      reasoning: "Easy.",
      text: "I do.",
      calls: [
        { input: { command: "echo a" }, output: "a\n" },
        { input: { command: "echo b" }, error: "no", status: "error" },
      ],
    });
    history.step({ text: "Printed." });
    const session = exported(history.messages);
    const server = await place.serve();
    for (let times = 0; times < 2; times++) {
      await place.import(session);
      const { info, messages } = await server.read(session.info.id);
      assert.deepEqual(messages, session.messages);
      assert.equal(info.title, session.info.title);
    }
    // Most tests ask the server, without a program for each session: the command writes the same.
    assert.deepEqual(await server.read(session.info.id), await place.export(session.info.id));
    assert.deepEqual(place.model.requests, []);
    assert.deepEqual(place.outside, []);
  });

  test("refuses a session that it cannot read", async (t) => {
    const place = await openCode(t);
    const { info, messages } = exported([new History().user("Hello")]);
    messages[0].info.id = "no prefix";
    await assert.rejects(place.import({ info, messages }), /opencode import .* ended with 1/);
  });
});
