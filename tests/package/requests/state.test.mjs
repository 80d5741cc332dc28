// State of a provider comes back to it equal; another provider gets what it accepts (PS, FS, RQ-2 … RQ-4, RQ-6).
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
  PNG,
  reasoning,
  STEP,
  text,
  user,
} from "./histories.mjs";
import { requestOf } from "./request.mjs";

let parts;
before(async () => {
  parts = requireFrom(await consumer("requests"))("apex-parts");
});

const request = (format, options) => requestOf(parts, format, options);

/** What the model said, of a history with one answer. */
function said(format, about, list, options = {}) {
  const messages = [user("Go"), answer(about, ...list), user("On")];
  const { body, rules } = request(format, { messages, ...options });
  const [, message] = messagesOf(body);
  if (format === "openai-responses")
    return { said: body.input.slice(1).filter(({ role }) => role !== "user"), rules };
  return { said: message.content ?? message.parts, message, rules };
}

const of = (key, state) => ({ [key]: state });
const signed = reasoning("Hm.", of("anthropic", { signature: "S" }));

describe("Anthropic", () => {
  test("gets its blocks again, each as it came", () => {
    const citations = [{ type: "char_location", cited_text: "a" }];
    const fallback = { type: "fallback", from: { model: "a" }, to: { model: "b" } };
    const { said: content, rules } = said("anthropic", {}, [
      ...[signed, reasoning("", of("anthropic", { redactedData: "R" }))],
      { type: "anthropic-fallback", metadata: of("anthropic", { block: fallback }) },
      text("Yes.", of("anthropic", { citations })),
      done("a", "read", { p: 1 }, "one", {
        metadata: of("anthropic", { block: { caller: { type: "direct" } } }),
      }),
    ]);
    assert.deepEqual(content, [
      { type: "thinking", thinking: "Hm.", signature: "S" },
      { type: "redacted_thinking", data: "R" },
      fallback,
      { type: "text", text: "Yes.", citations },
      { type: "tool_use", id: "a", name: "read", input: { p: 1 }, caller: { type: "direct" } },
    ]);
    assert.deepEqual(rules, []);
  });

  test("gets the results of calls that it ran back in their places", () => {
    const own = (id, index, resultIndex) =>
      done(id, "web_search", { q: id }, "", {
        output: "found",
        metadata: {
          providerExecuted: true,
          anthropic: {
            ...{ type: "server_tool_use", index, resultIndex },
            result: { type: "web_search_tool_result", content: [] },
          },
        },
      });
    const { said: content } = said("anthropic", {}, [
      own("a", 0, 4),
      own("b", 1, 2),
      text("B."),
      text("A."),
    ]);
    assert.deepEqual(
      content.map(({ id, tool_use_id: of, text: words }) => id ?? of ?? words),
      ["a", "b", "b", "B.", "a", "A."],
    );
  });

  test("keeps the places where something between them is left out", () => {
    const own = done("a", "web_search", {}, "found", {
      metadata: {
        providerExecuted: true,
        anthropic: {
          ...{ type: "server_tool_use", index: 0, resultIndex: 3 },
          result: { type: "web_search_tool_result", content: [] },
        },
      },
    });
    const { said: content, rules } = said("anthropic", {}, [
      own,
      text(" "),
      text("Wait."),
      text("There."),
    ]);
    assert.deepEqual(
      content.map(({ type }) => type),
      ["server_tool_use", "text", "web_search_tool_result", "text"],
    );
    assert.deepEqual(rules, ["RP-4"]);
  });

  test("gets unsigned thinking only where another server behind the format demands it", () => {
    const unsigned = reasoning("Hm.", of("anthropic", { unsigned: true }));
    const kimi = said("anthropic", { providerID: "kimi" }, [unsigned, text("Yes.")], {
      provider: "kimi",
    });
    assert.deepEqual(kimi.said[0], { type: "thinking", thinking: "Hm.", signature: "" });
    for (const provider of ["anthropic", ""]) {
      const one = said("anthropic", {}, [unsigned, text("Yes.")], { provider });
      assert.deepEqual([one.said.length, one.rules], [1, ["RQ-2"]]);
    }
  });

  test("gets back the thinking of its other models", () => {
    const { said: content } = said(
      "anthropic",
      { modelID: "claude-opus-4-1" },
      [signed, text("Yes.")],
      {
        model: "claude-sonnet-4-5",
      },
    );
    assert.equal(content.length, 2);
  });

  test("with a call that runs still in the last message goes on from it", () => {
    const open = call(
      "a",
      "web_search",
      { status: "running", input: {}, time: { start: 1 } },
      { providerExecuted: true, anthropic: { type: "server_tool_use", index: 1 } },
    );
    const messages = [user("Go"), answer({}, STEP, text("I search."), open)];
    const { body } = request("anthropic", { messages });
    assert.deepEqual(body.messages[1].content.at(-1), {
      type: "server_tool_use",
      id: "a",
      name: "web_search",
      input: {},
    });
    const later = request("anthropic", { messages: [...messages, user("On")] });
    assert.equal(later.body.messages[1].content.length, 1);
    assert.deepEqual(later.rules, ["RP-1"]);
  });
});

