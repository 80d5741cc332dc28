// Approvals: a person's answer reaches the model and the AI SDK (FM-6, RP-11, AS-7). Cases in
// tests/fixtures/vectors/requests/approvals.json; the SDKs of version 6 and 7 run for real.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import * as six from "ai";
import { MockLanguageModelV3 } from "ai/test";
import * as seven from "ai7";
import { MockLanguageModelV4 } from "ai7/test";
import { z } from "zod";
import { at, consumer, requireFrom } from "../helper.mjs";
import { answer, call, failed, running, STEP, user } from "./histories.mjs";
import { requestOf } from "./request.mjs";

const CASES = JSON.parse(
  readFileSync(at("tests", "fixtures", "vectors", "requests", "approvals.json")),
);

let parts;
before(async () => {
  parts = requireFrom(await consumer("approvals"))("apex-parts");
});

const toolsOf = (messages) =>
  messages.flatMap((message) => message.parts.filter(({ type }) => type === "tool"));
const callsOf = (ui) =>
  ui.flatMap((message) => message.parts.filter(({ toolCallId }) => toolCallId !== undefined));

const finishReason = { unified: "stop", raw: "stop" };
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const SDKS = { 6: [six, MockLanguageModelV3], 7: [seven, MockLanguageModelV4] };

/** What the model of a version of the SDK is told of the call `c1`, and how often its tool ran. */
async function runOf(version, ui) {
  const [sdk, Model] = SDKS[version];
  let ran = 0;
  let prompt = [];
  const model = new Model({
    doGenerate: async (options) => {
      prompt = options.prompt;
      return { content: [{ type: "text", text: "ok" }], finishReason, usage, warnings: [] };
    },
  });
  const remove = sdk.tool({
    inputSchema: z.object({ path: z.string() }),
    needsApproval: true,
    execute: async () => {
      ran++;
      return "removed";
    },
  });
  const messages = await sdk.convertToModelMessages(ui);
  await sdk.generateText({ model, messages, tools: { remove } });
  const results = prompt.flatMap(({ role, content }) => (role === "tool" ? content : []));
  const result = results.find(
    ({ toolCallId, type }) => toolCallId === "c1" && type === "tool-result",
  );
  return { ran, result: result && JSON.stringify(result.output) };
}

/** The messages of a case. */
function historyOf({ from, body, messages, as }) {
  if (messages) return messages;
  const { providerID = "", modelID = "" } = as ?? {};
  const model = modelID === "" ? {} : { model: { providerID, modelID } };
  return parts.fromMessages(from, body, model).messages;
}

/** The history of answers that were streamed. */
function streamed({ format, turns }) {
  return turns.map((turn, index) => {
    if (turn.user !== undefined) return user(turn.user);
    const assembler = new parts.DeltaAssembler({ format });
    assembler.pushBytes(Buffer.from(turn.stream));
    assembler.end();
    return assembler.toWithParts({ sessionID: "ses_1", parentID: `msg_${index}` });
  });
}

function checkBody(body, problems, expect) {
  const json = JSON.stringify(body);
  for (const part of expect.has ?? []) assert.ok(json.includes(part), `${part} in ${json}`);
  for (const part of expect.not ?? []) assert.ok(!json.includes(part), `no ${part} in ${json}`);
  const rules = problems.map(({ rule }) => rule);
  for (const rule of expect.problems ?? []) assert.ok(rules.includes(rule), rule);
  for (const rule of expect.noProblems ?? []) assert.ok(!rules.includes(rule), rule);
}

const KNOWN = ["parts", "tools", "result", "ran", "valid", "has", "not", "problems", "noProblems"];

describe("labelled cases", () => {
  assert.ok(CASES.length > 0);
  for (const one of CASES)
    test(`${one.id}: ${one.what}`, async () => {
      const { expect } = one;
      // A case that asks for more than is checked here has to fail.
      assert.deepEqual(
        Object.keys(expect).filter((name) => !KNOWN.includes(name)),
        [],
      );
      const history = one.call === "streams" ? streamed(one) : historyOf(one);
      if (one.call !== "sdk") {
        const { providerID, modelID } = one.as ?? {};
        const options = one.options ?? { provider: providerID, model: modelID };
        const format = one.to ?? one.format ?? one.from;
        const { body, problems } = requestOf(parts, format, { ...options, messages: history });
        checkBody(body, problems, expect);
        return;
      }
      for (const [index, wanted] of (expect.parts ?? []).entries()) {
        const { status, error } = toolsOf(history)[index].state;
        assert.deepEqual({ ...wanted, status, ...(wanted.error && { error }) }, wanted);
      }
      for (const version of [6, 7]) {
        const [sdk] = SDKS[version];
        const ui = parts.toModelMessage(history, { sdk: version });
        for (const [index, wanted] of (expect.tools ?? []).entries()) {
          const own = callsOf(ui)[index];
          for (const [name, value] of Object.entries(wanted))
            assert.deepEqual(own[name], value, `${version}: ${name}`);
        }
        await sdk.validateUIMessages({ messages: ui });
        if (callsOf(ui).some(({ state }) => state === "approval-requested")) {
          // The person has to answer first: the SDK says so.
          await assert.rejects(runOf(version, ui), { name: "AI_MissingToolResultsError" });
          continue;
        }
        const { ran, result } = await runOf(version, ui);
        if (expect.ran !== undefined) assert.equal(ran, expect.ran);
        if (expect.result === null && !expect.ran) assert.equal(result, undefined);
        else if (expect.result) assert.ok(result.includes(expect.result), result);
      }
    });
});

