// Records that hold a request and its answer, in the forms in which programs log them.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { consumer, requireFrom } from "../helper.mjs";

let parts;
before(async () => {
  parts = requireFrom(await consumer("recorded-answers"))("apex-parts");
  parts.setLogger(undefined);
});

const opened = (...records) => {
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
  return parts.Transcript.open(new TextEncoder().encode(lines), { now: 1_700_000_000_000 });
};
/** The texts of a session: `role: text`. */
const textsOf = (transcript, id) =>
  transcript.messagesOf(id).map(({ info, parts }) => {
    const texts = parts.filter(({ type }) => type === "text").map(({ text }) => text);
    const calls = parts.filter(({ type }) => type === "tool").map(({ tool }) => `[${tool}]`);
    return `${info.role}: ${[...texts, ...calls].join(" ")}`;
  });
const errorsOf = (transcript) =>
  transcript.problems().filter(({ severity }) => severity === "error");

const ASKED = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Weather?" },
];
const CONTENTS = [{ role: "user", parts: [{ text: "Weather?" }] }];
const call = { name: "look", arguments: '{"at":"Rome"}' };
/** A whole answer of each API with a text, a call, and 20 + 4 tokens sent, 10 + 5 received. */
const ANSWERS = {
  "openai-chat": {
    ...{ id: "c", object: "chat.completion", created: 1_767_225_600, model: "m" },
    choices: [
      {
        ...{ index: 0, finish_reason: "tool_calls" },
        message: {
          ...{ role: "assistant", content: "21 degrees.", refusal: null },
          tool_calls: [{ id: "c1", type: "function", function: call }],
        },
      },
    ],
    usage: {
      ...{ prompt_tokens: 24, completion_tokens: 15 },
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 5 },
    },
  },
  anthropic: {
    ...{ id: "msg_1", type: "message", role: "assistant", model: "m", stop_reason: "tool_use" },
    content: [
      { type: "text", text: "21 degrees." },
      { type: "tool_use", id: "c1", name: "look", input: { at: "Rome" } },
    ],
    usage: { input_tokens: 20, output_tokens: 15, cache_read_input_tokens: 4 },
  },
  "openai-responses": {
    ...{ id: "resp_1", object: "response", model: "m", status: "completed", error: null },
    output: [
      { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Hm." }] },
      {
        ...{ type: "message", id: "m1", role: "assistant", status: "completed" },
        content: [{ type: "output_text", text: "21 degrees.", annotations: [] }],
      },
      { type: "function_call", id: "fc_1", call_id: "c1", ...call, status: "completed" },
    ],
    usage: {
      ...{ input_tokens: 24, output_tokens: 15, total_tokens: 39 },
      input_tokens_details: { cached_tokens: 4 },
      output_tokens_details: { reasoning_tokens: 5 },
    },
  },
  gemini: {
    candidates: [
      {
        content: {
          role: "model",
          parts: [
            { text: "21 degrees." },
            { functionCall: { name: "look", args: { at: "Rome" } } },
          ],
        },
        ...{ finishReason: "STOP", index: 0 },
      },
    ],
    usageMetadata: {
      ...{ promptTokenCount: 24, candidatesTokenCount: 10, thoughtsTokenCount: 5 },
      cachedContentTokenCount: 4,
    },
    modelVersion: "m",
  },
};

describe("a whole answer beside the messages", () => {
  for (const [api, response] of Object.entries(ANSWERS))
    test(api, () => {
      const request = api === "gemini" ? { contents: CONTENTS } : { messages: ASKED };
      for (const record of [
        { ...request, response },
        { request: { model: "asked", ...request }, response },
      ]) {
        const transcript = opened(record);
        // The record does not have what the call of the answer came to.
        const others = transcript.problems().filter(({ rule }) => rule !== "WP-3");
        assert.deepEqual(others, []);
        assert.deepEqual(textsOf(transcript, "session-1"), [
          "user: Weather?",
          "assistant: 21 degrees. [look]",
        ]);
        const [, { info, parts: all }] = transcript.messagesOf("session-1");
        const reasoning = api === "anthropic" ? 0 : 5;
        const tokens = {
          input: 20,
          output: 15 - reasoning,
          reasoning,
          cache: { read: 4, write: 0 },
        };
        assert.deepEqual(info.tokens, tokens);
        assert.deepEqual(all.at(-1).tokens, tokens);
        assert.equal(info.modelID, "m");
        assert.deepEqual(all.find(({ type }) => type === "tool").state.input, { at: "Rome" });
        assert.equal(transcript.stats().tokens.input, 20);
        assert.deepEqual(transcript.summary().models, ["m"]);
      }
    });
});

test("a log of LiteLLM ends as its answer does", () => {
  const answer = structuredClone(ANSWERS["openai-chat"]);
  delete answer.choices[0].message.tool_calls;
  answer.choices[0].finish_reason = "stop";
  const log = { id: "r1", call_type: "acompletion", model: "x", messages: ASKED, response: answer };
  const transcript = opened({ ...log, response_cost: 0.25 });
  assert.equal(transcript.format, "messages-openai-chat");
  assert.equal(transcript.sessions[0].id, "r1");
  const { asked, answered, ended } = transcript.summary();
  assert.deepEqual([asked.text, answered.text, ended.how], ["Weather?", "21 degrees.", "finished"]);
  assert.equal(transcript.stats().cost, 0.25);
  answer.choices[0].finish_reason = "length";
  assert.equal(opened(log).summary().ended.how, "cut");
});

