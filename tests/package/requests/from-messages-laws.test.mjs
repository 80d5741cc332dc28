// Laws of fromMessages: texts, calls and outputs reach the model in every format; any body is read without an error and in
// linear time; the AI SDK says its own messages again.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { convertToModelMessages as messagesOfSix } from "ai";
import { convertToModelMessages as messagesOfSeven } from "ai7";
import fc from "fast-check";
import { workOf } from "../../work.mjs";
import { consumer, requireFrom } from "../helper.mjs";
import { input, json, turns, WRITERS, word } from "./turns.mjs";

let parts;
before(async () => {
  parts = requireFrom(await consumer("from-messages"))("apex-parts");
});

const toolsOf = ({ messages }) =>
  messages.flatMap((message) => message.parts.filter(({ type }) => type === "tool"));
const errorsOf = (messages) => {
  const { problems } = parts.PartValidator.validateTranscript(messages, { ids: "opencode" });
  return problems.filter(({ severity }) => severity === "error");
};

const HAS_ERRORS = ["anthropic", "gemini", "ai-sdk", "ai-sdk-model"];

describe("a history", () => {
  for (const [format, write] of Object.entries(WRITERS))
    test(`${format}: texts, calls, inputs and outputs reach the model`, () => {
      const law = fc.property(turns, (list) => {
        const body = list.flatMap(write);
        const copy = structuredClone(body);
        const made = parts.fromMessages(format, body);
        assert.deepEqual(made.problems, []);
        assert.deepEqual(body, copy);
        assert.deepEqual(
          errorsOf(made.messages).filter(({ rule }) => !isOfText(rule)),
          [],
        );
        const sent = parts.toModelMessage(made.messages).flatMap(({ parts: own }) => own);
        assert.deepEqual(
          sent.filter(({ type }) => type === "text").map(({ text }) => text),
          list.flatMap(({ asked, said }) => [asked, said]),
        );
        const calls = list.flatMap(({ calls: own }) => own);
        const told = sent.filter(({ toolCallId }) => toolCallId !== undefined);
        assert.deepEqual(
          told.map(({ toolCallId, input: own }) => [toolCallId, own]),
          calls.map(({ id, input: own }) => [id, own]),
        );
        for (const [at, { output, isError, isAnswered }] of calls.entries()) {
          const isFailed = isError && HAS_ERRORS.includes(format);
          const { state, output: got, errorText } = told[at];
          if (!isAnswered) assert.equal(errorText, "[Tool execution was interrupted]");
          else if (!isFailed) assert.deepEqual([state, got], ["output-available", output]);
          else assert.equal(errorText, output.trim() === "" ? "error" : output);
        }
      });
      fc.assert(law, { numRuns: 100 });
    });
});