describe("thinking that is older than a change before it", () => {
  const cleared = (compacted) => ({ time: { start: 1, end: 2, compacted } });
  const history = (compacted) => {
    const first = answer({}, STEP, signed, done("a", "read", {}, "one", cleared(compacted)));
    const second = answer({}, STEP, signed, text("Yes."));
    first.info.time.created = 10;
    second.info.time.created = 20;
    return [user("Go"), first, second, user("On")];
  };
  const thinking = (model, compacted) => {
    const { body, rules } = request("anthropic", { messages: history(compacted), model });
    const content = body.messages
      .filter(({ role }) => role === "assistant")
      .map((one) => one.content);
    return [content.map((blocks) => blocks.some(({ type }) => type === "thinking")), rules];
  };
  // Anthropic's documentation of preserved thinking names Fable 5.1 and 5.2, Mythos 5.1 and 5.2, Opus 5.5, Sonnet 5.5
  // and Haiku 5.5; every newer one counts as well.
  test("goes for a model that checks what stands before it", () => {
    for (const model of [
      ...["claude-opus-5-5", "claude-sonnet-5-5", "claude-haiku-5-5", "claude-fable-5-1"],
      ...["claude-fable-5-2", "claude-mythos-5-1", "claude-mythos-5.2", "claude-opus-5.5"],
      ...["claude-opus-5-10", "claude-haiku-5-6-20270101", "claude-5-5-opus", "Claude-Opus-5-5"],
      ...["claude-opus-6", "claude-opus-6-2027-01-02", "claude-sonnet-10", "claude-opus-5-5-fast"],
      ...["anthropic/claude-next", "claude-opus-latest", "claude-opus-2026-11-05"],
      ...["anthropic/claude-opus-5.5", "us.anthropic.claude-haiku-5-5-v1:0", "claude-opus-5-5[1m]"],
      ...["global.anthropic.claude-opus-5-5-20261105-v1:0", "claude-sonnet-5-5@20261105"],
      ...["vertex/anthropic.claude-opus-5-5", "claude-sonnet-5-5-latest", "claude-opus-5.5:beta"],
    ])
      assert.deepEqual(thinking(model, 30), [[true, false], ["RQ-2"]], model);
  });
  test("stays if it is newer than the change", () => {
    assert.deepEqual(thinking("claude-opus-6", 15), [[true, true], []]);
  });
  test("stays for models that do not check", () => {
    for (const model of [
      ...["claude-opus-4-5", "claude-opus-4-8", "claude-3-7-sonnet-20250219", "claude-2.1"],
      ...["claude-sonnet-5", "claude-haiku-5-20260301", "claude-fable-5", "claude-mythos-5"],
      ...["claude-opus-5-2026-11-05", "claude-opus-5@20261105", "claude-opus-5[1m]"],
      ...["anthropic.claude-opus-5-v1:0", "anthropic.claude-opus-5-20261105-v2:0"],
      ...["claude-3-5-sonnet-20241022-v2:0", "claude-3-7-sonnet@20250219"],
      ...["claude-v2", "claude-v2:1", "claude-instant-1.2", "anthropic.claude-instant-v1"],
      ...["kimi-k2", "not-claude-opus-6", "gpt-6", ""],
    ])
      assert.deepEqual(thinking(model, 30), [[true, true], []], model);
  });
  test("goes where a summary is newer", () => {
    const messages = history(0).map((one) => ({ ...one }));
    messages[1] = answer({ summary: true, finish: "stop" }, STEP, text("Summary"));
    messages[1].info.time.created = 25;
    const { rules } = request("anthropic", { messages, model: "claude-opus-6" });
    assert.deepEqual(rules, ["RQ-2"]);
  });
});

