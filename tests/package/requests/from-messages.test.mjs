// fromMessages: histories of seven formats as messages with parts.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, describe, test } from "node:test";
import { at, consumer, requireFrom } from "../helper.mjs";

let parts;
before(async () => {
  parts = requireFrom(await consumer("from-messages"))("apex-parts");
});

const FORMATS = [
  ...["anthropic", "openai-chat", "openai-responses", "gemini"],
  ...["ai-sdk", "ai-sdk-model", "sharegpt"],
];
const options = { sessionID: "ses_1", now: 5, model: { providerID: "p", modelID: "m" } };
const bodyOf = async (format) =>
  JSON.parse(await readFile(at("tests", "fixtures", "messages", `${format}.json`), "utf8"));
const found = ({ problems }) =>
  problems.map(({ severity, rule, path }) => `${severity} ${rule} ${path}`);
const toolsOf = ({ messages }) =>
  messages.flatMap((message) => message.parts.filter(({ type }) => type === "tool"));
/** The value, of which nothing can be changed. */
function frozen(value) {
  if (typeof value !== "object" || value === null) return value;
  for (const field of Object.values(value)) frozen(field);
  return Object.freeze(value);
}
/** The parts of an answer without its steps. */
const said = ({ parts: list }) => list.filter(({ type }) => !type.startsWith("step-"));

describe("the same conversation in each format", () => {
  for (const format of FORMATS) {
    test(`${format}: texts, calls, results, instructions and tools are read`, async () => {
      const body = await bodyOf(format);
      const made = parts.fromMessages(format, body, options);
      assert.deepEqual(made.problems, []);
      assert.equal(made.format, format);
      assert.equal(made.system, "Answer in one sentence.");
      const texts = made.messages.flatMap((message) =>
        message.parts.filter(({ type, text }) => type === "text" && text !== ""),
      );
      assert.deepEqual(
        texts.map(({ text }) => text),
        ["What is in these files?", "I look.", "One says alpha.", "Thanks"],
      );
      const calls = toolsOf(made).filter(({ tool }) => tool === "read");
      assert.deepEqual(calls[0].state.input, { path: "a.txt" });
      assert.equal(calls[0].state.output, "alpha");
      if (format !== "sharegpt") {
        const { state } = calls[1];
        assert.equal(state.error ?? state.output, "no such file");
        assert.equal(calls[1].callID, "call_2");
        const [, image] = made.messages[0].parts;
        assert.deepEqual(
          [image.type, image.mime, image.url],
          ["file", "image/png", "data:image/png;base64,iVBORw0KGgo="],
        );
      }
      if (!format.startsWith("ai-sdk")) {
        const [{ name, description, inputSchema }] = made.tools;
        assert.deepEqual([name, description], ["read", "Reads a file"]);
        assert.deepEqual(inputSchema.required, ["path"]);
      }
    });

    test(`${format}: "auto" finds the format, and reading twice gives the same`, async () => {
      const body = await bodyOf(format);
      const made = parts.fromMessages("auto", body, options);
      assert.equal(made.format, format);
      assert.deepEqual(made, parts.fromMessages(format, body, options));
      assert.deepEqual(body, await bodyOf(format));
      assert.deepEqual(made, parts.fromMessages(format, frozen(body), options));
    });

    test(`${format}: messages are valid and have steps, ids and times`, async () => {
      const { messages } = parts.fromMessages(format, await bodyOf(format), options);
      const { problems } = parts.PartValidator.validateTranscript(messages, { ids: "opencode" });
      assert.deepEqual(
        problems.filter(({ severity }) => severity === "error"),
        [],
      );
      const ids = messages.flatMap(({ info, parts: list }) => [info, ...list]).map(({ id }) => id);
      assert.equal(new Set(ids).size, ids.length);
      for (const { info, parts: list } of messages) {
        assert.deepEqual([info.sessionID, info.time.created, info.agent], ["ses_1", 5, format]);
        list.forEach((part, index) => {
          assert.deepEqual([part.id, part.messageID], [`${info.id}:${index}`, info.id]);
        });
        if (info.role !== "assistant") continue;
        assert.equal(list[0].type, "step-start");
        assert.equal(list.at(-1).type, "step-finish");
        const reason = list.some(({ type }) => type === "tool") ? "tool-calls" : "stop";
        assert.deepEqual([info.finish, list.at(-1).reason], [reason, reason]);
      }
      parts.toModelMessage(messages);
    });
  }

  test("defaults: the format as session, the time 0, no model", () => {
    const [{ info }] = parts.fromMessages("gemini", [{ role: "user", parts: [] }]).messages;
    assert.deepEqual([info.id, info.sessionID, info.time.created], ["gemini:0", "gemini", 0]);
    assert.deepEqual(info.model, { providerID: "", modelID: "" });
  });
});