describe("toRequest", () => {
  const LISTS = {
    ...{ anthropic: "messages", "openai-chat": "messages" },
    ...{ "openai-responses": "input", gemini: "contents" },
  };
  const visible = fc.stringMatching(/^[a-zA-Z0-9 {}":,.]*[a-z]$/);
  const own = fc.record({ input, output: visible, isError: fc.boolean() });
  const whole = fc.record({
    ...{ asked: visible, said: visible },
    calls: fc.array(own, { maxLength: 3 }),
  });
  /** One text block, or the text: a request may have either. */
  const plain = (value) => {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== "object" || value === null) return value;
    const { content, is_error, ...rest } = value;
    const isText = Array.isArray(content) && content.length === 1 && content[0].text !== undefined;
    return {
      ...rest,
      ...(content !== undefined && { content: isText ? content[0].text : plain(content) }),
      ...(is_error === true && { is_error }),
    };
  };

  for (const [format, name] of Object.entries(LISTS))
    test(`${format}: any history gives its own messages again`, () => {
      const law = fc.property(fc.array(whole, { maxLength: 5 }), (list) => {
        let id = 0;
        const numbered = list.map((one) => ({
          ...one,
          calls: one.calls.map((each) => ({ ...each, isAnswered: true, id: `call_${id++}` })),
        }));
        // Results of one answer are in one content.
        const body = numbered.flatMap(WRITERS[format]).reduce((made, message) => {
          const last = made.at(-1);
          const isJoined = format === "gemini" && last?.role === message.role;
          if (isJoined) last.parts.push(...message.parts);
          else if (format === "anthropic" && last?.role === message.role)
            last.content.push(...message.content);
          else made.push(message);
          return made;
        }, []);
        const { messages, problems } = parts.fromMessages(format, body);
        assert.deepEqual(problems, []);
        const made = parts.toRequest(format, { model: "gemini-2.5-pro", messages });
        assert.deepEqual(plain(made[name]), plain(body));
      });
      fc.assert(law, { numRuns: 100 });
    });
});

/** Rules about the text of a message: they are the same in every format. */
const isOfText = (rule) => ["BR-09", "BR-10"].includes(rule);

describe("the AI SDK says its model messages again", () => {
  const SDKS = [
    { sdk: 6, convert: messagesOfSix, data: (url) => url },
    { sdk: 7, convert: messagesOfSeven, data: (url) => ({ type: "url", url }) },
  ];
  const signed = word.map((signature) => ({ anthropic: { signature } }));
  const state = fc.option(signed, { nil: undefined });
  const withState = (own) =>
    fc
      .tuple(own, state)
      .map(([part, providerOptions]) =>
        providerOptions === undefined ? part : { ...part, providerOptions },
      );
  const text = withState(word.map((own) => ({ type: "text", text: own })));
  const reasoning = withState(word.map((own) => ({ type: "reasoning", text: own })));
  const visible = word.filter((own) => own.trim() !== "");
  const value = json.filter((own) => typeof own === "object" && own !== null);
  const output = fc.oneof(
    word.map((own) => ({ type: "text", value: own })),
    value.map((own) => ({ type: "json", value: own })),
    visible.map((own) => ({ type: "error-text", value: own })),
  );
  const stepOf = (data) => {
    const file = withState(
      fc.constantFrom("image/png", "text/plain", "application/pdf").map((mediaType) => ({
        ...{ type: "file", mediaType },
        data: data(`data:${mediaType};base64,AA==`),
      })),
    );
    return fc.record({
      asked: fc.array(fc.oneof(text, file), { minLength: 1, maxLength: 3 }),
      said: fc.array(fc.oneof(text, reasoning, file), { minLength: 1, maxLength: 3 }),
      calls: fc.array(fc.record({ input, output, isAsked: fc.boolean() }), { maxLength: 2 }),
    });
  };

  for (const { sdk, convert, data } of SDKS)
    test(`version ${sdk}`, async () => {
      const steps = fc.array(stepOf(data), { maxLength: 4 });
      const law = fc.asyncProperty(steps, async (list) => {
        const messages = list.flatMap(({ asked, said, calls }, at) => {
          const own = (index) => ({ toolCallId: `${at}.${index}`, toolName: "t" });
          const approval = (index) => ({ approvalId: `approval ${at}.${index}` });
          const called = calls.flatMap((one, i) => [
            { type: "tool-call", ...own(i), input: one.input },
            ...(one.isAsked
              ? [{ type: "tool-approval-request", ...approval(i), toolCallId: own(i).toolCallId }]
              : []),
          ]);
          const results = calls.flatMap((one, i) => [
            ...(one.isAsked
              ? [{ type: "tool-approval-response", ...approval(i), approved: true }]
              : []),
            { type: "tool-result", ...own(i), output: one.output },
          ]);
          return [
            { role: "user", content: asked },
            { role: "assistant", content: [...said, ...called] },
            ...(results.length > 0 ? [{ role: "tool", content: results }] : []),
          ];
        });
        const made = parts.fromMessages("ai-sdk-model", messages);
        assert.deepEqual(made.problems, []);
        const again = await convert(parts.toModelMessage(made.messages, { sdk }));
        // The SDK sets fields to undefined, which JSON does not have.
        assert.deepEqual(JSON.parse(JSON.stringify(again)), JSON.parse(JSON.stringify(messages)));
      });
      await fc.assert(law, { numRuns: 200 });
    });

  test("version 7: what only it has", async () => {
    const providerOptions = { openai: { itemId: "i" } };
    const messages = [
      {
        role: "user",
        content: [
          {
            ...{ type: "file", mediaType: "application/pdf" },
            data: { type: "reference", reference: { openai: "file_1" } },
          },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "custom", kind: "openai.compaction", providerOptions },
          {
            ...{ type: "reasoning-file", mediaType: "image/png" },
            data: { type: "url", url: "data:image/png;base64,AA==" },
          },
          { type: "text", text: "t" },
          {
            ...{ type: "tool-call", toolCallId: "c", toolName: "web_search" },
            ...{ input: {}, providerExecuted: true },
          },
          {
            ...{ type: "tool-result", toolCallId: "c", toolName: "web_search" },
            ...{ output: { type: "json", value: [{ url: "u" }] }, providerOptions },
          },
        ],
      },
    ];
    const read = parts.fromMessages("auto", messages);
    assert.deepEqual([read.format, read.problems], ["ai-sdk-model", []]);
    const again = await messagesOfSeven(parts.toModelMessage(read.messages, { sdk: 7 }));
    assert.deepEqual(JSON.parse(JSON.stringify(again)), messages);
  });
});

