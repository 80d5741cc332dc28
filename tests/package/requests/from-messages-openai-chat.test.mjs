// fromMessages: Chat Completions, in every detail.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { consumer, requireFrom } from "../helper.mjs";

let parts;
before(async () => {
  parts = requireFrom(await consumer("from-messages"))("apex-parts");
});

const call = (id, name, input) => ({
  id,
  type: "function",
  function: { name, arguments: JSON.stringify(input) },
});
const result = (tool_call_id, content) => ({ role: "tool", tool_call_id, content });
const user = (content) => ({ role: "user", content });
const answer = (content, ...tool_calls) =>
  tool_calls.length > 0
    ? { role: "assistant", content, tool_calls }
    : { role: "assistant", content };
const options = {
  sessionID: "ses_1",
  now: 5,
  model: { providerID: "openai", modelID: "gpt" },
};
const read = (...messages) => parts.fromMessages("openai-chat", messages, options);
const found = ({ problems }) =>
  problems.map(({ severity, rule, path }) => `${severity} ${rule} ${path}`);
const tools = ({ messages }) =>
  messages.flatMap((message) => message.parts.filter(({ type }) => type === "tool"));

describe("a conversation", () => {
  const PNG = "data:image/png;base64,aGk=";
  const chat = () => [
    { role: "system", content: "Be brief." },
    { role: "developer", content: [{ type: "text", text: "Be exact." }] },
    user([
      { type: "text", text: "Look" },
      { type: "image_url", image_url: { url: PNG, detail: "low" } },
    ]),
    answer("I look.", call("a", "read", { path: "x" }), call("b", "roll", {})),
    result("b", "6"),
    result("a", [
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ]),
    answer("Done.", call("c", "read", {})),
  ];

  test("is read with its calls, results and instructions", () => {
    const made = read(...chat());
    assert.deepEqual(made.problems, []);
    assert.equal(made.system, "Be brief.\n\nBe exact.");
    assert.equal(made.format, "openai-chat");
    assert.deepEqual(
      made.messages.map(({ info }) => [info.id, info.role, info.parentID]),
      [
        ["ses_1:0", "user", undefined],
        ["ses_1:1", "assistant", "ses_1:0"],
        ["ses_1:2", "assistant", "ses_1:0"],
      ],
    );
    const [asked, looked] = made.messages;
    assert.deepEqual(asked.info.model, options.model);
    assert.deepEqual(asked.parts[1], {
      ...{ id: "ses_1:0:1", sessionID: "ses_1", messageID: "ses_1:0" },
      ...{ type: "file", mime: "image/png", url: PNG },
      metadata: { openaiCompatible: { detail: "low" } },
    });
    assert.deepEqual(
      looked.parts.map(({ type }) => type),
      ["step-start", "text", "tool", "tool", "step-finish"],
    );
    const [a, b, c] = tools(made);
    assert.deepEqual(a.state, {
      ...{ status: "completed", input: { path: "x" }, output: "one\ntwo", title: "" },
      ...{ metadata: {}, time: { start: 5, end: 5 } },
    });
    assert.equal(b.state.output, "6");
    assert.deepEqual(c.state, { status: "running", input: {}, time: { start: 5 } });
    assert.deepEqual([looked.info.finish, looked.info.modelID], ["tool-calls", "gpt"]);
  });

  test("is valid, and a call without a result is sent as an interrupted one", () => {
    const { messages } = read(...chat());
    const { problems } = parts.PartValidator.validateTranscript(messages, { ids: "opencode" });
    assert.deepEqual(
      problems.map(({ rule }) => rule),
      ["WP-3"],
    );
    const sent = parts.toModelMessage(messages);
    const last = sent.at(-1).parts.at(-1);
    assert.equal(last.state, "output-error");
    assert.equal(last.errorText, "[Tool execution was interrupted]");
  });

  test("is the same read twice, and the array stays as it is", () => {
    const given = chat();
    assert.deepEqual(read(...given), read(...given));
    assert.deepEqual(given, chat());
    assert.deepEqual(parts.fromMessages("openai-chat", [user("Hi")]).messages[0].info.time, {
      created: 0,
    });
  });

  test("strings and inputs are not copied", () => {
    const input = { path: "x" };
    const own = { id: "a", type: "function", function: { name: "read", arguments: input } };
    assert.equal(tools(read(answer(null, own)))[0].state.input, input);
  });
});

