// Streams that real programs make of random scripts, and what their own clients make of them: `ai` 6 and 7, `openai`,
// `@ag-ui/client`. The same bytes, read here, give the same texts, calls, data and metadata.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { AbstractAgent } from "@ag-ui/client";
import * as six from "ai";
import { MockLanguageModelV3 } from "ai/test";
import * as seven from "ai7";
import { MockLanguageModelV4 } from "ai7/test";
import fc from "fast-check";
import OpenAI from "openai";
import { from } from "rxjs";
import { z } from "zod";
import { load, taken } from "./stream-laws.mjs";

before(() => load("generated-streams"));

const NUMBER = 120;
const encoder = new TextEncoder();
const sse = (records) =>
  encoder.encode(records.map((record) => `data: ${JSON.stringify(record)}\n\n`).join(""));

/** Random scripts, the same in each run. */
const scripts = (arbitrary, seed) => fc.sample(arbitrary, { seed, numRuns: NUMBER });

const words = fc.string({
  unit: fc.constantFrom("a", "b", " ", "ü", "😀", '"', "\n"),
  maxLength: 12,
});

/** A text in pieces. */
const pieces = (text) =>
  text.map((whole) => {
    const characters = [...whole];
    const cut = Math.floor(characters.length / 2);
    return [characters.slice(0, cut).join(""), characters.slice(cut).join("")];
  });

/** The message of a stream, read in chunks of some sizes, without problems. */
function messageOf(t, format, bytes, sizes, where) {
  const assembler = taken(t, [], { format });
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length];
    assembler.pushBytes(bytes.subarray(at, at + size));
    at += size;
  }
  assembler.end();
  assert.deepEqual(assembler.problems(), [], where);
  return assembler.message();
}

/** What both sides show, neighbours of one kind joined: where one text ends and the next begins is not compared. */
function joined(shown) {
  const made = [];
  for (const one of shown) {
    const [kind, text] = one;
    const last = made.at(-1);
    const isText = kind === "text" || kind === "thinking";
    if (isText && text === "") continue;
    if (isText && last?.[0] === kind) last[1] += text;
    else made.push([...one]);
  }
  return made;
}

const ours = (message) =>
  joined(
    message.parts.map(({ kind, payload }) => {
      if (kind === "tool_call")
        return ["call", payload.toolCallId, payload.toolName, payload.arguments];
      if (kind !== "custom") return [kind, payload.text];
      const { type, id, data } = payload.provider["ai-sdk"].part;
      return [type, id, data];
    }),
  );

const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 5 });

