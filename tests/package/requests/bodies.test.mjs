// The bodies of requests, one format after another: files, results, tools, limits, names, marks.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { consumer, requireFrom } from "../helper.mjs";
import {
  answer,
  done,
  failed,
  file,
  messagesOf,
  PDF,
  PNG,
  reasoning,
  STEP,
  text,
  user,
} from "./histories.mjs";
import { requestOf } from "./request.mjs";

const FORMATS = ["anthropic", "openai-chat", "openai-responses", "gemini"];

let parts;
before(async () => {
  parts = requireFrom(await consumer("requests"))("apex-parts");
});

const request = (format, options) => requestOf(parts, format, options);

const RUN = () => [
  user("Look"),
  answer(
    {},
    STEP,
    text("I look."),
    done("a", "read", { p: 1 }, "one"),
    failed("b", "roll", {}, "no dice"),
  ),
  answer({}, STEP, text("Done.")),
  user("Well?"),
];

test("Anthropic has the results of a step in one message of the user, before its text", () => {
  const { body, rules } = request("anthropic", {
    messages: RUN(),
    system: ["Be brief.", "Be kind."],
  });
  assert.deepEqual(body, {
    ...{ model: "m", max_tokens: 8192, stream: true },
    system: [
      { type: "text", text: "Be brief." },
      { type: "text", text: "Be kind." },
    ],
    messages: [
      { role: "user", content: [{ type: "text", text: "Look" }] },
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
          { type: "tool_result", tool_use_id: "a", content: "one" },
          { type: "tool_result", tool_use_id: "b", content: "no dice", is_error: true },
        ],
      },
      { role: "assistant", content: [{ type: "text", text: "Done." }] },
      { role: "user", content: [{ type: "text", text: "Well?" }] },
    ],
  });
  assert.deepEqual(rules, []);
});

test("Chat Completions has a message for each result", () => {
  const { body } = request("openai-chat", { messages: RUN(), system: "Be brief.", maxTokens: 10 });
  const called = (name, input) => ({ type: "function", function: { name, arguments: input } });
  assert.deepEqual(body, {
    ...{ model: "m", stream: true, stream_options: { include_usage: true } },
    max_completion_tokens: 10,
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Look" },
      {
        ...{ role: "assistant", content: "I look." },
        tool_calls: [
          { id: "a", ...called("read", '{"p":1}') },
          { id: "b", ...called("roll", "{}") },
        ],
      },
      { role: "tool", tool_call_id: "a", content: "one" },
      { role: "tool", tool_call_id: "b", content: "no dice" },
      { role: "assistant", content: "Done." },
      { role: "user", content: "Well?" },
    ],
  });
});

test("Responses has items", () => {
  const { body } = request("openai-responses", {
    messages: RUN(),
    system: ["A.", "B."],
    maxTokens: 10,
  });
  assert.deepEqual(body, {
    ...{ model: "m", stream: true, store: false, include: ["reasoning.encrypted_content"] },
    ...{ instructions: "A.\n\nB.", max_output_tokens: 10 },
    input: [
      { role: "user", content: [{ type: "input_text", text: "Look" }] },
      { role: "assistant", content: "I look." },
      { type: "function_call", call_id: "a", name: "read", arguments: '{"p":1}' },
      { type: "function_call", call_id: "b", name: "roll", arguments: "{}" },
      { type: "function_call_output", call_id: "a", output: "one" },
      { type: "function_call_output", call_id: "b", output: "no dice" },
      { role: "assistant", content: "Done." },
      { role: "user", content: [{ type: "input_text", text: "Well?" }] },
    ],
  });
  assert.equal(
    "include" in request("openai-responses", { messages: RUN(), store: true }).body,
    false,
  );
});

