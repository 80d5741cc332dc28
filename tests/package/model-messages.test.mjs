// toModelMessage has a fast path for plain messages (ts/module/model-messages.ts) and a slow path for all others:
// both give the same results, and the fast path is about as fast as hand-written code.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { workOf } from "../work.mjs";
import { consumer, requireFrom } from "./helper.mjs";

let parts;
before(async () => {
  parts = requireFrom(await consumer("model-messages"))("apex-parts");
  parts.setLogger(undefined);
});

/** A message that adds nothing to the result, but is so unusual that all messages take the slow path. */
const ODD = Object.assign(Object.create(null), { info: { role: "system" }, parts: [] });

/** The result or the error, with generated ids replaced by one. */
function made(input, options) {
  const known = new Set(input.map((message) => message?.info?.id));
  try {
    return parts
      .toModelMessage(input, options)
      .map((message) => (known.has(message.id) ? message : { ...message, id: "made" }));
  } catch (error) {
    return { name: error.name, problems: error.details.problems };
  }
}

const maybe = (arbitrary) => fc.option(arbitrary, { nil: undefined });
const rarely = (arbitrary, ...others) => {
  return fc.oneof(
    { weight: 40, arbitrary },
    ...others.map((one) => ({ weight: 1, arbitrary: one })),
  );
};
const nothing = fc.constantFrom(null, 5, "", true, [], {}, Number.NaN);
/** An object with a field named __proto__, as JSON.parse gives one. */
const withProto = fc.constantFrom({}, 1, undefined).map((value) => {
  return Object.defineProperty({ anthropic: {}, approval: {} }, "__proto__", {
    ...{ value, enumerable: true, configurable: true, writable: true },
  });
});
const word = fc.constantFrom("", "a", "read", "ignored", "text/plain", "application/x-directory");
const approval = fc.record(
  {
    id: rarely(fc.constant("a"), nothing),
    approved: fc.constantFrom(true, true, false, false, null, 1),
    reason: rarely(word, nothing),
  },
  { requiredKeys: [] },
);
/** Metadata: state of providers, what a part says beside it, or anything. */
const metadata = fc.oneof(
  fc.object({ maxDepth: 1 }),
  withProto,
  fc.record(
    {
      anthropic: rarely(fc.object({ maxDepth: 0 }), nothing),
      openai: fc.constantFrom({}, undefined),
      providerExecuted: fc.constantFrom(true, false, 1),
      approval: rarely(approval, nothing, fc.constant(undefined)),
      citations: fc.constantFrom([], [1], "no", undefined),
      "ai-sdk": rarely(
        fc.record(
          {
            part: rarely(fc.constant({ type: "custom", kind: "a.b" }), nothing),
            providerExecuted: fc.constantFrom(true, false, 1),
            resultProviderMetadata: rarely(fc.constant({ anthropic: {} }), nothing),
          },
          { requiredKeys: [] },
        ),
        nothing,
      ),
      output: fc.constantFrom({ a: [1] }, [], 5, true, "text", null, Number.NaN),
    },
    { requiredKeys: [] },
  ),
  nothing,
);
const type = fc.constantFrom(
  ...["text", "text", "reasoning", "file", "tool", "tool", "tool", "compaction", "subtask"],
  ...["step-start", "step-finish", "patch", "no type"],
  ...["ai-sdk-custom", "ai-sdk-file", "ai-sdk-source-url"],
);
const file = fc.record({
  ...{ url: maybe(word), mime: maybe(word), filename: maybe(word) },
  metadata: maybe(metadata),
});
const state = fc.record(
  {
    status: fc.constantFrom("pending", "running", "completed", "completed", "error", "odd"),
    input: maybe(fc.object({ maxDepth: 1 })),
    output: rarely(
      fc.oneof(word, fc.constantFrom('{"a":[1]}', "[]", "5", "true", "null")),
      nothing,
    ),
    metadata: maybe(metadata),
    error: maybe(rarely(word, nothing)),
    time: rarely(fc.record({ compacted: maybe(rarely(fc.integer(), nothing)) }), nothing),
    attachments: rarely(fc.array(rarely(file, nothing), { maxLength: 3 }), nothing),
  },
  { requiredKeys: ["status"] },
);
const part = fc.record(
  {
    type,
    text: rarely(word, nothing),
    ignored: fc.constantFrom(true, false, 1, undefined),
    metadata: maybe(metadata),
    tool: rarely(word, nothing),
    callID: rarely(word, nothing),
    state: rarely(state, nothing),
    url: word,
    mime: maybe(word),
    filename: maybe(word),
  },
  { requiredKeys: ["type", "tool", "state"] },
);
const info = fc.record(
  {
    id: rarely(fc.string(), nothing),
    role: fc.constantFrom("user", "assistant", "assistant", "system", undefined),
    error: maybe(fc.constantFrom(null, {}, { name: "UnknownError" })),
  },
  { requiredKeys: ["role"] },
);
const message = fc.record({
  info: rarely(info, nothing),
  parts: rarely(fc.array(rarely(part, nothing), { maxLength: 5 }), nothing),
});