describe("the AI SDK", () => {
  /** Tools whose schema gives defaults, coerces, transforms, and drops fields. */
  const tools = (ai) => {
    const made = (inputSchema) => ai.tool({ inputSchema, execute: async () => "ok" });
    return {
      defaults: made(z.object({ q: z.string(), limit: z.number().default(10) })),
      coerces: made(z.object({ n: z.coerce.number() })),
      transforms: made(z.object({ q: z.string().transform((text) => text.toUpperCase()) })),
      empty: made(z.object({})),
    };
  };
  const INPUTS = {
    defaults: fc.record({ q: words }),
    coerces: fc.record({ n: fc.integer().map(String) }),
    transforms: fc.record({ q: words }),
    empty: fc.record({ more: words }),
    // A name that no tool has: the call is repaired.
    unknown: fc.record({ q: words }),
  };
  const call = fc.constantFrom(...Object.keys(INPUTS)).chain((name) =>
    fc.record({
      kind: fc.constant("call"),
      name: fc.constant(name),
      input: INPUTS[name],
      isStreamed: fc.boolean(),
    }),
  );
  const item = fc.oneof(
    fc.record({ kind: fc.constantFrom("text", "reasoning"), text: pieces(words) }),
    call,
  );
  const data = fc.record({
    type: fc.constantFrom("data-progress", "data-note"),
    id: fc.option(fc.constantFrom("a", "b"), { nil: undefined }),
    data: fc.jsonValue({ maxDepth: 1 }),
  });
  const script = fc.record({
    before: fc.array(data, { maxLength: 3 }),
    items: fc.array(item, { minLength: 1, maxLength: 5 }),
    after: fc.array(data, { maxLength: 3 }),
    metadata: fc.array(
      fc.record(
        { a: fc.record({ b: fc.integer() }, { requiredKeys: [] }), c: words },
        { requiredKeys: [] },
      ),
      { minLength: 2, maxLength: 2 },
    ),
    sizes,
  });
  const usage = {
    inputTokens: { total: 3, noCache: 3 },
    outputTokens: { total: 5, text: 5 },
  };

  /** What a model streams. */
  function modelChunks(items) {
    const chunks = [{ type: "stream-start", warnings: [] }];
    for (const [at, { kind, text, name, input, isStreamed }] of items.entries()) {
      const id = `${kind}-${at}`;
      if (kind !== "call") {
        chunks.push({ type: `${kind}-start`, id });
        for (const delta of text) chunks.push({ type: `${kind}-delta`, id, delta });
        chunks.push({ type: `${kind}-end`, id });
        continue;
      }
      const written = JSON.stringify(input);
      if (isStreamed) {
        chunks.push({ type: "tool-input-start", id, toolName: name });
        for (const delta of [written.slice(0, 3), written.slice(3)]) {
          chunks.push({ type: "tool-input-delta", id, delta });
        }
        chunks.push({ type: "tool-input-end", id });
      }
      chunks.push({ type: "tool-call", toolCallId: id, toolName: name, input: written });
    }
    return [...chunks, { type: "finish", finishReason: { unified: "stop", raw: "stop" }, usage }];
  }

  function streamed(ai, Model, { items }) {
    const delays = { initialDelayInMs: null, chunkDelayInMs: null };
    const chunks = modelChunks(items);
    const stream = ai.simulateReadableStream({ chunks, ...delays });
    return ai.streamText({
      model: new Model({ doStream: async () => ({ stream }) }),
      prompt: "p",
      tools: tools(ai),
      experimental_repairToolCall: async ({ toolCall }) => ({ ...toolCall, toolName: "defaults" }),
      repairToolCall: async ({ toolCall }) => ({ ...toolCall, toolName: "defaults" }),
      onError() {},
    });
  }

  const all = async (stream) => {
    const list = [];
    for await (const one of stream) list.push(one);
    return list;
  };

  /** What a client shows of a message: its parts, and its metadata. */
  async function clientOf(ai, chunks) {
    // A page knows the id of the message; this function alone forgets what came before one that it does not know.
    const { messageId } = chunks.find(({ type }) => type === "start");
    let message = { id: messageId ?? "", role: "assistant", parts: [] };
    const stream = ai.simulateReadableStream({
      chunks,
      initialDelayInMs: null,
      chunkDelayInMs: null,
    });
    for await (const one of ai.readUIMessageStream({ stream, message })) message = one;
    const shown = message.parts.flatMap((part) => {
      const { type, text, toolCallId, toolName, input, id, data: value } = part;
      if (type === "step-start") return [];
      if (type === "text") return [["text", text]];
      if (type === "reasoning") return [["thinking", text]];
      if (toolCallId) return [["call", toolCallId, toolName ?? type.slice("tool-".length), input]];
      return [[type, id, value]];
    });
    return { shown: joined(shown), metadata: message.metadata };
  }

  for (const [name, ai, Model] of [
    ["6", six, MockLanguageModelV3],
    ["7", seven, MockLanguageModelV4],
  ]) {
    test(`${name}: a UI message stream, with data before its start`, async (t) => {
      for (const [number, one] of scripts(script, 60_276).entries()) {
        const where = `script ${number}: ${JSON.stringify(one)}`;
        const [first, last] = one.metadata;
        const messageMetadata = ({ part }) =>
          part.type === "start" ? first : part.type === "finish" ? last : undefined;
        const stream = ai.createUIMessageStream({
          execute({ writer }) {
            for (const part of one.before) writer.write(part);
            const answer = streamed(ai, Model, one).toUIMessageStream({ messageMetadata });
            const written = new ReadableStream({
              async start(controller) {
                for await (const chunk of answer) {
                  if (chunk.type === "finish")
                    for (const part of one.after) controller.enqueue(part);
                  controller.enqueue(chunk);
                }
                controller.close();
              },
            });
            writer.merge(written);
          },
        });
        const chunks = await all(stream);
        const message = messageOf(t, "ai-sdk", sse(chunks), one.sizes, where);
        // Both sides of JSON: a client has `undefined`, too.
        const { shown, metadata } = JSON.parse(JSON.stringify(await clientOf(ai, chunks)));
        assert.deepEqual(JSON.parse(JSON.stringify(ours(message))), shown, where);
        assert.deepEqual(message.meta.provider?.messageMetadata, metadata, where);
      }
    });

    test(`${name}: the full stream of the server`, async (t) => {
      for (const [number, one] of scripts(script, 60_277).entries()) {
        const where = `script ${number}: ${JSON.stringify(one)}`;
        const records = await all(streamed(ai, Model, one).fullStream);
        const chunks = await all(streamed(ai, Model, one).toUIMessageStream());
        const message = messageOf(t, "ai-sdk", sse(records), one.sizes, where);
        const { shown } = JSON.parse(JSON.stringify(await clientOf(ai, chunks)));
        assert.deepEqual(ours(message), shown, where);
      }
    });
  }
});