test("Gemini has contents, and neither the model nor the stream", () => {
  const { body } = request("gemini", {
    messages: RUN(),
    system: "A.",
    maxTokens: 10,
    model: "gemini-3-pro",
  });
  assert.deepEqual(body, {
    systemInstruction: { parts: [{ text: "A." }] },
    contents: [
      { role: "user", parts: [{ text: "Look" }] },
      {
        role: "model",
        parts: [
          { text: "I look." },
          {
            functionCall: { name: "read", args: { p: 1 } },
            thoughtSignature: "skip_thought_signature_validator",
          },
          { functionCall: { name: "roll", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { name: "read", response: { output: "one" } } },
          { functionResponse: { name: "roll", response: { error: "no dice" } } },
        ],
      },
      { role: "model", parts: [{ text: "Done." }] },
      { role: "user", parts: [{ text: "Well?" }] },
    ],
    generationConfig: { maxOutputTokens: 10 },
  });
});

describe("files of the user", () => {
  const of = (format, one) => {
    const { body, rules } = request(format, { messages: [user("See", one)] });
    const [message] = messagesOf(body);
    const content = message.content ?? message.parts;
    return [typeof content === "string" ? content.split("\n").at(-1) : content.at(-1), rules];
  };
  const LINK = "https://example.org/a";
  const blocks = {
    image: {
      anthropic: {
        type: "image",
        source: { type: "base64", media_type: "image/png", data: "aGk=" },
      },
      "openai-chat": { type: "image_url", image_url: { url: PNG } },
      "openai-responses": { type: "input_image", image_url: PNG, detail: "auto" },
      gemini: { inlineData: { mimeType: "image/png", data: "aGk=" } },
    },
    "image of the web": {
      anthropic: { type: "image", source: { type: "url", url: LINK } },
      "openai-chat": { type: "image_url", image_url: { url: LINK } },
      "openai-responses": { type: "input_image", image_url: LINK, detail: "auto" },
      gemini: { fileData: { mimeType: "image/png", fileUri: LINK } },
    },
    pdf: {
      anthropic: {
        ...{ type: "document", title: "a.pdf" },
        source: { type: "base64", media_type: "application/pdf", data: "aGk=" },
      },
      "openai-chat": { type: "file", file: { filename: "a.pdf", file_data: PDF } },
      "openai-responses": { type: "input_file", filename: "a.pdf", file_data: PDF },
      gemini: { inlineData: { mimeType: "application/pdf", data: "aGk=" } },
    },
    "pdf of the web": {
      anthropic: { type: "document", title: "a.pdf", source: { type: "url", url: LINK } },
      "openai-chat": "[Attached application/pdf: a.pdf]",
      "openai-responses": { type: "input_file", file_url: LINK },
      gemini: { fileData: { mimeType: "application/pdf", fileUri: LINK } },
    },
    text: {
      anthropic: { type: "text", text: "hé" },
      "openai-chat": "hé",
      "openai-responses": { type: "input_text", text: "hé" },
      gemini: { inlineData: { mimeType: "text/plain", data: "aMOp" } },
    },
    audio: {
      anthropic: { type: "text", text: "[Attached audio/wav: file]" },
      "openai-chat": { type: "input_audio", input_audio: { data: "aGk=", format: "wav" } },
      "openai-responses": { type: "input_text", text: "[Attached audio/wav: file]" },
      gemini: { inlineData: { mimeType: "audio/wav", data: "aGk=" } },
    },
    folder: {
      anthropic: { type: "text", text: "[Attached application/x-directory: src]" },
      "openai-chat": "[Attached application/x-directory: src]",
      "openai-responses": { type: "input_text", text: "[Attached application/x-directory: src]" },
      gemini: { text: "[Attached application/x-directory: src]" },
    },
    "something else": {
      anthropic: { type: "text", text: "[Attached video/mp4: file]" },
      "openai-chat": "[Attached video/mp4: file]",
      "openai-responses": { type: "input_text", text: "[Attached video/mp4: file]" },
      gemini: { inlineData: { mimeType: "video/mp4", data: "aGk=" } },
    },
  };
  const FILES = {
    image: file("image/png", PNG),
    "image of the web": file("image/png", LINK),
    pdf: file("application/pdf", PDF, "a.pdf"),
    "pdf of the web": file("application/pdf", LINK, "a.pdf"),
    text: file("text/plain", "data:text/plain,h%C3%A9"),
    audio: file("audio/wav", "data:audio/wav;base64,aGk="),
    folder: file("application/x-directory", "file:///src", "src"),
    "something else": file("video/mp4", "data:video/mp4;base64,aGk="),
  };
  for (const [name, one] of Object.entries(FILES))
    for (const format of FORMATS)
      test(`${name} for ${format}`, () => {
        const [block, rules] = of(format, one);
        const wanted = blocks[name][format];
        assert.deepEqual(block, wanted);
        const isAttached = JSON.stringify(wanted).includes("[Attached");
        assert.deepEqual(rules, isAttached ? ["RQ-1"] : []);
      });

  test("an image of any kind has the type of its data", () => {
    const [block] = of("anthropic", file("image/*", "data:image/webp;base64,aGk="));
    assert.equal(block.source.media_type, "image/webp");
  });
});

describe("files of a result", () => {
  const messages = [
    user("Draw"),
    answer({}, STEP, done("a", "draw", {}, "A cat", { attachments: [file("image/png", PNG)] })),
    user("Thanks"),
  ];

  test("Anthropic has them in the result, the text first", () => {
    const { body } = request("anthropic", { messages });
    assert.deepEqual(
      body.messages[2].content[0].content.map(({ type }) => type),
      ["text", "image"],
    );
  });
  test("Chat Completions has them in a message of the user behind the results", () => {
    const { body } = request("openai-chat", { messages });
    assert.deepEqual(body.messages.slice(2, 4), [
      { role: "tool", tool_call_id: "a", content: "A cat" },
      {
        role: "user",
        content: [
          { type: "text", text: "Tool draw returned an attachment:" },
          { type: "image_url", image_url: { url: PNG } },
        ],
      },
    ]);
  });
  test("Responses has them in the output", () => {
    const { body } = request("openai-responses", { messages });
    assert.deepEqual(body.input[2].output, [
      { type: "input_text", text: "A cat" },
      { type: "input_image", image_url: PNG, detail: "auto" },
    ]);
  });
  test("Gemini has them in the response from version 3 on, before that behind it", () => {
    const sent = { inlineData: { mimeType: "image/png", data: "aGk=" } };
    const [response, next] = request("gemini", { messages, model: "models/gemini-3-pro" }).body
      .contents[2].parts;
    assert.deepEqual([response.functionResponse.parts, next], [[sent], { text: "Thanks" }]);
    const old = parts.toRequest("gemini", { messages, model: "gemini-2.5-pro" }).contents[2].parts;
    assert.deepEqual([old[0].functionResponse.parts, old[1]], [undefined, sent]);
  });
});

test("a cleared output goes as its placeholder, without its files", () => {
  const cleared = {
    attachments: [file("image/png", PNG)],
    time: { start: 1, end: 2, compacted: 3 },
  };
  const messages = [
    user("Go"),
    answer({}, STEP, done("a", "read", {}, "long", cleared)),
    user("On"),
  ];
  for (const format of FORMATS) {
    const { body, rules } = request(format, { messages });
    const json = JSON.stringify(body);
    assert.ok(json.includes("[Old tool result content cleared]"), format);
    assert.ok(!json.includes("long") && !json.includes("aGk="), format);
    assert.deepEqual(
      rules.filter((rule) => rule !== "RQ-4"),
      [],
    );
  }
});

test("only the last compaction and what follows it are sent", () => {
  const messages = [
    user("Old"),
    answer({}, STEP, text("Older answer")),
    user({ type: "compaction", auto: true }),
    answer({ summary: true, finish: "stop" }, STEP, text("The summary")),
    user("New"),
  ];
  messages[3].info.parentID = messages[2].info.id;
  for (const format of FORMATS) {
    const json = JSON.stringify(request(format, { messages }).body);
    assert.ok(!json.includes("Old"), format);
    assert.ok(json.includes("What did we do so far?") && json.includes("The summary"), format);
  }
});

describe("tools", () => {
  const inputSchema = { $schema: "http://json-schema.org/draft-07/schema#", type: "object" };
  const tools = [
    { name: "read", description: "Reads", inputSchema },
    { name: "ping", strict: true },
  ];
  const empty = { type: "object", properties: {} };
  const declared = (format, options) =>
    request(format, { messages: [user("Go")], tools, ...options }).body.tools;

  test("as each format declares them, without $schema", () => {
    assert.deepEqual(declared("anthropic"), [
      { name: "read", description: "Reads", input_schema: { type: "object" } },
      { name: "ping", input_schema: empty },
    ]);
    assert.deepEqual(declared("openai-chat"), [
      {
        type: "function",
        function: { name: "read", description: "Reads", parameters: { type: "object" } },
      },
      { type: "function", function: { name: "ping", parameters: empty, strict: true } },
    ]);
    assert.deepEqual(declared("openai-responses"), [
      {
        type: "function",
        name: "read",
        description: "Reads",
        parameters: { type: "object" },
        strict: false,
      },
      { type: "function", name: "ping", parameters: empty, strict: true },
    ]);
    assert.deepEqual(declared("gemini"), [
      {
        functionDeclarations: [
          { name: "read", description: "Reads", parametersJsonSchema: { type: "object" } },
          { name: "ping", parametersJsonSchema: empty },
        ],
      },
    ]);
    assert.equal(inputSchema.$schema, "http://json-schema.org/draft-07/schema#");
  });

  test("a name that is refused is mapped in tools and calls alike, and told once", () => {
    const name = "mcp server/read file";
    const messages = [
      user("Go"),
      answer({}, STEP, done("a", name, {}, "one")),
      answer({}, STEP, done("b", name, {}, "two")),
      user("On"),
    ];
    for (const format of FORMATS) {
      const { body, rules } = request(format, { messages, tools: [{ name }] });
      const found = JSON.stringify(body).match(/mcp_server_read_file_[0-9a-f]{8}/g);
      assert.ok(found.length >= 3 && new Set(found).size === 1, format);
      assert.deepEqual(
        rules.filter((rule) => rule === "RQ-5"),
        ["RQ-5"],
        format,
      );
    }
    const long = `${"x".repeat(200)}`;
    const { body } = request("openai-chat", { messages: [user("Go")], tools: [{ name: long }] });
    assert.match(body.tools[0].function.name, /^x{55}_[0-9a-f]{8}$/);
  });
});

test("cache marks the last block of the instructions, the tools and the last two messages of the user", () => {
  const options = {
    messages: RUN(),
    system: ["A.", "B."],
    tools: [{ name: "read" }, { name: "ping" }],
  };
  const { body } = request("anthropic", { ...options, cache: true });
  const marked = (list) => list.map(({ cache_control: mark }) => mark?.type === "ephemeral");
  assert.deepEqual(marked(body.system), [false, true]);
  assert.deepEqual(marked(body.tools), [false, true]);
  assert.deepEqual(
    body.messages.map(({ content }) => marked(content).includes(true)),
    [false, false, true, false, true],
  );
  assert.ok(!JSON.stringify(request("anthropic", options).body).includes("cache_control"));
});

describe("limits and streams", () => {
  const messages = [user("Go")];
  test("deepseek, groq, xai and mistral have the older limit", () => {
    for (const provider of ["deepseek", "groq", "xai", "mistral"]) {
      const { body } = request("openai-chat", { messages, provider, maxTokens: 9 });
      assert.deepEqual([body.max_tokens, body.max_completion_tokens], [9, undefined], provider);
    }
  });
  test("an answer that is not a stream is asked for as one", () => {
    const { body } = request("openai-chat", { messages, stream: false });
    assert.deepEqual([body.stream, body.stream_options], [false, undefined]);
    assert.equal(request("anthropic", { messages, stream: false }).body.stream, false);
  });
});

describe("servers of Chat Completions", () => {
  const messages = [user("Go"), answer({}, STEP, done("call_1", "read", {}, "one")), user("On")];
  test("mistral gets its ids, the name of a tool, and an answer between a tool and the user", () => {
    const { body, rules } = request("openai-chat", {
      messages,
      model: "mistral-large-latest",
      provider: "mistral",
    });
    const [, called, result, between] = body.messages;
    assert.match(called.tool_calls[0].id, /^[A-Za-z0-9]{9}$/);
    assert.equal(result.tool_call_id, called.tool_calls[0].id);
    assert.equal(result.name, "read");
    assert.deepEqual(between, { role: "assistant", content: "Understood." });
    assert.deepEqual(rules, ["RP-6"]);
  });
  test("mistral gets reasoning in its content", () => {
    const thought = reasoning("Hm.", { openaiCompatible: { thinking: true } });
    const { body } = request("openai-chat", {
      ...{ provider: "mistral", model: "magistral" },
      messages: [user("Go"), answer({}, STEP, thought, text("Yes."))],
    });
    assert.deepEqual(body.messages[1].content, [
      { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
      { type: "text", text: "Yes." },
    ]);
  });
  test("deepseek gets reasoning_content with every message", () => {
    const { body } = request("openai-chat", { messages, provider: "deepseek" });
    assert.equal(body.messages[1].reasoning_content, "");
  });
});

test("messages of a run join their results, and system messages are instructions", () => {
  const message = (role, ...list) => ({ runId: "r", role, parts: list, timestamp: "" });
  const said = (text) => ({ kind: "text", payload: { text } });
  const result = (toolCallId, content, isError = false) => ({
    kind: "tool_result",
    payload: { toolCallId, isError, content },
  });
  const messages = [
    message("system", said("Rules.")),
    message("user", said("Look"), {
      kind: "image",
      payload: { mimeType: "image/png", data: "aGk=" },
    }),
    message(
      "assistant",
      { kind: "thinking", payload: { text: "Hm.", provider: { anthropic: { signature: "S" } } } },
      { kind: "tool_call", payload: { toolCallId: "a", toolName: "read", arguments: { p: 1 } } },
      {
        kind: "tool_call",
        payload: { toolCallId: "b", toolName: "read", arguments: {}, rawArgsText: '{"p' },
      },
    ),
    message("tool", result("a", { rolled: 6 }, true), result("x", "lost")),
    message("user", said("Well?")),
  ];
  const { body, problems } = request("anthropic", { messages });
  assert.deepEqual(body.system, [{ type: "text", text: "Rules." }]);
  assert.deepEqual(body.messages[1].content, [
    { type: "thinking", thinking: "Hm.", signature: "S" },
    { type: "tool_use", id: "a", name: "read", input: { p: 1 } },
    { type: "tool_use", id: "b", name: "read", input: {} },
  ]);
  assert.deepEqual(
    body.messages[2].content.map(({ content, is_error: isError }) => [content, isError]),
    [
      ['{"rolled":6}', true],
      ["[Tool execution was interrupted]", true],
      [undefined, undefined],
    ],
  );
  assert.deepEqual(
    problems.map(({ rule, path }) => [rule, path]),
    [
      ["RP-2", "/3/parts/1"],
      ["RP-1", "/2/parts/2"],
    ],
  );
});

test("an option that is not what it has to be is refused", () => {
  const good = { model: "m", messages: [] };
  const wrong = [
    ["cohere", good],
    ["toString", good],
    ["anthropic"],
    ["anthropic", { messages: [] }],
    ["anthropic", { model: "m" }],
    ["anthropic", { model: "m", messages: "Hi" }],
    ["openai-chat", { ...good, tools: {} }],
    ["openai-chat", { ...good, tools: [{ name: "" }] }],
    ["openai-chat", { ...good, tools: [{ name: "a", inputSchema: "x" }] }],
    ["openai-chat", { ...good, system: 5 }],
    ["openai-chat", { ...good, maxTokens: 0 }],
    ["openai-chat", { ...good, foreignReasoning: "keep" }],
    ["openai-chat", { ...good, onProblem: 1 }],
  ];
  for (const given of wrong)
    assert.throws(
      () => parts.toRequest(...given),
      { name: "PartValidationError" },
      JSON.stringify(given),
    );
});
