// Laws of requests over random histories, good and broken: providers take the body, it is a prefix of the next one, the
// repair is done once, and inputs stay as they are.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { consumer, requireFrom } from "../helper.mjs";
import {
  answer,
  call,
  done,
  failed,
  file,
  messagesOf,
  PDF,
  PNG,
  reasoning,
  running,
  STEP,
  text,
  user,
} from "./histories.mjs";
import { refusals } from "./refusals.mjs";

const TARGETS = [
  { format: "anthropic", provider: "anthropic", model: "claude-sonnet-4-5" },
  { format: "openai-chat", provider: "deepseek", model: "deepseek-v4" },
  { format: "openai-chat", provider: "mistral", model: "mistral-large-latest" },
  { format: "openai-responses", provider: "openai", model: "gpt-5" },
  { format: "gemini", provider: "google", model: "gemini-3-pro" },
];
const ROUNDS = 300;

let parts;
before(async () => {
  parts = requireFrom(await consumer("requests"))("apex-parts");
});

/** Numbers that look random and are the same each time. */
function random(seed) {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) | 0;
    return ((state >>> 3) ^ (state >>> 17)) % below;
  };
}

const STATES = [
  { anthropic: { signature: "S" } },
  { anthropic: { redactedData: "R" } },
  { anthropic: { unsigned: true } },
  { openai: { itemId: "rs_1", reasoningEncryptedContent: "E" } },
  { openai: { itemId: `rs_${"x".repeat(70)}` } },
  { google: { thought: true, thoughtSignature: "T" } },
  { openaiCompatible: { field: "reasoning_content" } },
  { openrouter: { reasoning_details: [{ type: "reasoning.text", text: "x" }] } },
  undefined,
];
const CALL_STATES = [
  { openai: { itemId: "fc_1", arguments: '{"a": 1}' } },
  { openaiCompatible: { arguments: '{"a": ' } },
  { google: { thoughtSignature: "T", id: "g" } },
  {
    providerExecuted: true,
    anthropic: {
      type: "server_tool_use",
      index: 1,
      result: { type: "web_search_tool_result", content: [] },
      resultIndex: 3,
    },
  },
  { providerExecuted: true, openai: { item: { type: "web_search_call", id: "ws_1" } } },
  { providerExecuted: true },
  undefined,
];
const IDS = ["a", "b", "call.1", "x".repeat(70), "", "toolu_1", "abcdefghi"];
const INPUTS = [{}, { p: 1 }, "select 1", [1], null, { "\ud800": "\0" }];
const WORDS = ["Yes.", " ", "", "a\ud83d", "Done. \n", "x\0"];

function part(next) {
  const pick = (list) => list[next(list.length)];
  switch (next(9)) {
    case 0:
    case 1:
      return text(pick(WORDS), pick(STATES));
    case 2:
      return reasoning(pick(WORDS), pick(STATES));
    case 3:
    case 4:
      return done(pick(IDS), pick(["read", "mcp server/x", "1st"]), pick(INPUTS), pick(WORDS), {
        metadata: pick(CALL_STATES),
        ...(next(3) === 0 && {
          attachments: [file("image/png", PNG), file("application/zip", "file:///a.zip")],
        }),
      });
    case 5:
      return failed(pick(IDS), "read", pick(INPUTS), pick(WORDS), pick(CALL_STATES));
    case 6:
      return running(pick(IDS), "read", pick(INPUTS), pick(CALL_STATES));
    case 7:
      return pick([
        STEP,
        { type: "anthropic-fallback", metadata: { anthropic: { block: { type: "fallback" } } } },
        null,
        { type: 5 },
      ]);
    default:
      return call(pick(IDS), "write", { status: "pending", input: {}, raw: '{"p' });
  }
}

function history(seed) {
  const next = random(seed);
  const pick = (list) => list[next(list.length)];
  return Array.from({ length: next(8) }, () => {
    if (next(12) === 0) return pick([null, {}, 5, { info: {} }]);
    if (next(3) === 0)
      return user(
        ...Array.from({ length: next(3) }, () =>
          pick([text(pick(WORDS)), file("application/pdf", PDF, "a.pdf")]),
        ),
      );
    const about = {
      providerID: pick(["anthropic", "openai", "google", "deepseek", ""]),
      modelID: pick(["claude-sonnet-4-5", "gpt-5", "gpt-6", ""]),
      ...(next(8) === 0 && { error: { name: "APIError", data: {} } }),
    };
    return answer(about, ...Array.from({ length: next(6) }, () => part(next)));
  });
}

for (const { format, provider, model } of TARGETS)
  describe(`${provider} (${format})`, () => {
    const bodyOf = (messages) =>
      parts.toRequest(format, { model, provider, messages, maxTokens: 9 });

    test("takes every body, and the history stays as it is", () => {
      for (let seed = 0; seed < ROUNDS; seed++) {
        const messages = history(seed);
        const before = structuredClone(messages);
        const body = bodyOf(messages);
        assert.deepEqual(messages, before);
        if (messagesOf(body).length === 0) continue;
        assert.deepEqual(refusals(format, body, provider === "mistral"), [], `seed ${seed}`);
      }
    });

    test("is sent the same messages again, the last one aside", () => {
      for (let seed = 0; seed < ROUNDS; seed++) {
        const messages = history(seed);
        const whole = messagesOf(bodyOf(messages)).map((one) => JSON.stringify(one));
        for (let length = 0; length < messages.length; length++) {
          const some = messagesOf(bodyOf(messages.slice(0, length))).map((one) =>
            JSON.stringify(one),
          );
          some.pop();
          assert.deepEqual(whole.slice(0, some.length), some, `seed ${seed}, ${length} messages`);
        }
      }
    });

    test("is repaired once", () => {
      for (let seed = 0; seed < ROUNDS; seed++) {
        const once = parts.repair(history(seed), { format, provider });
        const twice = parts.repair(once.messages, { format, provider });
        assert.deepEqual(twice.problems, [], `seed ${seed}`);
        assert.ok(twice.messages.every((message, at) => message === once.messages[at]));
      }
    });
  });
