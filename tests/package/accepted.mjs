// Whether the AI SDK (npm `ai`, version 6) accepts what toModelMessage makes of messages.
import assert from "node:assert/strict";
import { convertToModelMessages, generateText, modelMessageSchema } from "ai";
import { MockLanguageModelV3 } from "ai/test";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Passes messages to the SDK as a program would; returns what the SDK converts them to. */
export async function accepted(parts, transcript) {
  const ui = parts.toModelMessage(transcript);
  for (const message of ui) {
    assert.ok(["user", "assistant"].includes(message.role));
    assert.ok(message.parts.length > 0, "no message is empty");
  }
  const messages = await convertToModelMessages(ui);
  for (const message of messages) modelMessageSchema.parse(message);
  // Every call has a result: providers refuse a history without one.
  const ids = (role, type) =>
    messages
      .filter((message) => message.role === role && Array.isArray(message.content))
      .flatMap(({ content }) => content.filter((one) => one.type === type))
      .map(({ toolCallId }) => toolCallId)
      .sort();
  assert.deepEqual(ids("assistant", "tool-call"), ids("tool", "tool-result"));
  let prompt;
  const model = new MockLanguageModelV3({
    doGenerate: async (options) => {
      prompt = options.prompt;
      const content = [{ type: "text", text: "ok" }];
      const finishReason = { unified: "stop", raw: "stop" };
      return { content, finishReason, usage, warnings: [] };
    },
    supportedUrls: { "*/*": [/.*/] }, // otherwise the SDK fetches the URLs
  });
  const { text } = await generateText({ model, messages });
  assert.equal(text, "ok");
  return { ui, messages, prompt };
}