describe("toRequest", () => {
  const LISTS = {
    ...{ anthropic: "messages", "openai-chat": "messages" },
    ...{ "openai-responses": "input", gemini: "contents" },
  };
  /** What a body may have and a request need not: marks, states, defaults, and one text in two forms. */
  const plain = (value) => {
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== "object" || value === null) return value;
    const aside = ["cache_control", "status", "logprobs"];
    const made = {};
    for (const [name, field] of Object.entries(value)) {
      const isDefault =
        (name === "annotations" && field.length === 0) ||
        name === "detail" ||
        (name === "is_error" && field === false) ||
        (name === "type" && field === "message");
      if (field !== null && !aside.includes(name) && !isDefault) made[name] = plain(field);
    }
    for (const name of ["content", "output"]) {
      const [first, ...more] = Array.isArray(made[name]) ? made[name] : [];
      const isText = first !== undefined && Object.keys(first).join() === "type,text";
      if (isText && more.length === 0 && made.id === undefined) made[name] = first.text;
    }
    return made;
  };

  for (const [format, name] of Object.entries(LISTS))
    test(`${format}: gives the messages of the body again`, async () => {
      const body = await bodyOf(format);
      // Chat Completions write results in the order of the calls.
      if (format === "openai-chat") {
        const [system, asked, said, second, first, ...rest] = body.messages;
        body.messages = [system, asked, said, first, second, ...rest];
      }
      const { messages, system, tools } = parts.fromMessages(format, body);
      const model = format === "gemini" ? "gemini-2.5-pro" : "m";
      const made = parts.toRequest(format, { model, messages, system, tools });
      assert.deepEqual(plain(made[name]), plain(body[name]));
      if (format.startsWith("openai")) assert.deepEqual(made.tools, body.tools);
    });
});