test("a generation of Langfuse has its own times and tokens", () => {
  const generation = {
    ...{ id: "o1", traceId: "t1", type: "GENERATION", name: "chat", model: "m", input: ASKED },
    ...{ startTime: "2026-01-01T00:00:00.000Z", endTime: "2026-01-01T00:00:02.000Z" },
    ...{ output: { role: "assistant", content: "21 degrees." }, level: "DEFAULT" },
    usage: { input: 5, output: 6, total: 11 },
  };
  const transcript = opened(generation);
  const [, { info }] = transcript.messagesOf("o1");
  const start = Date.parse(generation.startTime);
  assert.deepEqual(info.time, { created: start, completed: start + 2000 });
  assert.deepEqual([info.tokens.input, info.tokens.output], [5, 6]);
  assert.equal(transcript.summary().ended.how, "finished");
  const failed = { ...generation, output: null, level: "ERROR", statusMessage: "timeout" };
  assert.deepEqual(opened(failed).summary().ended, {
    ...{ how: "failed", reason: "timeout", message: 1 },
  });
});

test("batches: what was asked, what was answered, what was refused", () => {
  const chat = ANSWERS["openai-chat"];
  const url = "/v1/chat/completions";
  const asked = opened(
    { custom_id: "one", method: "POST", url, body: { model: "m", messages: ASKED } },
    { custom_id: "two", method: "POST", url, body: { model: "m", messages: ASKED } },
  );
  assert.deepEqual(textsOf(asked, "one"), ["user: Weather?"]);
  assert.deepEqual(textsOf(asked, "two"), ["user: Weather?"]);
  const error = { message: "max_tokens is too large", type: "invalid_request_error" };
  const answered = opened(
    { id: "b1", custom_id: "one", response: { status_code: 200, body: chat }, error: null },
    { id: "b2", custom_id: "two", response: { status_code: 400, body: { error } }, error: null },
  );
  assert.equal(answered.format, "messages-openai-chat");
  assert.deepEqual(textsOf(answered, "one"), ["assistant: 21 degrees. [look]"]);
  const [refused] = answered.messagesOf("two");
  assert.deepEqual(refused.parts, []);
  assert.equal(refused.info.error.data.message, error.message);
  assert.equal(answered.summary().messageErrors, 1);
  assert.deepEqual(errorsOf(answered), []);

  const anthropic = opened(
    { custom_id: "one", result: { type: "succeeded", message: ANSWERS.anthropic } },
    { custom_id: "two", result: { type: "errored", error: { type: "error", error } } },
    { custom_id: "three", result: { type: "expired" } },
    { custom_id: "four", result: { type: "canceled" } },
  );
  assert.equal(anthropic.format, "messages-anthropic");
  assert.equal(anthropic.summary().messageErrors, 3);
  const params = { model: "m", max_tokens: 9, system: "Be brief.", messages: ASKED.slice(1) };
  assert.equal(opened({ custom_id: "one", params }).format, "messages-anthropic");

  const gemini = opened(
    { key: "one", response: ANSWERS.gemini },
    { key: "two", error: { code: 3, message: "bad", status: "INVALID_ARGUMENT" } },
  );
  assert.equal(gemini.format, "messages-gemini");
  assert.deepEqual(textsOf(gemini, "one"), ["assistant: 21 degrees. [look]"]);
  assert.deepEqual(textsOf(opened({ key: "one", request: { contents: CONTENTS } }), "one"), [
    "user: Weather?",
  ]);
});

test("a preference has its answer, and a branch with what was rejected", () => {
  const said = (content) => [{ role: "assistant", content }];
  for (const record of [
    { prompt: "Weather?", chosen: "Warm.", rejected: "No." },
    { prompt: ASKED, chosen: said("Warm."), rejected: said("No.") },
    {
      ...{ input: { messages: ASKED }, preferred_output: said("Warm.") },
      non_preferred_output: said("No."),
    },
  ]) {
    const transcript = opened(record);
    const [main, branch] = transcript.sessions;
    assert.deepEqual([main.kind, branch.kind, branch.id], ["main", "branch", "session-1/branch-1"]);
    assert.deepEqual(textsOf(transcript, main.id), ["user: Weather?", "assistant: Warm."]);
    assert.deepEqual(textsOf(transcript, branch.id), ["assistant: No."]);
    assert.equal(transcript.summary().answered.text, "Warm.");
    assert.equal(transcript.search("No.").length, 1);
    assert.deepEqual(errorsOf(transcript), []);
  }
});

test("a field that is not read has one warning", () => {
  const record = { messages: ASKED, answer: "Warm.", prediction: "Cold." };
  const transcript = opened(record, record);
  assert.deepEqual(textsOf(transcript, "session-1"), ["user: Weather?", "assistant: Warm."]);
  const [problem, ...more] = transcript.problems();
  assert.deepEqual([problem.severity, more], ["warning", []]);
  assert.match(problem.message, /^`prediction` holds .* \(in 2 records\)/);
});