describe("OpenAI's SDK", () => {
  const item = fc.record({
    isCall: fc.boolean(),
    pieces: pieces(
      fc.string({ unit: fc.constantFrom("a", "b", "ü"), minLength: 2, maxLength: 12 }),
    ),
    // A proxy has lost a piece, or has sent another.
    damage: fc.constantFrom("none", "none", "lost", "other"),
  });

  function events(items) {
    const response = { id: "resp_1", object: "response", model: "m", created_at: 1 };
    const list = [
      { type: "response.created", response: { ...response, status: "in_progress", output: [] } },
    ];
    const output = items.map(({ isCall, pieces: both }, at) => {
      const text = both.join("");
      return isCall
        ? {
            type: "function_call",
            id: `fc_${at}`,
            call_id: `call_${at}`,
            name: "look",
            arguments: JSON.stringify({ q: text }),
            status: "completed",
          }
        : {
            type: "message",
            id: `msg_${at}`,
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text, annotations: [] }],
          };
    });
    for (const [at, whole] of output.entries()) {
      const { damage } = items[at];
      const { type, id } = whole;
      const place = { output_index: at, item_id: id };
      const isCall = type === "function_call";
      const added = isCall ? { ...whole, arguments: "" } : { ...whole, content: [] };
      list.push({
        type: "response.output_item.added",
        output_index: at,
        item: { ...added, status: "in_progress" },
      });
      const text = isCall ? whole.arguments : whole.content[0].text;
      const sent =
        damage === "lost"
          ? [text.slice(1)]
          : [text.slice(0, 1), damage === "other" ? "?" : "", text.slice(1)];
      const empty = { type: "output_text", text: "", annotations: [] };
      if (!isCall)
        list.push({ type: "response.content_part.added", ...place, content_index: 0, part: empty });
      for (const delta of sent.filter(Boolean)) {
        list.push(
          isCall
            ? { type: "response.function_call_arguments.delta", ...place, delta }
            : { type: "response.output_text.delta", ...place, content_index: 0, delta },
        );
      }
      list.push(
        isCall
          ? { type: "response.function_call_arguments.done", ...place, arguments: text }
          : { type: "response.output_text.done", ...place, content_index: 0, text },
        { type: "response.output_item.done", output_index: at, item: whole },
      );
    }
    list.push({
      type: "response.completed",
      response: { ...response, status: "completed", output },
    });
    return list.map((event, sequence_number) => ({ ...event, sequence_number }));
  }

  test("replaces pieces by what is said whole, and so do we", async (t) => {
    const script = fc.record({ items: fc.array(item, { minLength: 1, maxLength: 4 }), sizes });
    for (const [number, one] of scripts(script, 60_278).entries()) {
      const where = `script ${number}: ${JSON.stringify(one)}`;
      const list = events(one.items);
      const bytes = encoder.encode(
        list.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""),
      );
      const headers = { "content-type": "text/event-stream" };
      const client = new OpenAI({
        apiKey: "none",
        fetch: async () => new Response(bytes, { headers }),
      });
      const { output } = await client.responses.stream({ model: "m", input: "p" }).finalResponse();
      const shown = output.map((whole) =>
        whole.type === "message"
          ? ["text", whole.content[0].text]
          : ["call", whole.call_id, whole.name, JSON.parse(whole.arguments)],
      );
      const assembler = taken(t, [], { format: "openai-responses" });
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = one.sizes[turn % one.sizes.length];
        assembler.pushBytes(bytes.subarray(at, at + size));
        at += size;
      }
      assembler.end();
      assert.deepEqual(ours(assembler.message()), joined(shown), where);
      // Where only an end is missing, nothing contradicts.
      const damaged = one.items.filter(({ isCall, pieces: both, damage }) => {
        const text = both.join("");
        return (
          damage === "other" || (damage === "lost" && (isCall || !text.startsWith(text.slice(1))))
        );
      }).length;
      const warnings = assembler.problems().map(({ rule, severity }) => `${rule} ${severity}`);
      assert.deepEqual(warnings, Array(damaged).fill("final warning"), where);
    }
  });
});