describe("the state of a provider", () => {
  test("anthropic", async () => {
    const { messages } = parts.fromMessages("anthropic", await bodyOf("anthropic"), options);
    const [thinking, redacted, , search, , called] = said(messages[1]);
    assert.deepEqual(thinking.metadata, { anthropic: { signature: "SIG-1" } });
    assert.deepEqual([redacted.type, redacted.text], ["reasoning", ""]);
    assert.deepEqual(redacted.metadata, { anthropic: { redactedData: "RED-1" } });
    const { result, ...state } = search.metadata.anthropic;
    assert.deepEqual(state, { type: "server_tool_use", index: 3, resultIndex: 4 });
    assert.equal(result.type, "web_search_tool_result");
    assert.equal("tool_use_id" in result, false);
    assert.deepEqual([search.metadata.providerExecuted, search.state.status], [true, "completed"]);
    assert.deepEqual(called.metadata, { anthropic: { block: { caller: { type: "direct" } } } });
    assert.equal(called.state.status, "error");
    assert.equal(said(messages[2])[0].metadata.anthropic.citations.length, 1);
    const unsigned = [{ type: "thinking", thinking: "Hm." }];
    const other = [
      ...[...unsigned, { type: "compaction", content: "so far" }],
      { type: "mcp_tool_use", id: "m", name: "find", server_name: "s", input: {} },
      { type: "mcp_tool_result", tool_use_id: "m", is_error: true, content: "no" },
    ];
    const read = parts.fromMessages("anthropic", [{ role: "assistant", content: other }]);
    const [hm, compaction, call] = said(read.messages[0]);
    assert.deepEqual(hm.metadata, { anthropic: { unsigned: true } });
    assert.equal(compaction.type, "anthropic-compaction");
    assert.deepEqual(compaction.metadata, { anthropic: { block: other[1] } });
    assert.deepEqual(call.metadata.anthropic, {
      ...{ type: "mcp_tool_use", index: 2, block: { server_name: "s" }, resultIndex: 3 },
      result: { type: "mcp_tool_result", is_error: true, content: "no" },
    });
    assert.deepEqual([call.state.status, call.state.error], ["error", "no"]);
  });

  test("openai-chat", async () => {
    const { messages } = parts.fromMessages("openai-chat", await bodyOf("openai-chat"), options);
    const [, image] = messages[0].parts;
    assert.deepEqual(image.metadata, { openaiCompatible: { detail: "low" } });
    const [thought, , one, two] = said(messages[1]);
    assert.deepEqual(thought.metadata.openaiCompatible, { field: "reasoning" });
    assert.equal(thought.metadata.openrouter.reasoning_details[0].signature, "SIG-1");
    assert.deepEqual(one.metadata, { openaiCompatible: { arguments: '{"path": "a.txt"}' } });
    const extra_content = { google: { thought_signature: "TS-1" } };
    assert.deepEqual(two.metadata, { openaiCompatible: { extra_content } });
    const mistral = [{ type: "thinking", thinking: [{ type: "text", text: "Hm." }] }];
    const read = parts.fromMessages("auto", [{ role: "assistant", content: mistral }]);
    assert.equal(read.format, "openai-chat");
    const [part] = said(read.messages[0]);
    assert.deepEqual([part.type, part.text], ["reasoning", "Hm."]);
    assert.deepEqual(part.metadata, { openaiCompatible: { thinking: true } });
  });

  test("openai-responses", async () => {
    const body = await bodyOf("openai-responses");
    const { messages } = parts.fromMessages("openai-responses", body, options);
    const [first, second, text, search, one, two] = said(messages[1]);
    const state = { itemId: "rs_1", reasoningEncryptedContent: "ENC-1" };
    assert.deepEqual([first.metadata, second.metadata], [{ openai: state }, { openai: state }]);
    assert.deepEqual(text.metadata, { openai: { itemId: "msg_1", phase: "commentary" } });
    assert.deepEqual(search.metadata, {
      ...{ openai: { itemId: "ws_1", item: body.input[3] }, providerExecuted: true },
    });
    assert.deepEqual(search.state.input, { type: "search", query: "files" });
    const kept = { itemId: "fc_1", arguments: '{"path": "a.txt"}' };
    assert.deepEqual(
      [one.metadata, two.metadata],
      [{ openai: kept }, { openai: { itemId: "fc_2" } }],
    );
    assert.equal(said(messages[2])[0].metadata.openai.annotations.length, 1);
    const items = [
      { type: "custom_tool_call", id: "ctc_1", call_id: "c", name: "sql", input: "select 1" },
      { type: "custom_tool_call_output", call_id: "c", output: "1" },
      { type: "message", role: "assistant", content: [{ type: "refusal", refusal: "No." }] },
      { type: "compaction", id: "cmp_1", encrypted_content: "E" },
      { type: "mcp_approval_request", id: "mcpr_1", name: "rm", arguments: "{}" },
      { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: false },
    ];
    const read = parts.fromMessages("auto", items);
    assert.deepEqual([read.format, found(read)], ["openai-responses", []]);
    const [custom] = said(read.messages[0]);
    assert.deepEqual(custom.metadata, { openai: { itemId: "ctc_1", custom: "select 1" } });
    assert.deepEqual(custom.state.input, { input: "select 1" });
    const [refusal, compaction, approval] = said(read.messages[1]);
    assert.deepEqual([refusal.text, refusal.metadata], ["No.", { openai: { refusal: true } }]);
    assert.equal(compaction.type, "openai-compaction");
    assert.deepEqual(compaction.metadata, { openai: { item: items[3] } });
    assert.deepEqual([approval.state.status, approval.state.error], ["error", "denied"]);
  });

  test("gemini", async () => {
    const body = await bodyOf("gemini");
    const { messages } = parts.fromMessages("gemini", body, options);
    const [thought, , code, one, two] = said(messages[1]);
    assert.deepEqual(
      [thought.type, thought.metadata],
      ["reasoning", { google: { thought: true } }],
    );
    const [, , whole, result] = body.contents[1].parts;
    assert.deepEqual(code.metadata, { google: { part: whole, result }, providerExecuted: true });
    assert.equal(code.state.output, "2\n");
    assert.deepEqual(one.metadata, { google: { thoughtSignature: "TS-1" } });
    assert.deepEqual(two.metadata, { google: { id: "call_2" } });
    const [, signed] = said(messages[2]);
    assert.deepEqual(
      [signed.text, signed.metadata],
      ["", { google: { thoughtSignature: "TS-2" } }],
    );
    const snake = [
      {
        role: "model",
        parts: [{ function_call: { name: "f", args: {} }, thought_signature: "T" }],
      },
      { role: "user", parts: [{ function_response: { name: "f", response: { files: [1] } } }] },
    ];
    const [part] = toolsOf(parts.fromMessages("auto", snake));
    assert.equal(part.metadata.google.thoughtSignature, "T");
    assert.equal(part.state.output, '{"files":[1]}');
    assert.deepEqual(part.state.metadata, { output: { files: [1] } });
  });
});