describe("Chat Completions", () => {
  test("gets reasoning in the field in which it came, and unknown fields of calls and messages", () => {
    const { message } = said(
      "openai-chat",
      { providerID: "groq" },
      [
        reasoning("Hm.", of("openaiCompatible", { field: "reasoning", message: { extra: 1 } })),
        done("a", "read", { p: 1 }, "one", {
          metadata: of("openaiCompatible", {
            arguments: '{"p": 1}',
            extra_content: { google: { thought_signature: "T" } },
          }),
        }),
      ],
      { provider: "groq" },
    );
    assert.deepEqual(message, {
      ...{ role: "assistant", content: null, reasoning: "Hm.", extra: 1 },
      tool_calls: [
        {
          ...{ id: "a", type: "function", function: { name: "read", arguments: '{"p": 1}' } },
          extra_content: { google: { thought_signature: "T" } },
        },
      ],
    });
  });
  test("of OpenAI gets no unknown fields of a message", () => {
    const own = text("Yes.", of("openaiCompatible", { message: { extra: 1 } }));
    assert.equal("extra" in said("openai-chat", {}, [own], { provider: "openai" }).message, false);
    assert.equal(said("openai-chat", {}, [own], { provider: "together" }).message.extra, 1);
  });
  test("gets the text of arguments only if it is an object's", () => {
    const written = (argumentText) =>
      said("openai-chat", {}, [
        done("a", "read", { p: 1 }, "one", {
          metadata: of("openaiCompatible", { arguments: argumentText }),
        }),
      ]).message.tool_calls[0].function.arguments;
    assert.equal(written('{ "p":1 }'), '{ "p":1 }');
    for (const bad of ['{"p":', "[1]", "1", ""]) assert.equal(written(bad), '{"p":1}');
  });
  test("of OpenRouter gets its details unmodified", () => {
    const details = [{ type: "reasoning.encrypted", data: "E", index: 0 }];
    const { message } = said(
      "openai-chat",
      { providerID: "openrouter" },
      [reasoning("", of("openrouter", { reasoning_details: details })), text("Yes.")],
      { provider: "openrouter" },
    );
    assert.deepEqual([message.reasoning_details, message.reasoning], [details, undefined]);
  });
  test("of DeepSeek gets the reasoning of its own messages that say no field", () => {
    const plain = [reasoning("Hm."), text("Yes.")];
    assert.equal(
      said("openai-chat", { providerID: "deepseek" }, plain, { provider: "deepseek" }).message
        .reasoning_content,
      "Hm.",
    );
    assert.equal(
      said("openai-chat", { providerID: "other" }, plain, { provider: "deepseek" }).message
        .reasoning_content,
      "",
    );
  });
});