const asking = (approval, more) => running("c1", "remove", { path: "x" }, { approval, ...more });

describe("the AI SDK", () => {
  test("an approved call runs once, whoever executes it, and its result reaches the model", async () => {
    const history = [
      user("go"),
      answer({}, STEP, asking({ id: "ap", approved: true, reason: "ok" })),
    ];
    for (const version of [6, 7]) {
      const ui = parts.toModelMessage(history, { sdk: version });
      const { ran, result } = await runOf(version, ui);
      assert.deepEqual([ran, result.includes("removed")], [1, true]);
    }
    const own = { "ai-sdk": { providerExecuted: true } };
    const [, { parts: sent }] = parts.toModelMessage([
      user("go"),
      answer({}, asking({ id: "ap", approved: true }, own)),
    ]);
    assert.deepEqual(
      [sent[0].state, sent[0].providerExecuted, sent[0].approval],
      ["approval-responded", true, { id: "ap", approved: true }],
    );
  });

  test("a history with files is the same", () => {
    const state = { status: "completed", input: {}, output: "", title: "", metadata: {} };
    const attachments = [{ id: "f", type: "file", mime: "image/png", url: "data:," }];
    const withFile = call("c0", "see", { ...state, time: { start: 1, end: 2 }, attachments });
    const history = [user("go"), answer({}, withFile, asking({ id: "ap" }))];
    const states = (list) => callsOf(parts.toModelMessage(list)).map((one) => one.state);
    assert.deepEqual(states(history), ["output-available", "approval-requested"]);
    const later = states([...history, user("n")]);
    assert.deepEqual(later, ["output-available", "output-error"]);
  });

  test("an approval that the SDK refuses is left out", async () => {
    const APPROVALS = [{}, { id: 5 }, { id: "ap" }, { id: 5, approved: true }, { approved: false }];
    const [time, input] = [{ start: 1, end: 2 }, {}];
    const states = [
      { status: "completed", input, output: "o", title: "", metadata: {}, time },
      { status: "error", input, error: "e", time },
      { status: "running", input, time: { start: 1 } },
      { status: "pending", input, raw: "{" },
    ];
    for (const approval of APPROVALS)
      for (const state of states) {
        const history = [answer({}, call("c1", "remove", state, { approval })), user("n")];
        for (const version of [6, 7]) {
          const ui = parts.toModelMessage(history, { sdk: version });
          await SDKS[version][0].validateUIMessages({ messages: ui });
          const [own] = callsOf(ui);
          const isOpen = state.status === "running" || state.status === "pending";
          const why = approval.approved === false ? "denied" : "[Tool execution was interrupted]";
          if (isOpen) assert.equal(own.errorText, why);
          else assert.equal(own.errorText ?? own.output, state.error ?? state.output);
          assert.equal(own.approval, undefined);
        }
      }
  });

  test("a stream whose call was refused is an error with the reason", () => {
    const lines = [
      { type: "start", messageId: "m" },
      { type: "start-step" },
      { type: "tool-input-available", toolCallId: "c1", toolName: "remove", input: { path: "x" } },
      { type: "tool-approval-request", approvalId: "ap", toolCallId: "c1" },
      { type: "tool-approval-response", approvalId: "ap", approved: false, reason: "Never." },
      { type: "finish" },
    ];
    const read = (list) => {
      const assembler = new parts.DeltaAssembler({ format: "ai-sdk" });
      const lines = list.map((one) => `data: ${JSON.stringify(one)}\n\n`);
      assembler.pushBytes(Buffer.from(lines.join("")));
      assembler.end();
      return assembler.toWithParts({ sessionID: "s" });
    };
    const message = read(lines);
    const [{ state, metadata }] = toolsOf([message]);
    assert.deepEqual([state.status, state.error], ["error", "Never."]);
    assert.deepEqual(metadata.approval, { id: "ap", approved: false, reason: "Never." });
    const { body, rules } = requestOf(parts, "anthropic", { messages: [user("q"), message] });
    assert.ok(JSON.stringify(body).includes("Never."));
    assert.deepEqual(rules, []);
    const silent = read(lines.map(({ reason, ...line }) => line));
    assert.equal(toolsOf([silent])[0].state.error, "denied");
    const given = read(
      lines.map((line) => (line.approved === false ? { ...line, approved: true } : line)),
    );
    assert.equal(toolsOf([given])[0].state.status, "running");
  });

  test("a result that comes behind the answer counts", () => {
    const response = {
      type: "tool-approval-response",
      approvalId: "ap",
      approved: false,
      reason: "r",
    };
    const output = { type: "execution-denied", reason: "told later" };
    const { messages, problems } = parts.fromMessages("ai-sdk-model", [
      {
        role: "assistant",
        content: [
          { type: "tool-call", toolCallId: "c1", toolName: "remove", input: {} },
          { type: "tool-approval-request", approvalId: "ap", toolCallId: "c1" },
        ],
      },
      { role: "tool", content: [response] },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: "c1", toolName: "remove", output }],
      },
    ]);
    assert.deepEqual(problems, []);
    assert.equal(toolsOf(messages)[0].state.error, "told later");
  });
});