describe("what a part has no field for", () => {
  test("is kept in the metadata", () => {
    const { messages, problems } = read(
      { role: "user", content: "Hi", name: "Ann" },
      { ...answer("So."), reasoning_content: "Hm.", custom_field: [1], audio: null },
      { ...answer(null), refusal: "No." },
      user([{ type: "input_audio", input_audio: { data: "aGk=", format: "wav" } }]),
      user([
        { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AA" } },
      ]),
      user([{ type: "video", video: { url: "x" } }]),
      answer(null, { ...call("a", "read", {}), extra_content: { google: 1 } }),
    );
    assert.deepEqual(problems, []);
    const [asked, said, refused, audio, file, video, called] = messages.map(({ parts: list }) =>
      list.filter(({ type }) => !type.startsWith("step-")),
    );
    const kept = (part) => part.metadata.openaiCompatible;
    assert.deepEqual(kept(asked[0]), { message: { name: "Ann" } });
    assert.deepEqual([said[0].type, said[0].text], ["reasoning", "Hm."]);
    assert.deepEqual(kept(said[0]), {
      field: "reasoning_content",
      message: { custom_field: [1] },
    });
    assert.deepEqual([refused[0].text, kept(refused[0])], ["No.", { refusal: true }]);
    assert.deepEqual([audio[0].mime, audio[0].url], ["audio/wav", "data:audio/wav;base64,aGk="]);
    assert.deepEqual([file[0].mime, file[0].filename], ["application/pdf", "a.pdf"]);
    assert.equal(video[0].type, "openai-chat-video");
    assert.deepEqual(kept(video[0]).part, { type: "video", video: { url: "x" } });
    assert.deepEqual(kept(called[0]), { extra_content: { google: 1 } });
  });

  test("is the name of the field that reasoning came in, whichever it is", () => {
    for (const field of ["reasoning_content", "reasoning", "reasoning_text", "thinking"]) {
      const history = read(user("Hi"), { ...answer("So."), [field]: "Hm." });
      const [, said] = history.messages;
      const part = said.parts.find(({ type }) => type === "reasoning");
      assert.deepEqual([part.text, part.metadata.openaiCompatible.field], ["Hm.", field]);
      const body = parts.toRequest("openai-chat", { model: "m", messages: history.messages });
      assert.equal(body.messages[1][field], "Hm.", field);
    }
    // The same under a second name is nothing, another text is kept.
    const twice = (second) => {
      const history = read(user("Hi"), { ...answer("So."), reasoning: "Hm.", thinking: second });
      const list = history.messages[1].parts.filter(({ type }) => type === "reasoning");
      return list.map(({ text, metadata }) => [metadata.openaiCompatible.field, text]);
    };
    assert.deepEqual(twice("Hm."), [["reasoning", "Hm."]]);
    assert.deepEqual(twice("Aha."), [
      ["reasoning", "Hm."],
      ["thinking", "Aha."],
    ]);
  });

  test("is the text of arguments that JSON writes otherwise", () => {
    const text = '{ "path": "x" }';
    const own = { id: "a", type: "function", function: { name: "read", arguments: text } };
    const [part] = tools(read(answer(null, own)));
    assert.deepEqual(part.state.input, { path: "x" });
    assert.equal(part.metadata.openaiCompatible.arguments, text);
    assert.equal(tools(read(answer(null, call("a", "read", { a: 1 }))))[0].metadata, undefined);
  });
});

test("functions, the tools of before, are calls whose results name them", () => {
  const function_call = { name: "f", arguments: '{"a":1}' };
  const made = read(
    user("Hi"),
    { role: "assistant", content: null, function_call },
    {
      ...{ role: "function", name: "f", content: "1" },
    },
  );
  assert.deepEqual(made.problems, []);
  const [{ tool, state }] = tools(made);
  assert.deepEqual([tool, state.input, state.output], ["f", { a: 1 }, "1"]);
});

describe("what is wrong", () => {
  test("is a problem, with its place", () => {
    const wrong = [
      [[5], "error schema /0"],
      [[{ role: "robot", content: "x" }], "error schema /0/role"],
      [[{ role: "function", name: "f", content: "x" }], "warning RP-2 /0/name"],
      [[{ ...answer("x"), annotations: [1] }], "warning schema /0/annotations"],
      [[{ role: "system", content: "x", name: "n" }], "warning schema /0/name"],
      [[user({ text: "x" })], "error schema /0/content"],
      [[user([{ text: "x" }])], "error schema /0/content/0"],
      [[{ ...answer("x"), tool_calls: {} }], "error schema /0/tool_calls"],
      [[answer("x", { id: "a" })], "error schema /0/tool_calls/0"],
      [[answer("x", { ...call("a", ""), id: "a" })], "error schema /0/tool_calls/0/function/name"],
      [[result("a", "x")], "warning RP-2 /0/tool_call_id"],
      [[{ role: "user", content: null, name: "n" }], "warning schema /0/name"],
    ];
    for (const [messages, expected] of wrong)
      assert.deepEqual(found(read(...messages)), [expected], JSON.stringify(messages));
  });

  test("is named for calls and results", () => {
    const twice = read(answer(null, call("a", "t", {})), result("a", "1"), result("a", "2"));
    assert.deepEqual(found(twice), ["warning RP-2 /2/tool_call_id"]);
    assert.equal(tools(twice)[0].state.output, "1");

    const again = read(
      answer(null, call("a", "t", {})),
      result("a", "1"),
      answer(null, call("a", "t", {}), call("a", "t", {})),
      result("a", "2"),
      result("a", "3"),
    );
    assert.deepEqual(found(again), [
      "warning RP-3 /2/tool_calls/0/id",
      "warning RP-3 /2/tool_calls/1/id",
    ]);
    assert.deepEqual(
      tools(again).map(({ callID, state }) => [callID, state.output]),
      [
        ["a", "1"],
        ["a_2", "2"],
        ["a_3", "3"],
      ],
    );

    const bad = (text) => ({ id: "a", type: "function", function: { name: "t", arguments: text } });
    const broken = read(answer(null, bad('{"path": "x')));
    assert.deepEqual(found(broken), ["warning RP-1 /0/tool_calls/0/function/arguments"]);
    assert.deepEqual(tools(broken)[0].state.input, {});
    assert.equal(tools(broken)[0].metadata.openaiCompatible.arguments, '{"path": "x');
    const list = read(answer(null, bad("[1]")));
    assert.deepEqual(found(list), ["warning RP-8 /0/tool_calls/0/function/arguments"]);
    assert.deepEqual(tools(list)[0].state.input, { value: [1] });
    const { id: _, ...nameless } = call("", "t", {});
    assert.deepEqual(found(read(answer(null, nameless))), ["warning RP-3 /0/tool_calls/0/id"]);
  });

  test("an element that throws is left out, the others are read", () => {
    const hostile = {
      role: "user",
      get content() {
        throw new Error("no");
      },
    };
    const made = read(user("a"), hostile, user("b"));
    assert.deepEqual(found(made), ["error schema /1"]);
    assert.equal(made.messages.length, 2);
  });

  test("is thrown for arguments", () => {
    const invalid = (...given) =>
      assert.throws(
        () => parts.fromMessages(...given),
        ({ name }) => name === "PartValidationError",
      );
    invalid("chat", []);
    invalid("openai-chat", [], { sessionID: "" });
  });
});

describe("laws", () => {
  const word = fc.string({ minLength: 1 });
  const block = fc.oneof(
    word.map((text) => ({ type: "text", text })),
    word.map((url) => ({ type: "image_url", image_url: { url } })),
  );
  const content = fc.oneof(word, fc.array(block, { maxLength: 3 }));
  const input = fc.dictionary(fc.string(), fc.jsonValue());
  const turn = fc.record({ asked: content, said: word, inputs: fc.array(input, { maxLength: 3 }) });

  test("texts, calls, inputs and outputs reach the model", () => {
    const law = fc.property(fc.array(turn, { maxLength: 6 }), fc.nat(), (turns, left) => {
      const chat = [];
      const calls = [];
      const texts = [];
      for (const { asked, said, inputs } of turns) {
        const own = inputs.map((value, at) => ({ id: `${calls.length + at}`, value }));
        chat.push(user(asked), answer(said, ...own.map(({ id, value }) => call(id, "t", value))));
        texts.push(
          ...(typeof asked === "string" ? [asked] : asked.flatMap(({ text }) => text ?? [])),
        );
        texts.push(said);
        for (const { id } of own)
          if (Number(id) % 4 !== left % 4) chat.push(result(id, `output ${id}`));
        calls.push(...own);
      }
      const made = read(...chat);
      assert.deepEqual(made.problems, []);
      const sent = parts.toModelMessage(made.messages).flatMap(({ parts: list }) => list);
      assert.deepEqual(
        sent.filter(({ type }) => type === "text").map(({ text }) => text),
        texts,
      );
      assert.deepEqual(
        sent.filter(({ toolCallId }) => toolCallId).map((one) => [one.toolCallId, one.input]),
        calls.map(({ id, value }) => [id, JSON.parse(JSON.stringify(value))]),
      );
      for (const { toolCallId, state, output } of sent.filter((one) => one.toolCallId)) {
        if (Number(toolCallId) % 4 === left % 4) assert.equal(state, "output-error");
        else assert.equal(output, `output ${toolCallId}`);
      }
    });
    fc.assert(law, { numRuns: 200 });
  });

  test("any array gives valid messages, or says what is wrong", () => {
    const any = fc.oneof(
      fc.anything(),
      fc.record(
        {
          role: fc.constantFrom("system", "developer", "user", "assistant", "tool", "robot"),
          content: fc.oneof(fc.anything(), content),
          tool_calls: fc.array(
            fc.oneof(
              fc.anything(),
              fc.record(
                {
                  id: fc.constantFrom("a", "b", "", 5),
                  type: fc.constantFrom("function", "custom", "other"),
                  function: fc.record({ name: fc.string(), arguments: fc.anything() }),
                  custom: fc.record({ name: fc.string(), input: fc.anything() }),
                },
                { requiredKeys: [] },
              ),
            ),
            { maxLength: 3 },
          ),
          tool_call_id: fc.constantFrom("a", "b", "c"),
          name: fc.anything(),
          reasoning: fc.anything(),
          refusal: fc.anything(),
        },
        { requiredKeys: ["role"] },
      ),
    );
    const law = fc.property(fc.array(any, { maxLength: 8 }), (chat) => {
      const made = parts.fromMessages("openai-chat", chat, options);
      const given = new Set(chat.keys());
      for (const { path, message, rule } of made.problems) {
        assert.ok(given.has(Number(path.split("/")[1])), path);
        assert.ok(message.endsWith(` (${rule})`));
      }
      const { problems } = parts.PartValidator.validateTranscript(made.messages, {
        ids: "opencode",
      });
      assert.deepEqual(
        problems.filter(({ severity }) => severity === "error"),
        [],
      );
      const ids = tools(made).map(({ callID }) => callID);
      assert.equal(new Set(ids).size, ids.length);
      parts.toModelMessage(made.messages);
    });
    fc.assert(law, { numRuns: 500 });
  });
});
