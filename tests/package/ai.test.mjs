// The AI SDK (npm `ai`, version 6) accepts the result of toModelMessage: its conversion, its schema, and the
// checks before a model is called.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { accepted } from "./accepted.mjs";
import { consumer, fixture, requireFrom } from "./helper.mjs";

let parts;
before(async () => {
  parts = requireFrom(await consumer("ai"))("apex-parts");
});

const ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const base = { id: ID, sessionID: ID, messageID: ID };
const time = { start: 1, end: 2 };
const user = (...list) => ({
  info: {
    id: ID,
    sessionID: ID,
    role: "user",
    time: { created: 1 },
    agent: "build",
    model: { providerID: "p", modelID: "m" },
  },
  parts: list.map((part) => ({ ...base, ...part })),
});
const assistant = (...list) => ({
  info: {
    id: ID,
    sessionID: ID,
    role: "assistant",
    time: { created: 1, completed: 2 },
    parentID: ID,
    modelID: "m",
    providerID: "p",
    agent: "build",
    path: { cwd: "/", root: "/" },
    cost: 0,
    tokens: { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } },
  },
  parts: list.map((part) => ({ ...base, ...part })),
});
const tool = (state, callID = "call_1") => ({ type: "tool", callID, tool: "read", state });
const PNG = "data:image/png;base64,iVBORw0KGgo=";
const text = (words) => ({ type: "text", text: words });

describe("the AI SDK accepts a conversation", () => {
  test("with a user's text and an assistant's answer with reasoning", async () => {
    const { messages } = await accepted(parts, [
      user(text("hello"), { ...text("not for the model"), ignored: true }),
      assistant(
        { type: "step-start" },
        { type: "reasoning", text: "hm", time, metadata: { anthropic: { signature: "s" } } },
        { ...text("hi"), metadata: { openai: { itemId: "msg_1" } } },
      ),
      user(text("and?")),
    ]);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "assistant", "user"],
    );
    assert.deepEqual(messages[0].content, [{ type: "text", text: "hello" }]);
    const [reasoning, answer] = messages[1].content;
    assert.equal(reasoning.text, "hm");
    assert.deepEqual(reasoning.providerOptions, { anthropic: { signature: "s" } });
    assert.deepEqual(answer.providerOptions, { openai: { itemId: "msg_1" } });
  });

  test("with completed and failed tool calls", async () => {
    const completed = {
      status: "completed",
      input: { path: "a" },
      output: "text of a",
      title: "",
      metadata: {},
      time,
    };
    const failed = { status: "error", input: { path: "b" }, error: "no such file", time };
    const { messages } = await accepted(parts, [
      user(text("read both")),
      assistant(tool(completed, "call_1"), tool(failed, "call_2"), text("done")),
      user(text("thanks")),
    ]);
    const results = messages.find(({ role }) => role === "tool").content;
    assert.deepEqual(results[0].output, { type: "text", value: "text of a" });
    assert.deepEqual(results[1].output, { type: "error-text", value: "no such file" });
    assert.equal(results[0].toolName, "read");
  });

  test("with calls that were interrupted while pending or running", async () => {
    const { messages } = await accepted(parts, [
      user(text("read")),
      assistant(
        tool({ status: "pending", input: {}, raw: '{"pa' }, "call_1"),
        tool({ status: "running", input: { path: "a" }, time: { start: 1 } }, "call_2"),
      ),
      user(text("stop")),
    ]);
    const results = messages.find(({ role }) => role === "tool").content;
    const interrupted = { type: "error-text", value: "[Tool execution was interrupted]" };
    assert.deepEqual(
      results.map(({ output }) => output),
      [interrupted, interrupted],
    );
  });

  test("with files and a tool that returned an image", async () => {
    const attachment = { ...base, type: "file", mime: "image/png", url: PNG, filename: "a.png" };
    const { messages } = await accepted(parts, [
      user(
        text("look"),
        { type: "file", mime: "image/png", url: PNG, filename: "b.png" },
        { type: "file", mime: "text/plain", url: "file:///a.txt" },
        { type: "file", mime: "application/x-directory", url: "file:///a" },
      ),
      assistant(
        tool({
          status: "completed",
          input: {},
          output: "an image",
          title: "",
          metadata: {},
          time,
          attachments: [attachment],
        }),
      ),
      user(text("and?")),
    ]);
    assert.deepEqual(
      messages[0].content.map(({ type }) => type),
      ["text", "file"],
    );
    const given = messages.find(
      ({ role, content }) => role === "user" && content[0].text?.startsWith("Tool"),
    );
    assert.equal(given.content[0].text, "Tool read returned an attachment:");
    assert.equal(given.content[1].mediaType, "image/png");
  });

  test("after a compaction, with old results cleared and their attachments gone", async () => {
    const attachments = [{ ...base, type: "file", mime: "image/png", url: PNG }];
    const { ui, messages } = await accepted(parts, [
      user({ type: "compaction", auto: true }),
      assistant(text("We read a file.")),
      assistant(
        tool({
          status: "completed",
          input: {},
          output: "old",
          title: "",
          metadata: {},
          attachments,
          time: { start: 1, end: 2, compacted: 3 },
        }),
      ),
      user({ type: "subtask", prompt: "p", description: "d", agent: "a" }),
    ]);
    assert.deepEqual(messages[0].content, [{ type: "text", text: "What did we do so far?" }]);
    assert.equal(JSON.stringify(ui).includes("image/png"), false);
    const result = messages.find(({ role }) => role === "tool").content[0];
    assert.equal(result.output.value, "[Old tool result content cleared]");
  });

  test("from which messages without content are omitted", async () => {
    const failed = assistant({ type: "step-start" }, { type: "reasoning", text: "hm", time });
    failed.info.error = { message: "overloaded", isRetryable: true };
    const { messages } = await accepted(parts, [
      user(text("hello")),
      failed,
      user(),
      user(text("again")),
    ]);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "user"],
    );
  });

  test("from the fixture transcript, read by a Transcript or by JSON.parse", async () => {
    const bytes = readFileSync(fixture("transcript.json"));
    const opened = parts.Transcript.open(bytes);
    const { messages: parsed } = JSON.parse(bytes.toString());
    const first = await accepted(parts, opened.messages());
    const second = await accepted(parts, parsed);
    opened.free();
    // A message with attachments has a new id each time.
    const known = new Set(parsed.map(({ info }) => info.id));
    const comparable = ({ ui }) => ui.map((m) => (known.has(m.id) ? m : { ...m, id: "new" }));
    assert.deepEqual(comparable(first), comparable(second));
    assert.deepEqual(first.messages, second.messages);
    assert.ok(first.messages.length >= 5);
  });
});
