// `thinkTags` against the AI SDK's extractReasoningMiddleware: the same texts, however they are split.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { extractReasoningMiddleware, wrapLanguageModel } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import fc from "fast-check";
import { load, parts, taken } from "./stream-laws.mjs";

before(() => load("think-tags"));

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** The text and the reasoning that the AI SDK makes of these pieces of text. */
async function theirs(pieces, isOpen) {
  const records = [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "0" },
    ...pieces.map((delta) => ({ type: "text-delta", id: "0", delta })),
    { type: "text-end", id: "0" },
    { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage: USAGE },
  ];
  const model = wrapLanguageModel({
    model: new MockLanguageModelV3({
      doStream: async () => ({ stream: ReadableStream.from(records) }),
    }),
    middleware: extractReasoningMiddleware({
      ...{ tagName: "think", separator: "", startWithReasoning: isOpen },
    }),
  });
  const made = { text: "", thinking: "" };
  const { stream } = await model.doStream({ prompt: [] });
  for await (const { type, delta } of stream) {
    if (type === "text-delta") made.text += delta;
    if (type === "reasoning-delta") made.thinking += delta;
  }
  return made;
}

const chunk = (delta, finish_reason) => ({
  ...{ id: "c", model: "m" },
  choices: [{ index: 0, delta, finish_reason }],
});
const sse = (...records) =>
  Buffer.from(records.map((one) => `data: ${JSON.stringify(one)}\n\n`).join(""));

/** What `thinkTags` makes of them. */
function ours(t, pieces, thinkTags) {
  const assembler = taken(t, [], { format: "openai-chat", thinkTags });
  assembler.pushBytes(sse(...pieces.map((content) => chunk({ content })), chunk({}, "stop")));
  assembler.end();
  const made = { text: "", thinking: "" };
  for (const { kind, payload } of assembler.preview().parts) made[kind] += payload.text;
  return made;
}

const PIECES = [
  ...["<think>", "</think>", "<th", "ink>", "<", "</", "think>", "</thi", "nk>", "<think >"],
  ...["a", "b ", "\n", "x<y", "é😀"],
];

test("texts are those of the AI SDK", async (t) => {
  const pieces = fc.array(fc.constantFrom(...PIECES), { maxLength: 9 });
  const law = fc.asyncProperty(pieces, fc.boolean(), async (given, isOpen) => {
    // The AI SDK drops what may be the beginning of a tag when the text ends with it.
    const all = [...given, "end."];
    assert.deepEqual(ours(t, all, { open: isOpen }), await theirs(all, isOpen));
  });
  await fc.assert(law, { numRuns: 500 });
});

describe("thinkTags", () => {
  const PARTS = ["a<thi", "nk>b</th", "ink>c<th"];

  test("is off by default", (t) => {
    for (const off of [undefined, false]) {
      assert.deepEqual(ours(t, PARTS, off), { text: "a<think>b</think>c<th", thinking: "" });
    }
  });

  test("names the tag; what begins like one at the end is text", (t) => {
    for (const on of [true, "think", {}, { tag: "think" }, { open: false }]) {
      assert.deepEqual(ours(t, PARTS, on), { text: "ac<th", thinking: "b" });
    }
    const reason = ["<reason>b</reason>c"];
    assert.deepEqual(ours(t, reason, "reason"), { text: "c", thinking: "b" });
    assert.deepEqual(ours(t, ["b</reason>c"], { tag: "reason", open: true }), {
      ...{ text: "c", thinking: "b" },
    });
  });

  test("is also an option of readDeltas", () => {
    const bytes = sse(chunk({ content: "<think>b</think>c" }, "stop"));
    const deltas = parts.readDeltas("openai-chat", bytes, { thinkTags: true });
    assert.deepEqual(
      deltas.flatMap(({ kind, payload }) => (payload.textDelta ? [[kind, payload.textDelta]] : [])),
      [
        ["thinking", "b"],
        ["text", "c"],
      ],
    );
  });

  test("continues after a snapshot", (t) => {
    const [first, ...rest] = PARTS.map((content) => sse(chunk({ content })));
    const before = taken(t, [], { format: "openai-chat", thinkTags: true });
    before.pushBytes(first);
    const after = parts.DeltaAssembler.restore(before.snapshot());
    t.after(() => after.free());
    for (const bytes of rest) after.pushBytes(bytes);
    after.end();
    assert.deepEqual(
      after.preview().parts.map(({ kind, payload }) => [kind, payload.text]),
      [
        ["text", "a"],
        ["thinking", "b"],
        ["text", "c<th"],
      ],
    );
  });

  test("of another kind is refused", () => {
    for (const thinkTags of [7, "", "a b", "<think>", { tag: 7 }, { tag: "" }, { open: 1 }]) {
      assert.throws(
        () => new parts.DeltaAssembler({ format: "openai-chat", thinkTags }),
        { name: "DeltaContractError", message: /thinkTags/ },
        JSON.stringify(thinkTags),
      );
    }
  });
});
