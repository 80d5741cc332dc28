// A session that `apex-parts convert --to opencode` has made goes on in the real OpenCode: after a new prompt its
// server sends every text and every call of the history, and no call without a result.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { SessionCompaction, toModelMessage, toOpenCode } from "../../../pkg/node.mjs";
import { findOpenCode } from "../../../scripts/record/place.mjs";
import { isOthers, recorded } from "../../recorded.mjs";
import { fromView } from "./chat.mjs";
import { at, converted, newFile } from "./converted.mjs";
import { served } from "./served.mjs";
import { History } from "./sessions.mjs";

const { reason } = await findOpenCode();
const skip = reason ?? false;

let place;
before(async () => {
  if (!reason) place = await served({ limit: { context: 2_000_000, output: 8_000 } });
});

/** A stream of Anthropic with these blocks, as a file. */
function streamOf(blocks) {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const model = { id: "msg_1", type: "message", role: "assistant", model: "claude-x" };
  const events = [
    { type: "message_start", message: { ...model, content: [], stop_reason: null, usage } },
    ...blocks.flatMap((block, index) => [
      { type: "content_block_start", index, content_block: block },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
  const path = newFile().replace(/json$/, "anthropic.sse");
  const lines = events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`);
  writeFileSync(path, lines.join(""));
  return path;
}

const CALL = { type: "tool_use", id: "toolu_1", name: "read", input: { path: "/a" } };
const SEARCH = { type: "server_tool_use", id: "srv_1", name: "web_search", input: { query: "q" } };
const FOUND = {
  ...{ type: "web_search_result", url: "https://example.com/", title: "Harbours" },
  ...{ encrypted_content: "c2ln", page_age: null },
};
const ANSWER = { type: "web_search_tool_result", tool_use_id: "srv_1", content: [FOUND] };

/** Of other people's recordings: a stream whose call has no result, one whose provider ran the call. */
const OTHERS = isOthers
  ? ["anthropic-json-tool.1.anthropic", "openai-code-interpreter-tool.1.openai-responses"]
  : [];

/** A prompt after the history: what the model was told, which is all of it. */
async function goesOn({ path, session }) {
  const prompt = "And what now?";
  await place.import(path);
  const said = await place.told(session.info.id, prompt, "Going on.");
  const view = SessionCompaction.filterCompacted([...session.messages, new History().user(prompt)]);
  assert.deepEqual(said, fromView(toModelMessage(view)));
  const calls = said.flatMap((item) => item.calls ?? []).map(({ id }) => id);
  const results = said.filter(({ role }) => role === "tool").map(({ id }) => id);
  assert.deepEqual(results.sort(), calls.sort());
  const { messages } = await place.read(session.info.id);
  assert.deepEqual(messages.slice(0, session.messages.length), session.messages);
  assert.equal(messages.length, session.messages.length + 2);
  assert.deepEqual(place.outside, []);
  return { said, calls };
}

describe("the real server goes on", { skip }, () => {
  const texts = (said) => said.flatMap(({ text, texts }) => texts ?? [text]).filter(Boolean);

  test("with a session of Claude Code", async () => {
    const made = converted(at("tests/fixtures/formats/claude-code.txt"));
    const { said, calls } = await goesOn(made);
    const all = made.session.messages.flatMap(({ parts }) => parts);
    assert.equal(calls.length, all.filter(({ type }) => type === "tool").length);
    for (const { text, ignored } of all.filter(({ type }) => type === "text")) {
      if (!ignored) assert.ok(texts(said).includes(text), text);
    }
  });

  for (const [what, file] of [
    ["a stream whose call has no result", streamOf([CALL])],
    ["a stream whose provider ran the call itself", streamOf([SEARCH, ANSWER])],
    ...OTHERS.map((name) => [name, recorded("providers", `${name}.sse`)]),
  ]) {
    test(`with ${what}`, async () => {
      const { calls } = await goesOn(converted(file));
      assert.ok(calls.length > 0);
    });
  }

  for (const name of ["fix-greeting", "aborted"]) {
    test(`with the recorded events of ${name}`, () =>
      goesOn(converted(recorded("opencode", `${name}.events.sse`))));
  }

  test("with messages of our own, converted by the library", async () => {
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
    await goesOn({ path, session });
  });
});