describe("Responses", () => {
  const encrypted = (id, words, more) =>
    reasoning(words, of("openai", { itemId: id, reasoningEncryptedContent: "E", ...more }));
  test("gets its items again: one a message, one for all parts of its reasoning", () => {
    const annotations = [{ type: "url_citation", url: "u" }];
    const { said: items, rules } = said("openai-responses", {}, [
      ...[
        encrypted("rs_1", "One"),
        encrypted("rs_1", "Two"),
        encrypted("rs_1", "Raw", { content: true }),
      ],
      text("A. ", of("openai", { itemId: "msg_1", phase: "commentary" })),
      text("B.", of("openai", { itemId: "msg_1", phase: "commentary", annotations })),
      text("No.", of("openai", { itemId: "msg_2", refusal: true })),
    ]);
    assert.equal(items[0].id, "rs_1");
    assert.deepEqual(
      items[0].summary.map((one) => one.text),
      ["One", "Two"],
    );
    assert.deepEqual(items[0].content, [{ type: "reasoning_text", text: "Raw" }]);
    assert.equal(items[0].encrypted_content, "E");
    assert.equal(items[1].id, "msg_1");
    assert.equal(items[1].phase, "commentary");
    assert.deepEqual(items[1].content, [
      { type: "output_text", text: "A. ", annotations: [] },
      { type: "output_text", text: "B.", annotations },
    ]);
    assert.deepEqual(items[2].content, [{ type: "refusal", refusal: "No." }]);
    assert.deepEqual(rules, []);
  });
  test("without encrypted content loses reasoning, and the ids behind it, up to the next", () => {
    const { said: items, rules } = said("openai-responses", {}, [
      reasoning("Hm.", of("openai", { itemId: "rs_1" })),
      text("A.", of("openai", { itemId: "msg_1", annotations: [{ type: "x" }] })),
      encrypted("rs_2", ""),
      text("B.", of("openai", { itemId: "msg_2" })),
    ]);
    assert.deepEqual(
      items.map(({ id }) => id),
      [undefined, "rs_2", "msg_2"],
    );
    assert.deepEqual(items[0], { role: "assistant", content: "A." });
    assert.deepEqual(rules, ["RQ-6"]);
  });
  test("that keeps answers gets reasoning by its id", () => {
    const own = [
      reasoning("Hm.", of("openai", { itemId: "rs_1" })),
      text("A.", of("openai", { itemId: "msg_1" })),
    ];
    const { said: items } = said("openai-responses", {}, own, { store: true });
    assert.deepEqual(
      items.map(({ id }) => id),
      ["rs_1", "msg_1"],
    );
  });
  test("of another model gets no reasoning", () => {
    const own = [encrypted("rs_1", "Hm."), text("A.", of("openai", { itemId: "msg_1" }))];
    const { said: items, rules } = said("openai-responses", { modelID: "gpt-5" }, own, {
      model: "gpt-6",
    });
    assert.deepEqual([items.map(({ id }) => id), rules], [[undefined], ["RQ-2"]]);
    const same = said("openai-responses", { modelID: "gpt-5-2025-08-07" }, own, {
      model: "openai/gpt-5",
    });
    assert.deepEqual(
      same.said.map(({ id }) => id),
      ["rs_1", "msg_1"],
    );
  });
  test("gets custom calls, and the outputs of its other calls in their form", () => {
    const item = (type, more) => of("openai", { item: { type, call_id: "x", ...more } });
    const { said: items } = said("openai-responses", {}, [
      done("c", "sql", { input: "select 1" }, "1", {
        metadata: of("openai", { itemId: "ctc_1", custom: "select 1" }),
      }),
      done("l", "local_shell", {}, "out", { metadata: item("local_shell_call") }),
      done("s", "shell", {}, "out", { metadata: item("shell_call"), state: {} }),
      failed("p", "apply_patch", {}, "no such file", item("apply_patch_call")),
      done("k", "computer", {}, "", {
        metadata: item("computer_call"),
        attachments: [file("image/png", PNG)],
      }),
      done("t", "tool_search", {}, '[{"type":"function"}]', { metadata: item("tool_search_call") }),
      done("m", "approve", {}, "yes", {
        metadata: of("openai", { item: { type: "mcp_approval_request", id: "mcpr_1" } }),
      }),
    ]);
    const outputs = items.filter(({ type }) => /_output$|_response$/.test(type));
    assert.deepEqual(outputs, [
      { type: "custom_tool_call_output", call_id: "c", output: "1" },
      { type: "local_shell_call_output", call_id: "l", output: "out" },
      {
        ...{ type: "shell_call_output", call_id: "s" },
        output: [{ stdout: "out", stderr: "", outcome: { type: "exit", exit_code: 0 } }],
      },
      { type: "apply_patch_call_output", call_id: "p", status: "failed", output: "no such file" },
      {
        type: "computer_call_output",
        call_id: "k",
        output: { type: "computer_screenshot", image_url: PNG },
      },
      { type: "tool_search_output", call_id: "t", tools: [{ type: "function" }] },
      { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: true },
    ]);
    assert.deepEqual(items[0], {
      id: "ctc_1",
      type: "custom_tool_call",
      call_id: "c",
      name: "sql",
      input: "select 1",
    });
    assert.equal(items[1].call_id, "l");
  });
});

describe("Gemini", () => {
  test("gets signed parts apart, and calls with their ids", () => {
    const model = "gemini-3-pro";
    const { said: content, rules } = said(
      "gemini",
      {},
      [
        reasoning("Hm.", of("google", { thought: true })),
        text("Four."),
        text("", of("google", { thoughtSignature: "T1" })),
        done("a", "read", {}, "one", {
          metadata: of("google", { thoughtSignature: "T2", id: "abc" }),
        }),
        done("b", "read", {}, "two"),
      ],
      { model },
    );
    assert.deepEqual(content, [
      { text: "Hm.", thought: true },
      { text: "Four." },
      { text: "", thoughtSignature: "T1" },
      { functionCall: { id: "abc", name: "read", args: {} }, thoughtSignature: "T2" },
      { functionCall: { name: "read", args: {} } },
    ]);
    assert.deepEqual(rules, []);
  });
  test("gets the code that it ran, and what it came to", () => {
    const part = { executableCode: { language: "PYTHON", code: "1" }, thoughtSignature: "T" };
    const result = { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } };
    const { said: content } = said("gemini", {}, [
      done("c", "executableCode", {}, "1", {
        metadata: { providerExecuted: true, google: { part, result } },
      }),
      text("One."),
    ]);
    assert.deepEqual(content, [part, result, { text: "One." }]);
  });
  test("of another model gets neither thoughts nor signatures", () => {
    const { said: content, rules } = said(
      "gemini",
      { modelID: "gemini-2.5-pro" },
      [
        reasoning("Hm.", of("google", { thought: true })),
        done("a", "read", {}, "one", { metadata: of("google", { thoughtSignature: "T" }) }),
      ],
      { model: "gemini-3-pro" },
    );
    assert.deepEqual(content, [
      {
        functionCall: { name: "read", args: {} },
        thoughtSignature: "skip_thought_signature_validator",
      },
    ]);
    assert.deepEqual(rules, ["RQ-2", "RQ-4"]);
  });
});

