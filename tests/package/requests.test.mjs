// Requests to providers: what two APIs are sent of the messages of a run.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { consumer, requireFrom } from "./helper.mjs";

let parts;
before(async () => {
  parts = requireFrom(await consumer("requests"))("apex-parts");
});

const message = (role, ...list) => ({ runId: "r", role, parts: list, timestamp: "" });
const text = (said) => ({ kind: "text", payload: { text: said } });
const call = (toolCallId, toolName, input) => ({
  kind: "tool_call",
  payload: { toolCallId, toolName, arguments: input },
});
const result = (toolCallId, content, isError = false) => ({
  kind: "tool_result",
  payload: { toolCallId, isError, content },
});
const thinking = { kind: "thinking", payload: { text: "Hm." } };
const PNG = { kind: "image", payload: { mimeType: "image/png", data: "aGk=" } };
const LINK = {
  kind: "image",
  payload: { mimeType: "image/png", url: "https://example.org/a.png" },
};
const TOOL = { name: "read", description: "Reads", inputSchema: { type: "object" } };
const RUN = () => [
  message("user", text("Look"), PNG, LINK),
  message(
    "assistant",
    thinking,
    text("I look."),
    call("a", "read", { p: 1 }),
    call("b", "roll", {}),
  ),
  message("tool", result("a", "one")),
  message("tool", result("b", { rolled: 6 }, true)),
  message("user", text("Well?")),
];

describe("a request", () => {
  test("to Anthropic has the results of an answer in one message of the user", () => {
    const system = "Be brief.";
    const made = parts.toRequest("anthropic", {
      ...{ model: "m", system },
      messages: RUN(),
      tools: [TOOL],
    });
    assert.deepEqual(made, {
      ...{ model: "m", max_tokens: 8192, stream: true, system },
      tools: [{ name: "read", description: "Reads", input_schema: { type: "object" } }],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Look" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
            { type: "image", source: { type: "url", url: "https://example.org/a.png" } },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I look." },
            { type: "tool_use", id: "a", name: "read", input: { p: 1 } },
            { type: "tool_use", id: "b", name: "roll", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "a", content: "one", is_error: false },
            { type: "tool_result", tool_use_id: "b", content: '{"rolled":6}', is_error: true },
            { type: "text", text: "Well?" },
          ],
        },
      ],
    });
  });

  test("to Chat Completions has a message for each result", () => {
    const options = { ...{ model: "m", system: "Be brief.", maxTokens: 10 }, messages: RUN() };
    const made = parts.toRequest("openai-chat", { ...options, tools: [TOOL] });
    const said = (name, input) => ({ type: "function", function: { name, arguments: input } });
    assert.deepEqual(made, {
      ...{ model: "m", stream: true, stream_options: { include_usage: true } },
      max_completion_tokens: 10,
      tools: [
        {
          type: "function",
          function: { name: "read", description: "Reads", parameters: { type: "object" } },
        },
      ],
      messages: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "Look" },
            { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
            { type: "image_url", image_url: { url: "https://example.org/a.png" } },
          ],
        },
        {
          ...{ role: "assistant", content: "I look." },
          tool_calls: [
            { id: "a", ...said("read", '{"p":1}') },
            { id: "b", ...said("roll", "{}") },
          ],
        },
        { role: "tool", tool_call_id: "a", content: "one" },
        { role: "tool", tool_call_id: "b", content: '{"rolled":6}' },
        { role: "user", content: "Well?" },
      ],
    });
  });

  test("has no empty lists, and no messages that say nothing", () => {
    const messages = [
      message("system", text("Rules.")),
      ...RUN().slice(4),
      message("assistant", thinking),
    ];
    const one = parts.toRequest("anthropic", { model: "m", messages });
    assert.deepEqual([one.system, one.messages.length, "tools" in one], ["Rules.", 1, false]);
    const two = parts.toRequest("openai-chat", { model: "m", messages });
    assert.deepEqual(
      two.messages.map(({ role }) => role),
      ["system", "user"],
    );
    assert.equal("tools" in two, false);
  });

  test("is refused where an option is not what it has to be", () => {
    const wrong = [
      ["gemini", { model: "m", messages: [] }],
      ["toString", { model: "m", messages: [] }],
      ["anthropic"],
      ["anthropic", { messages: [] }],
      ["anthropic", { model: "m" }],
      ["openai-chat", { model: "m", messages: [], tools: {} }],
      ["openai-chat", { model: "m", messages: [null] }],
    ];
    for (const given of wrong)
      assert.throws(() => parts.toRequest(...given), { name: "PartValidationError" });
  });
});