/** A history with one text of the user. */
const plainText = (own) => [{ info: { role: "user" }, parts: [{ type: "text", metadata: own }] }];

/** Options; those that are not an object are the index of `map`. */
const versions = fc.constantFrom(undefined, {}, { sdk: 6 }, { sdk: 7 }, { sdk: 7 }, 3, { sdk: 5 });

test("one message is converted like an array with it", () => {
  const text = { type: "text", text: "Hi" };
  for (const role of ["user", "assistant"]) {
    const message = { info: { id: "m", role }, parts: [text, { type: "odd" }] };
    const [one] = parts.toModelMessage([message]);
    assert.deepEqual(parts.toModelMessage(message), [one]);
    assert.deepEqual(one, { id: "m", role, parts: [text] });
  }
  for (const wrong of [null, 5, "", {}, { info: {} }, { parts: [] }])
    assert.throws(() => parts.toModelMessage(wrong), { name: "PartValidationError" });
});

describe("the fast path and the slow one", () => {
  test("give the same results and the same errors for any messages", () => {
    const seen = { results: 0, errors: 0 };
    fc.assert(
      fc.property(fc.array(rarely(message, nothing), { maxLength: 6 }), versions, (input, own) => {
        const quick = made(input, own);
        seen[Array.isArray(quick) ? "results" : "errors"]++;
        assert.deepEqual(quick, made([...input, ODD], own));
      }),
      {
        numRuns: 2000,
        examples: [[plainText({ anthropic: {}, openai: undefined, "ai-sdk": {} }), {}]],
      },
    );
    // Otherwise the comparison would test only one case.
    assert.ok(Math.min(seen.results, seen.errors) > 200, JSON.stringify(seen));
  });

  test("pass values by reference", () => {
    const own = { input: { a: 1 }, metadata: { b: 2 } };
    const tool = {
      type: "tool",
      tool: "read",
      callID: "c",
      metadata: own.metadata,
      state: { status: "completed", input: own.input, output: "o", time: { start: 1, end: 2 } },
    };
    const input = [{ info: { id: "m", role: "assistant" }, parts: [tool] }];
    for (const messages of [input, [...input, ODD]]) {
      const [{ parts: found }] = parts.toModelMessage(messages);
      assert.ok(found[0].input === own.input);
      assert.ok(found[0].callProviderMetadata === own.metadata);
    }
  });
});

test("1,000 messages from JSON.parse take the fast path", () => {
  const text = "lorem ipsum ".repeat(833);
  const messages = Array.from({ length: 1000 }, (_, i) => ({
    info: { id: `m${i}`, role: i % 2 ? "assistant" : "user" },
    parts: [{ id: `p${i}`, sessionID: "s", messageID: `m${i}`, type: "text", text }],
  }));
  const slow = [...messages, ODD];
  const least = { quick: Number.POSITIVE_INFINITY, slow: Number.POSITIVE_INFINITY };
  // The fastest of many: some include garbage collection.
  for (let round = 0; round < 60; round++) {
    for (const [name, input] of Object.entries({ quick: messages, slow })) {
      const work = workOf(() => parts.toModelMessage(input));
      least[name] = Math.min(least[name], work);
    }
  }
  assert.ok(least.quick * 2 < least.slow, JSON.stringify(least));
});