describe("state of another provider", () => {
  const own = [
    signed,
    { type: "anthropic-fallback", metadata: of("anthropic", { block: { type: "fallback" } }) },
    done("w", "web_search", {}, "found", {
      metadata: {
        providerExecuted: true,
        anthropic: { type: "server_tool_use", result: { type: "web_search_tool_result" } },
      },
    }),
    text("Yes."),
  ];
  test("is left out with its names", () => {
    for (const format of ["openai-chat", "openai-responses", "gemini"]) {
      const { said: content, rules } = said(format, { providerID: "anthropic" }, own, {
        provider: "other",
      });
      assert.deepEqual(rules, ["RQ-2", "RQ-3", "RQ-3"], format);
      assert.ok(!/Hm|fallback|web_search/.test(JSON.stringify(content)), format);
    }
  });
  test("is foreign behind the same format, too", () => {
    const { said: content, rules } = said("anthropic", { providerID: "other-cloud" }, own, {
      provider: "anthropic",
    });
    assert.deepEqual(
      [content, rules],
      [[{ type: "text", text: "Yes." }], ["RQ-2", "RQ-3", "RQ-3"]],
    );
  });
  test("is sent as text if that is asked for", () => {
    const { said: content } = said("gemini", { providerID: "anthropic" }, [signed, text("Yes.")], {
      ...{ provider: "google", foreignReasoning: "text" },
    });
    assert.deepEqual(content, [{ text: "Hm." }, { text: "Yes." }]);
  });
  test("of texts and calls goes in silence; a file of the model has a name", () => {
    const { said: content, rules } = said(
      "gemini",
      { providerID: "openai" },
      [text("Yes.", of("openai", { itemId: "msg_1" })), file("image/png", PNG)],
      { provider: "google" },
    );
    assert.deepEqual([content, rules], [[{ text: "Yes." }], ["RQ-6"]]);
  });
});

describe("what was read from a body of the same format goes back into it", () => {
  const again = (format, body, options) =>
    messagesOf(
      parts.toRequest(format, {
        ...{ model: "gemini-3-pro", ...options },
        messages: parts.fromMessages(format, body).messages,
      }),
    );
  const user = (content) => [{ role: "user", content }];
  test("blocks of the user that have no part type", () => {
    const block = { type: "search_result", source: "s", title: "t", content: [] };
    const messages = user([{ type: "text", text: "Look" }, block]);
    assert.deepEqual(again("anthropic", messages), messages);
  });
  test("fields of documents and images", () => {
    const source = { type: "base64", media_type: "application/pdf", data: "aGk=" };
    const document = { type: "document", source, context: "c", citations: { enabled: true } };
    assert.deepEqual(again("anthropic", user([document])), user([document]));
    const image = { type: "image_url", image_url: { url: PNG, detail: "low" } };
    assert.deepEqual(again("openai-chat", user([image])), user([image]));
    const input = { type: "input_image", image_url: PNG, detail: "high" };
    assert.deepEqual(again("openai-responses", user([input])), user([input]));
  });
  test("responses of any form to Gemini, unless the output has changed", () => {
    const contents = [
      { role: "user", parts: [{ text: "Go" }] },
      { role: "model", parts: [{ functionCall: { name: "f", args: {} }, thoughtSignature: "T" }] },
      {
        role: "user",
        parts: [{ functionResponse: { name: "f", response: { name: "f", content: "one" } } }],
      },
    ];
    assert.deepEqual(again("gemini", contents), contents);
    const { messages } = parts.fromMessages("gemini", contents);
    messages[1].parts.find(({ type }) => type === "tool").state.output = "two";
    const [, , changed] = parts.toRequest("gemini", { model: "gemini-3-pro", messages }).contents;
    assert.deepEqual(changed.parts[0].functionResponse.response, { output: "two" });
  });
});