describe("the AI SDK's messages", () => {
  const call = (state, more) => ({
    type: "tool-t",
    toolCallId: "c",
    state,
    input: { a: 1 },
    ...more,
  });
  const readCall = (state, more) =>
    toolsOf(parts.fromMessages("ai-sdk", [{ role: "assistant", parts: [call(state, more)] }]))[0];

  test("each state of a call", () => {
    const approval = { id: "ap" };
    const pending = readCall("input-streaming", { rawInput: '{"a":' });
    assert.deepEqual([pending.state.status, pending.state.raw], ["pending", '{"a":']);
    assert.equal(readCall("input-available").state.status, "running");
    const asked = readCall("approval-requested", { approval });
    assert.deepEqual([asked.state.status, asked.metadata], ["running", { approval }]);
    const early = readCall("output-available", { output: "x", preliminary: true });
    assert.equal(early.state.status, "running");
    const value = readCall("output-available", { output: { b: [2] }, providerExecuted: true });
    assert.deepEqual(
      [value.state.output, value.state.metadata, value.metadata],
      [
        ...['{"b":[2]}', { output: { b: [2] } }],
        { providerExecuted: true, "ai-sdk": { providerExecuted: true } },
      ],
    );
    const failed = readCall("output-error", { errorText: "no" });
    assert.deepEqual([failed.state.status, failed.state.error], ["error", "no"]);
    assert.equal(readCall("output-denied", { approval }).state.error, "denied");
    const why = readCall("output-denied", { approval: { ...approval, reason: "why" } });
    assert.equal(why.state.error, "why");
  });

  test("a step-start begins another message", () => {
    const step = { type: "step-start" };
    const text = (said) => ({ type: "text", text: said });
    const list = [step, text("a"), step, text("b"), step];
    const { messages } = parts.fromMessages("ai-sdk", [
      { id: "m", role: "assistant", parts: list },
    ]);
    assert.deepEqual(
      messages.map((message) => [message.info.id, said(message).map((part) => part.text)]),
      [
        ["m", ["a"]],
        ["ai-sdk:1", ["b"]],
        ["ai-sdk:2", []],
      ],
    );
  });

  test("what only version 7 has comes back under it alone", () => {
    const own = [
      { type: "custom", kind: "openai.compaction", providerMetadata: { openai: { itemId: "i" } } },
      { type: "reasoning-file", mediaType: "image/png", url: "data:image/png;base64,AA==" },
      { type: "steering-message", id: "u", parts: [{ type: "text", text: "left" }] },
    ];
    const others = [
      { type: "source-url", sourceId: "s", url: "https://example.org" },
      { type: "data-note", data: 5 },
    ];
    const text = { type: "text", text: "t" };
    const list = [...own, ...others, text];
    const { messages } = parts.fromMessages("auto", [{ id: "m", role: "assistant", parts: list }]);
    assert.deepEqual(
      said(messages[0]).map(({ type }) => type),
      [...[...own, ...others].map(({ type }) => `ai-sdk-${type}`), "text"],
    );
    assert.deepEqual(parts.toModelMessage(messages)[0].parts, [text]);
    assert.deepEqual(parts.toModelMessage(messages, { sdk: 6 })[0].parts, [text]);
    assert.deepEqual(parts.toModelMessage(messages, { sdk: 7 })[0].parts, [...own, text]);
    assert.throws(() => parts.toModelMessage(messages, { sdk: 5 }), {
      name: "PartValidationError",
    });
  });

  test("the metadata of a message is kept, and not sent", () => {
    const text = { type: "text", text: "t" };
    const message = (role) => ({ id: role, role, metadata: { a: 1 }, parts: [text] });
    const { messages, problems } = parts.fromMessages("auto", [
      message("user"),
      message("assistant"),
    ]);
    assert.deepEqual(problems, []);
    const kept = { "ai-sdk": { message: { a: 1 } } };
    assert.deepEqual(messages[0].parts[0].metadata, kept);
    assert.deepEqual(messages[1].parts.at(-1).metadata, kept);
    for (const { parts: list } of parts.toModelMessage(messages, { sdk: 7 }))
      assert.deepEqual(list, [text]);
    const { problems: found } = parts.PartValidator.validateTranscript(messages, {
      ids: "opencode",
    });
    assert.deepEqual(found, []);
  });

  test("files in every form have an address", () => {
    const png = "iVBORw0KGgo=";
    const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
    const url = `data:image/png;base64,${png}`;
    const forms = [
      ...[
        png,
        url,
        new URL(url),
        bytes,
        bytes.buffer,
        JSON.parse(JSON.stringify(Buffer.from(bytes))),
      ],
      ...[
        { type: "data", data: png },
        { type: "data", data: bytes },
        { type: "url", url },
      ],
    ];
    for (const data of forms) {
      const content = [{ type: "file", mediaType: "image/png", data }];
      const made = parts.fromMessages("ai-sdk-model", [{ role: "user", content }]);
      assert.deepEqual(found(made), []);
      assert.equal(made.messages[0].parts[0].url, url);
      const image = [{ type: "image", image: data, mediaType: "image/png" }];
      const [message] = parts.fromMessages("ai-sdk-model", [
        { role: "user", content: image },
      ]).messages;
      assert.equal(message.parts[0].url, url);
    }
    const note = { type: "file", mediaType: "text/plain", data: { type: "text", text: "né" } };
    const [message] = parts.fromMessages("auto", [{ role: "user", content: [note] }]).messages;
    assert.equal(message.parts[0].url, "data:text/plain;base64,bsOp");
    assert.equal(parts.toModelMessage([message])[0].parts.length, 1);
    const data = { type: "reference", reference: { openai: "file_1" } };
    const held = { type: "file", mediaType: "application/pdf", data };
    const { messages } = parts.fromMessages("auto", [{ role: "user", content: [held] }]);
    assert.deepEqual(parts.toModelMessage(messages, { sdk: 7 })[0].parts, [
      {
        type: "file",
        mediaType: "application/pdf",
        url: "",
        providerReference: { openai: "file_1" },
      },
    ]);
  });

  test("each kind of output", () => {
    const file = { mediaType: "image/png", data: "iVBORw0KGgo=" };
    const outputs = [
      [{ type: "text", value: "t" }, "completed", "t"],
      [{ type: "json", value: { a: 1 } }, "completed", '{"a":1}'],
      [{ type: "json", value: null }, "completed", "null"],
      [{ type: "error-text", value: "no" }, "error", "no"],
      [{ type: "error-json", value: { a: 1 } }, "error", '{"a":1}'],
      [{ type: "execution-denied", reason: "why" }, "error", "why"],
      [{ type: "execution-denied" }, "error", "denied"],
      ...["media", "file", "file-data", "image-data"].map((type) => [
        {
          type: "content",
          value: [
            { type: "text", text: "t" },
            { type, ...file },
          ],
        },
        ...["completed", "t", "data:image/png;base64,iVBORw0KGgo="],
      ]),
    ];
    for (const [output, status, text, url] of outputs) {
      const own = { toolCallId: "c", toolName: "t" };
      const made = parts.fromMessages("auto", [
        { role: "assistant", content: [{ type: "tool-call", ...own, input: {} }] },
        { role: "tool", content: [{ type: "tool-result", ...own, output }] },
      ]);
      assert.deepEqual([made.format, found(made)], ["ai-sdk-model", []]);
      const [{ state }] = toolsOf(made);
      assert.deepEqual([state.status, state.output ?? state.error], [status, text]);
      assert.equal(state.attachments?.[0].url, url);
    }
  });

  test("an approval is state of its call and goes out again", () => {
    const own = { toolCallId: "c", toolName: "t" };
    const { messages, problems } = parts.fromMessages("auto", [
      {
        role: "assistant",
        content: [
          { type: "tool-call", ...own, input: {} },
          { type: "tool-approval-request", approvalId: "ap", toolCallId: "c" },
        ],
      },
      {
        role: "tool",
        content: [
          { type: "tool-approval-response", approvalId: "ap", approved: true },
          { type: "tool-result", ...own, output: { type: "text", value: "done" } },
        ],
      },
    ]);
    assert.deepEqual(problems, []);
    const [{ approval, output, callProviderMetadata }] = parts.toModelMessage(messages)[0].parts;
    assert.deepEqual([approval, output], [{ id: "ap", approved: true }, "done"]);
    assert.equal(callProviderMetadata, undefined);
  });
});