describe("any body", () => {
  const FORMATS = [...Object.keys(WRITERS), "sharegpt", "auto"];
  const type = fc.constantFrom(
    ...["text", "image", "document", "thinking", "redacted_thinking", "tool_use", "tool_result"],
    ...["server_tool_use", "web_search_tool_result", "message", "reasoning", "function_call"],
    ...["function_call_output", "custom_tool_call", "shell_call", "shell_call_output", "file"],
    ...["web_search_call", "mcp_approval_response", "input_text", "input_image", "tool-call"],
    ...["tool-result", "tool-approval-request", "tool-approval-response", "tool-read", "image_url"],
    ...["dynamic-tool", "step-start", "source-url", "reasoning-file", "custom", "refusal"],
  );
  const id = fc.constantFrom("a", "b", "", 5, undefined);
  const odd = fc.oneof(
    { weight: 1, arbitrary: fc.anything({ withBigInt: true, withDate: true, withMap: true }) },
    { weight: 3, arbitrary: fc.string() },
    { weight: 1, arbitrary: fc.constant({ type: "base64", media_type: "image/png", data: "AA" }) },
    { weight: 1, arbitrary: fc.constant([{ type: "text", text: "t" }]) },
    { weight: 1, arbitrary: fc.constant('{"name":"t","arguments":{}}') },
  );
  const names = [
    ...["text", "thinking", "signature", "data", "source", "input", "content", "output", "name"],
    ...["arguments", "action", "summary", "encrypted_content", "image_url", "file", "url", "state"],
    ...["errorText", "rawInput", "approval", "mediaType", "providerOptions", "providerMetadata"],
    ...["is_error", "reason", "functionCall", "functionResponse", "executableCode", "inlineData"],
    ...["codeExecutionResult", "fileData", "thought", "thoughtSignature", "citations", "status"],
  ];
  const ids = ["id", "call_id", "tool_use_id", "toolCallId", "approvalId", "approval_request_id"];
  const block = fc.oneof(
    odd,
    fc.record(
      {
        type,
        ...Object.fromEntries(names.map((name) => [name, odd])),
        ...Object.fromEntries(ids.map((name) => [name, id])),
      },
      { requiredKeys: ["type"] },
    ),
  );
  const list = fc.oneof(odd, fc.array(block, { maxLength: 4 }));
  const message = fc.oneof(
    odd,
    block,
    fc.record(
      {
        role: fc.constantFrom(
          "system",
          "user",
          "assistant",
          "tool",
          "model",
          "function",
          "robot",
          5,
        ),
        ...{ content: list, parts: list, tool_calls: list, from: fc.constantFrom("human", "gpt") },
        ...{ value: odd, tool_call_id: id, id, reasoning: odd, refusal: odd, name: odd },
      },
      { requiredKeys: ["role"] },
    ),
  );
  const messages = fc.array(message, { maxLength: 6 });
  const body = fc.oneof(
    messages,
    odd,
    fc.record(
      {
        ...{ messages, contents: messages, input: messages, conversations: messages },
        ...{ system: list, instructions: odd, systemInstruction: odd, tools: list, config: odd },
        ...{ prompt: odd, completion: messages },
      },
      { requiredKeys: [] },
    ),
  );

  test("gives valid messages, or says what is wrong", () => {
    const law = fc.property(fc.constantFrom(...FORMATS), body, (format, given) => {
      const made = parts.fromMessages(format, given);
      for (const { path, message: text, rule } of made.problems) {
        assert.ok(path === "" || path.startsWith("/"), path);
        assert.ok(text.endsWith(` (${rule})`), text);
      }
      assert.deepEqual(errorsOf(made.messages), [], format);
      const callIDs = toolsOf(made).map(({ callID }) => callID);
      assert.equal(new Set(callIDs).size, callIDs.length);
      const every = made.messages.flatMap((one) => [
        one.info.id,
        ...one.parts.map((part) => part.id),
      ]);
      assert.equal(new Set(every).size, every.length);
      parts.toModelMessage(made.messages, { sdk: 7 });
    });
    fc.assert(law, { numRuns: 3000 });
  });

  test("may be hostile", () => {
    const throwing = new Proxy({}, { get: refuse, ownKeys: refuse, has: refuse });
    const getter = (name) =>
      Object.defineProperty({ role: "user" }, name, { enumerable: true, get: refuse });
    const cycle = { role: "assistant", content: [] };
    cycle.content.push({ type: "tool_use", id: "a", name: "t", input: cycle });
    cycle.content.push({ type: "tool_result", tool_use_id: "a", content: cycle });
    let deep = { role: "user", content: "x" };
    for (let depth = 0; depth < 20_000; depth++)
      deep = { role: "user", content: [deep], parts: [deep] };
    const liar = new Proxy([], { get: (_, name) => (name === "length" ? 2 ** 53 : undefined) });
    const holes = new Array(2 ** 32 - 1);
    const bodies = [
      ...[throwing, [throwing], getter("content"), [getter("parts")], { messages: throwing }],
      ...[cycle, [cycle], { messages: [cycle], contents: [cycle], input: [cycle] }, deep, [deep]],
      ...[liar, [{ role: "user", content: liar, parts: liar }], holes, { messages: holes }],
      ...[[{ role: "assistant", content: holes, tool_calls: holes, parts: holes }], () => 5, 5n],
    ];
    for (const format of FORMATS)
      for (const given of bodies) {
        const { problems } = parts.fromMessages(format, given);
        assert.ok(Array.isArray(problems));
      }
  });

  test("an element that throws is left out, the others are read", () => {
    const hostile = Object.defineProperty({ role: "user" }, "content", {
      enumerable: true,
      get: refuse,
    });
    const user = { role: "user", content: "a" };
    for (const format of ["anthropic", "openai-chat", "openai-responses", "ai-sdk-model"]) {
      const made = parts.fromMessages(format, [user, hostile, user]);
      assert.deepEqual(
        made.problems.map(({ path }) => path),
        ["/1"],
      );
      assert.equal(made.messages.length, 2);
    }
  });

  test("takes linear time: ten megabytes, many calls with one id, many results", () => {
    const text = "lorem ipsum ".repeat(833);
    const result = { role: "tool", tool_call_id: "a", content: "r" };
    const call = { id: "a", type: "function", function: { name: "t", arguments: "{}" } };
    const listOf = (many, item) => Array.from({ length: many }, (_, at) => item(at));
    const turn = (at) => ({ role: at % 2 ? "assistant" : "user", content: text });
    const makers = [
      (size) => listOf(1000 * size, turn),
      (size) => [
        { role: "assistant", tool_calls: listOf(12_500 * size, () => ({ ...call })) },
        ...listOf(12_500 * size, () => ({ ...result })),
      ],
      (size) => [
        ...listOf(12_500 * size, () => ({ role: "assistant", tool_calls: [{ ...call }] })),
        ...listOf(12_500 * size, () => ({ ...result })),
      ],
    ];
    for (const make of makers) {
      const [small, large] = [make(1), make(4)];
      parts.fromMessages("auto", small);
      const work = (given) => workOf(() => parts.fromMessages("auto", given));
      // Four times as much takes 4 times the work; 16 times if each looks at all others.
      const [one, four] = [work(small), work(large)];
      assert.ok(four < 9 * one + 200, `${one} → ${four}`);
    }
    const long = makers[0](1);
    const [{ text: own }] = parts.fromMessages("auto", long).messages[0].parts;
    assert.equal(own, text);
  });

  test("has at most 10,000 problems, and a last one that counts the others", () => {
    const { problems } = parts.fromMessages("auto", new Array(10_007).fill(5));
    assert.equal(problems.length, 10_001);
    assert.equal(problems.at(-1).rule, "limit");
    assert.match(problems.at(-1).message, /^7 more problems/);
  });
});

function refuse() {
  throw new Error("no");
}