describe("AG-UI's client", () => {
  class Replay extends AbstractAgent {
    constructor(events) {
      super();
      this.events = events;
    }
    run() {
      return from(this.events);
    }
  }
  const item = fc.oneof(
    fc.record({ kind: fc.constant("text"), text: pieces(words) }),
    fc.record({ kind: fc.constant("call"), input: fc.record({ q: words }) }),
    fc.record({ kind: fc.constant("state"), snapshot: fc.record({ n: fc.integer() }) }),
  );

  test("has the same texts and calls", async (t) => {
    const script = fc.record({ items: fc.array(item, { minLength: 1, maxLength: 5 }), sizes });
    for (const [number, one] of scripts(script, 60_279).entries()) {
      const where = `script ${number}: ${JSON.stringify(one)}`;
      const events = [{ type: "RUN_STARTED", threadId: "t", runId: "r" }];
      for (const [at, { kind, text, input, snapshot }] of one.items.entries()) {
        const id = `${kind}-${at}`;
        if (kind === "state") events.push({ type: "STATE_SNAPSHOT", snapshot });
        else if (kind === "text") {
          events.push({ type: "TEXT_MESSAGE_START", messageId: id, role: "assistant" });
          for (const delta of text.filter(Boolean)) {
            events.push({ type: "TEXT_MESSAGE_CONTENT", messageId: id, delta });
          }
          events.push({ type: "TEXT_MESSAGE_END", messageId: id });
        } else {
          const written = JSON.stringify(input);
          events.push({ type: "TOOL_CALL_START", toolCallId: id, toolCallName: "look" });
          for (const delta of [written.slice(0, 4), written.slice(4)]) {
            events.push({ type: "TOOL_CALL_ARGS", toolCallId: id, delta });
          }
          events.push({ type: "TOOL_CALL_END", toolCallId: id });
        }
      }
      events.push({ type: "RUN_FINISHED", threadId: "t", runId: "r" });
      const agent = new Replay(structuredClone(events));
      await agent.runAgent();
      const shown = agent.messages.flatMap(({ content, toolCalls = [] }) => [
        ...(content ? [["text", content]] : []),
        ...toolCalls.map(({ id, function: { name, arguments: args } }) => [
          "call",
          id,
          name,
          JSON.parse(args),
        ]),
      ]);
      // A state alone is no message.
      if (shown.length === 0) continue;
      const message = messageOf(t, "ag-ui", sse(events), one.sizes, where);
      assert.deepEqual(ours(message), joined(shown), where);
    }
  });
});