describe("what a body is", () => {
  const user = { role: "user", content: "Hi" };
  const auto = (body) => {
    const { format, messages } = parts.fromMessages("auto", body);
    return [format, messages.length];
  };

  test("an array, a body, one message, or a record with a prompt and a completion", () => {
    assert.deepEqual(auto([user]), ["openai-chat", 1]);
    assert.deepEqual(auto({ messages: [user] }), ["openai-chat", 1]);
    assert.deepEqual(auto(user), ["openai-chat", 1]);
    const completion = [{ role: "assistant", content: "Ho" }];
    assert.deepEqual(auto({ prompt: [user], completion }), ["openai-chat", 2]);
    assert.deepEqual(auto({ prompt: "Hi", completion: "Ho" }), ["openai-chat", 2]);
    assert.deepEqual(auto({ system: "s", messages: [user] }), ["anthropic", 1]);
    assert.deepEqual(auto({ input: "Hi" }), ["openai-responses", 1]);
    assert.deepEqual(auto({ contents: "Hi" }), ["gemini", 1]);
    assert.deepEqual(auto({ role: "user", parts: [{ text: "Hi" }] }), ["gemini", 1]);
    assert.deepEqual(auto([{ from: "human", value: "Hi" }]), ["sharegpt", 1]);
    const answer = { type: "message", role: "assistant", content: [], stop_reason: "end_turn" };
    assert.deepEqual(auto([user, answer]), ["anthropic", 2]);
    assert.deepEqual(auto([{ type: "local_shell_call", call_id: "c" }]), ["openai-responses", 1]);
    assert.deepEqual(auto([{ role: "user", content: [{ type: "input_text", text: "Hi" }] }]), [
      ...["openai-responses", 1],
    ]);
  });

  test("problems have the place in the body", () => {
    const wrong = [
      ["anthropic", { messages: [user, 5] }, "error schema /messages/1"],
      [
        "openai-chat",
        { prompt: [user], completion: [{ role: "x" }] },
        "error schema /completion/0/role",
      ],
      ["openai-responses", { input: [{ role: "robot" }] }, "error schema /input/0/role"],
      ["gemini", { contents: [{ role: "user", parts: [5] }] }, "error schema /contents/0/parts/0"],
      ["ai-sdk", [{ role: "user", parts: [{}] }], "error schema /0/parts/0"],
      ["ai-sdk-model", [{ role: "user", content: [5] }], "error schema /0/content/0"],
      ["sharegpt", [{ from: "x", value: "" }], "error schema /0/from"],
      [
        "anthropic",
        { messages: [user], tools: [{ type: "bash_20250124" }] },
        "warning schema /tools/0",
      ],
      ["anthropic", {}, "error schema "],
      ["gemini", null, "error schema "],
    ];
    for (const [format, body, problem] of wrong)
      assert.deepEqual(found(parts.fromMessages(format, body)), [problem], JSON.stringify(body));
  });

  test("of calls and results each format names the same", () => {
    const forms = {
      anthropic: (calls, results) => [
        {
          role: "assistant",
          content: calls.map((id) => ({ type: "tool_use", id, name: "t", input: {} })),
        },
        {
          role: "user",
          content: results.map((id) => ({ type: "tool_result", tool_use_id: id, content: "r" })),
        },
      ],
      "openai-chat": (calls, results) => [
        {
          role: "assistant",
          tool_calls: calls.map((id) => ({
            id,
            type: "function",
            function: { name: "t", arguments: "{}" },
          })),
        },
        ...results.map((id) => ({ role: "tool", tool_call_id: id, content: "r" })),
      ],
      "openai-responses": (calls, results) => [
        ...calls.map((call_id) => ({ type: "function_call", call_id, name: "t", arguments: "{}" })),
        ...results.map((call_id) => ({ type: "function_call_output", call_id, output: "r" })),
      ],
      gemini: (calls, results) => [
        {
          role: "model",
          parts: calls.map((id) => ({ functionCall: { id, name: "t", args: {} } })),
        },
        {
          role: "user",
          parts: results.map((id) => ({
            functionResponse: { id, name: "t", response: { output: "r" } },
          })),
        },
      ],
      "ai-sdk-model": (calls, results) => [
        {
          role: "assistant",
          content: calls.map((toolCallId) => ({
            type: "tool-call",
            toolCallId,
            toolName: "t",
            input: {},
          })),
        },
        {
          role: "tool",
          content: results.map((toolCallId) => ({
            ...{ type: "tool-result", toolCallId, toolName: "t" },
            output: { type: "text", value: "r" },
          })),
        },
      ],
    };
    const rules = (format, calls, results) => {
      const made = parts.fromMessages(format, forms[format](calls, results));
      const states = toolsOf(made).map(({ callID, state }) => `${callID} ${state.status}`);
      return [made.problems.map(({ rule }) => rule), states];
    };
    for (const format of Object.keys(forms)) {
      assert.deepEqual(rules(format, ["a"], []), [[], ["a running"]], format);
      assert.deepEqual(rules(format, ["a"], ["b"]), [["RP-2"], ["a running"]], format);
      assert.deepEqual(rules(format, ["a"], ["a", "a"]), [["RP-2"], ["a completed"]], format);
      assert.deepEqual(
        rules(format, ["a", "a"], ["a", "a"]),
        [["RP-3"], ["a completed", "a_2 completed"]],
        format,
      );
      assert.deepEqual(rules(format, ["a", "b"], ["b", "a"]), [
        ...[[], ["a completed", "b completed"]],
      ]);
    }
  });

  test("options and formats that are wrong are thrown", () => {
    const invalid = (...given) =>
      assert.throws(
        () => parts.fromMessages(...given),
        ({ name }) => name === "PartValidationError",
      );
    invalid("bedrock", []);
    invalid("toString", []);
    invalid(undefined, []);
    invalid("auto", [], 5);
    invalid("auto", [], { sessionID: "" });
    invalid("auto", [], { now: Number.NaN });
    invalid("auto", [], { model: { providerID: 1, modelID: "m" } });
  });
});