describe("a request", () => {
  const FORMATS = ["anthropic", "openai-chat", "openai-responses", "gemini"];

  for (const format of FORMATS)
    test(`${format}: a refused call has its reason, an open one is interrupted`, () => {
      const send = (approval) => {
        const messages = [user("q"), answer({}, asking(approval)), user("n")];
        const { body, rules } = requestOf(parts, format, { messages });
        // Gemini's calls have no signature here.
        return [JSON.stringify(body), rules.filter((rule) => rule !== "RQ-4")];
      };
      const [refused, none] = send({ id: "ap", approved: false, reason: "Never." });
      assert.ok(refused.includes("Never.") && !refused.includes("interrupted"));
      assert.deepEqual(none, []);
      assert.ok(send({ id: "ap", approved: false })[0].includes("denied"));
      for (const approval of [{ id: "ap" }, { id: "ap", approved: true }]) {
        const [open, rules] = send(approval);
        assert.ok(open.includes("interrupted"));
        assert.deepEqual(rules, ["RP-1"]);
      }
    });

  const item = { type: "mcp_approval_request", id: "mcpr_1", name: "rm", arguments: "{}" };
  const openai = { itemId: "mcpr_1", item };
  const inputOf = (part, ...after) => {
    const about = { providerID: "openai", modelID: "gpt-5" };
    const { body, rules } = requestOf(parts, "openai-responses", {
      ...{ provider: "openai", model: "gpt-5" },
      messages: [user("q"), answer(about, part), ...after],
    });
    return [body.input.filter(({ type }) => type?.startsWith("mcp_")), rules];
  };
  const response = (more) => ({
    type: "mcp_approval_response",
    approval_request_id: "mcpr_1",
    ...more,
  });
  const open = (approval) => running("mcpr_1", "rm", {}, { openai, ...(approval && { approval }) });

  test("an answer to an MCP server is the one that was given", () => {
    const id = "mcpr_1";
    const cases = [
      [open({ id, approved: true }), { approve: true }],
      [open({ id, approved: false, reason: "No." }), { approve: false, reason: "No." }],
      [open({ id, approved: false }), { approve: false }],
      [
        failed(id, "rm", {}, "denied", { openai, approval: { id, approved: false } }),
        { approve: false },
      ],
      [failed(id, "rm", {}, "Not now.", { openai }), { approve: false, reason: "Not now." }],
    ];
    for (const [part, answered] of cases)
      assert.deepEqual(inputOf(part, user("n")), [[item, response(answered)], []]);
  });

  test("nobody is said to have refused who said nothing", () => {
    const interrupted = { status: "error", input: {}, error: "x", time: { start: 1, end: 2 } };
    const silent = [
      open(),
      open({ id: "mcpr_1" }),
      failed("mcpr_1", "rm", {}, "[Tool execution was interrupted]", { openai }),
      call("mcpr_1", "rm", { ...interrupted, metadata: { interrupted: true } }, { openai }),
      call("mcpr_1", "rm", { ...interrupted, metadata: { aborted: true } }, { openai }),
    ];
    for (const part of silent) {
      assert.deepEqual(inputOf(part), [[item], []]);
      assert.deepEqual(inputOf(part, user("n")), [[], ["RQ-3"]]);
    }
  });

  test("a request of another provider that nobody answered is interrupted", () => {
    const messages = [user("q"), answer({ providerID: "azure", modelID: "m" }, open())];
    const { rules } = requestOf(parts, "openai-responses", { provider: "openai", messages });
    assert.ok(rules.includes("RP-1"));
  });

  test("an answer is read with what it says", () => {
    const read = (more) => {
      const { messages } = parts.fromMessages("openai-responses", [item, response(more)]);
      const [{ state, metadata }] = toolsOf(messages);
      return [state.error ?? state.output, metadata.approval];
    };
    const id = "mcpr_1";
    assert.deepEqual(read({ approve: true }), ["approved", { id, approved: true }]);
    assert.deepEqual(read({ approve: false }), ["denied", { id, approved: false }]);
    const reason = "No way.";
    assert.deepEqual(read({ approve: false, reason }), [reason, { id, approved: false, reason }]);
  });
});
