// Runs as Server-Sent Events: statuses, ids, resets, reconnections, slow browsers, the AI SDK's own client.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { DefaultChatTransport, readUIMessageStream } from "ai";
import { DeltaAssembler } from "apex-parts";
import { memoryRunLog, RunReader, runHandler, runResponse } from "apex-parts/store";
import express from "express";
import express4 from "express4";
import { delta, done, ndjson, start, text } from "./deltas.mjs";
import { until } from "./redis.mjs";

const URL_ = "http://localhost/runs/r";

/** The events of a stream, as the WHATWG's rules read them. */
function eventsOf(sse) {
  return sse
    .split("\n\n")
    .map((block) => {
      const event = { event: "message", data: [] };
      for (const line of block.split("\n")) {
        const [, name, value] = /^([^:]*):? ?(.*)$/s.exec(line);
        if (name === "data") event.data.push(value);
        else if (name === "") event.comment = true;
        else event[name] = value;
      }
      return event;
    })
    .filter(({ id }) => id !== undefined);
}

/** A client that assembles deltas, and begins anew where it is told to. */
class Client {
  text = "";
  assembler = new DeltaAssembler({ onDuplicate: "error" });
  id;
  status;
  resets = 0;

  take(event) {
    this.id = event.id;
    if (event.event === "end") {
      this.status = JSON.parse(event.data.join("\n")).status;
      return;
    }
    if (event.event === "reset") {
      this.resets++;
      this.assembler.free();
      this.assembler = new DeltaAssembler({ onDuplicate: "error" });
    }
    for (const line of event.data.filter(Boolean)) this.assembler.push(JSON.parse(line));
  }

  get message() {
    return this.assembler.message() ?? this.assembler.preview();
  }
}

async function run(log, options) {
  const claim = await log.claim("r", { owner: "a", ...options });
  let position = 0;
  const append = async (...deltas) => {
    const last = deltas.at(-1);
    const end = ["done", "error"].includes(last.kind) ? { end: last.kind } : {};
    const bytes = ndjson(...deltas);
    await log.append("r", { from: position, to: last.seq, bytes, token: claim.token, ...end });
    position = last.seq;
  };
  const snapshot = async (...deltas) => {
    const assembler = new DeltaAssembler();
    for (const one of deltas) assembler.push(one);
    await log.snapshot("r", { token: claim.token, at: position, bytes: assembler.snapshot() });
    assembler.free();
  };
  return { claim, append, snapshot };
}

const get = (log, { id, query = "", ...options } = {}) =>
  runResponse(
    new Request(`${URL_}${query}`, { headers: id === undefined ? {} : { "Last-Event-ID": id } }),
    log,
    "r",
    options,
  );
const events = async (log, options) => eventsOf(await (await get(log, options)).text());

describe("statuses", () => {
  test("an id of another form is 400, an unknown run 404", async () => {
    const log = memoryRunLog();
    assert.equal((await get(log)).status, 404);
    const { append } = await run(log);
    await append(start(), done(2));
    for (const id of [
      "x",
      "1",
      "1.",
      ".1",
      "-1.1",
      "1.1.1",
      "1,1",
      "1e3.1",
      "99999999999999999999.1",
    ]) {
      assert.equal((await get(log, { id })).status, 400, id);
      assert.equal((await get(log, { query: `?lastEventId=${id}` })).status, 400, id);
    }
    assert.equal((await get(log, { id: "1.1", query: "?lastEventId=x" })).status, 200);
  });

  test("an expired run is 410", async () => {
    let time = 0;
    const log = memoryRunLog({ ttlMs: 1000, now: () => time });
    const { append } = await run(log);
    await append(start(), done(2));
    time = 1500;
    assert.equal((await get(log)).status, 410);
    assert.equal((await get(log, { id: "2.1" })).status, 410);
  });

  test("ended and nothing newer is 204, with less it is the rest", async () => {
    const log = memoryRunLog();
    const { append } = await run(log);
    await append(start(), text(2, "one "));
    await append(text(3, "two"), done(4));
    const response = await get(log, { id: "4.1" });
    assert.equal(response.status, 204);
    assert.equal(await response.text(), "");
    assert.equal((await get(log, { query: "?lastEventId=4.1" })).status, 204);
    const rest = await events(log, { id: "2.1" });
    assert.deepEqual(
      rest.map(({ event, id }) => [event, id]),
      [
        ["message", "4.1"],
        ["end", "4.1"],
      ],
    );
  });

  test("the header goes before the query", async () => {
    const log = memoryRunLog();
    const { append } = await run(log);
    await append(start(), text(2, "x"));
    await append(done(4));
    assert.equal((await get(log, { id: "4.1", query: "?lastEventId=2.1" })).status, 204);
    assert.equal((await get(log, { id: "2.1", query: "?lastEventId=4.1" })).status, 200);
  });

  test("headers of an event stream, and those that are given", async () => {
    const log = memoryRunLog();
    const { append } = await run(log);
    const headers = { "Access-Control-Allow-Origin": "*" };
    await append(start(), done(2));
    const response = await get(log, { headers });
    assert.match(response.headers.get("content-type"), /^text\/event-stream/);
    assert.equal(response.headers.get("cache-control"), "no-cache, no-transform");
    assert.equal(response.headers.get("x-accel-buffering"), "no");
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
    await response.text();
    const missing = await runResponse(new Request(URL_), log, "other", { headers });
    assert.equal(missing.headers.get("access-control-allow-origin"), "*");
  });
});

describe("events", () => {
  test("a first connection gets a reset with the state, then batches, then the end", async () => {
    const log = memoryRunLog();
    const { append } = await run(log);
    await append(start(), text(2, "one "));
    await append(text(3, "two "));
    const response = await get(log);
    const sse = response.text();
    await append(text(4, "three"));
    await append(done(5));
    const list = eventsOf(await sse);
    const [, retry] = /^retry: (\d+)\n/.exec(await sse);
    assert.ok(retry >= 1000 && retry <= 3000);
    assert.equal(list[0].event, "reset");
    assert.ok(list.slice(1, -1).every(({ event }) => event === "message"));
    assert.equal(list.at(-1).event, "end");
    assert.ok(list.every(({ id }) => /^\d+\.1$/.test(id)));
    const client = new Client();
    for (const one of list) client.take(one);
    assert.equal(client.message.parts[0].payload.text, "one two three");
    assert.equal(client.status, "done");
    assert.equal(client.id, "5.1");
  });

  test("one event a batch, one line a delta", async () => {
    const log = memoryRunLog();
    const { append } = await run(log);
    await append(start());
    await append(text(2, "a\nb"), delta(3, "thinking", { textDelta: "c" }));
    await append(text(4, "d"));
    await append(done(5));
    const list = await events(log, { id: "1.1" });
    assert.deepEqual(
      list.map(({ id, data }) => [id, data.length]),
      [
        ["3.1", 2],
        ["4.1", 1],
        ["5.1", 1],
        ["5.1", 1],
      ],
    );
    assert.equal(JSON.parse(list[0].data[0]).payload.textDelta, "a\nb");
  });

  test("an empty run: a reset without deltas, which a browser still sees", async () => {
    const log = memoryRunLog();
    const { append } = await run(log);
    const reader = (await get(log)).body.getReader();
    const read = async () => new TextDecoder().decode((await reader.read()).value);
    assert.match(await read(), /^retry:/);
    assert.match(await read(), /^id: 0\.1\nevent: reset\ndata: ?\n\n$/);
    await append(start(), done(2));
    assert.match(await read(), /^id: 2\.1\ndata: /);
    await reader.cancel();
  });

  test("what was trimmed, an unknown epoch, text that was taken back: a reset", async () => {
    const log = memoryRunLog();
    const { append, snapshot } = await run(log);
    await append(start(), text(2, "one "));
    await append(text(3, "two "));
    await snapshot(start(), text(3, "one two "));
    const second = await log.claim("r", { owner: "b", force: true });
    const bytes = ndjson(text(5, "three"), done(6));
    await log.append("r", { from: 3, to: 6, bytes, token: second.token, end: "done" });
    for (const id of ["2.1", "0.1", "3.7", "6.3", "5.1", "3.0"]) {
      const list = await events(log, { id });
      assert.equal(list[0].event, "reset", id);
      const client = new Client();
      for (const one of list) client.take(one);
      assert.equal(client.message.parts[0].payload.text, "one two three", id);
    }
    const [first] = await events(log, { id: "3.1" });
    assert.deepEqual([first.event, first.id], ["message", "6.2"]);
  });

  test("a place above the log waits for it", async () => {
    const log = memoryRunLog();
    const { append } = await run(log);
    await append(start(), text(2, "one "));
    const sse = (await get(log, { id: "4.1" })).text();
    await append(text(4, "two "));
    await append(text(5, "three"), done(6));
    const list = eventsOf(await sse);
    assert.deepEqual(
      list.map(({ event, id }) => [event, id]),
      [
        ["message", "6.1"],
        ["end", "6.1"],
      ],
    );
  });

  test("changes: a reset is an array of changes, what follows too", async () => {
    const log = memoryRunLog();
    const { append } = await run(log);
    await append(start(), text(2, "one "));
    await append(text(3, "two "));
    await append(text(4, "three"));
    await append(done(5));
    const list = await events(log, { as: "changes" });
    assert.equal(list[0].event, "reset");
    const shown = list.slice(0, -1).flatMap(({ data }) => JSON.parse(data.join("\n")));
    assert.deepEqual(shown[0], {
      op: "add",
      part: 0,
      value: { kind: "text", payload: { text: "one two three" } },
    });
    const rest = await events(log, { as: "changes", id: "3.1" });
    assert.deepEqual(
      rest.slice(0, -1).map(({ event, id, data }) => [event, id, JSON.parse(data.join("\n"))]),
      [
        ["message", "4.1", [{ op: "append", part: 0, field: "text", text: "three" }]],
        ["message", "5.1", [{ op: "status", status: "done" }]],
      ],
    );
    const [odd] = await events(log, { as: "changes", id: "3.9" });
    assert.equal(odd.event, "reset");
  });

  test("a comment comes while nothing does, and the answer ends after its time", async () => {
    const log = memoryRunLog();
    const { append } = await run(log);
    await append(start(), text(2, "x"));
    const body = (await get(log, { heartbeatMs: 5 })).body.getReader();
    let seen = "";
    while (!/\n:\n\n/.test(seen)) seen += new TextDecoder().decode((await body.read()).value);
    await body.cancel();
    const list = eventsOf(await (await get(log, { maxMs: 50 })).text());
    assert.deepEqual(
      list.map(({ event, id }) => [event, id]),
      [["reset", "2.1"]],
    );
  });

  test("a browser that left, or a request that was aborted, is not followed", async () => {
    const inner = memoryRunLog();
    let following = 0;
    const log = {
      ...inner,
      follow: async function* (...args) {
        following++;
        try {
          yield* inner.follow(...args);
        } finally {
          following--;
        }
      },
    };
    const { append } = await run(log);
    await append(start());
    const abort = new AbortController();
    const request = new Request(URL_, { signal: abort.signal });
    const reader = (await runResponse(request, log, "r")).body.getReader();
    const other = (await get(log)).body.getReader();
    const drain = async (from) => {
      try {
        while (!(await from.read()).done);
      } catch {}
    };
    const drained = [drain(reader), drain(other)];
    await until(() => following === 2);
    abort.abort();
    await other.cancel();
    await until(() => following === 0);
    await Promise.all(drained);
  });

  test("a slow browser is skipped forward when it is more than 1 MB behind", async () => {
    const log = memoryRunLog();
    const { append } = await run(log);
    await append(start(), text(2, "x"));
    const reader = (await get(log, { id: "2.1" })).body.getReader();
    const decoder = new TextDecoder();
    let sse = decoder.decode((await reader.read()).value);
    let seq = 3;
    for (; seq < 40; seq++) await append(text(seq, "y".repeat(100_000)));
    await append(done(seq));
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      sse += decoder.decode(value);
    }
    const list = eventsOf(sse);
    assert.ok(list.some(({ event }) => event === "reset"));
    const client = new Client();
    client.take({
      id: "2.1",
      event: "reset",
      data: [JSON.stringify(start()), JSON.stringify(text(2, "x"))],
    });
    for (const one of list) client.take(one);
    assert.equal(client.message.parts[0].payload.text.length, 1 + 37 * 100_000);
  });
});

describe("the AI SDK's client", () => {
  const CALL = [
    start(),
    delta(2, "thinking", { textDelta: "hm" }),
    text(3, "Let me see"),
    delta(4, "tool_call_start", { toolCallId: "c", toolName: "read" }),
    delta(5, "tool_call_args", { toolCallId: "c", argsTextDelta: '{"path":' }),
    delta(6, "tool_call_args", { toolCallId: "c", argsTextDelta: '"/a"}' }),
    delta(7, "tool_call_end", { toolCallId: "c" }),
    text(8, " done"),
  ];

  async function messageOf(log) {
    const fetch = async (url, init) =>
      runResponse(new Request(`http://localhost${url}`, init), log, "r", { as: "ai-sdk" });
    const transport = new DefaultChatTransport({ api: "/chat", fetch });
    const stream = await transport.reconnectToStream({ chatId: "c1" });
    let last;
    for await (const message of readUIMessageStream({ stream, terminateOnError: true }))
      last = message;
    return last;
  }

  test("reads the message, live and afterwards", async () => {
    const log = memoryRunLog();
    const { append } = await run(log);
    await append(...CALL.slice(0, 3));
    const live = messageOf(log);
    await append(...CALL.slice(3, 5));
    await append(...CALL.slice(5));
    await append(done(9));
    for (const message of [await live, await messageOf(log)]) {
      assert.equal(message.role, "assistant");
      assert.deepEqual(
        message.parts.map(({ type, text, input, state }) => [type, text ?? input, state]),
        [
          ["step-start", undefined, undefined],
          ["reasoning", "hm", "done"],
          ["text", "Let me see", "done"],
          ["tool-read", { path: "/a" }, "input-available"],
          ["text", " done", "done"],
        ],
      );
    }
  });

  const data = (value) => ({ part: { type: "data-step", id: "p", data: value } });
  const progress = (seq, value) =>
    delta(seq, "custom", {
      type: "ai-sdk-data-step",
      block: 0,
      provider: { "ai-sdk": data(value) },
    });

  test("has one part of data with an id, and the arguments that the tool got", async () => {
    const log = memoryRunLog();
    const { append } = await run(log);
    await append(...CALL.slice(0, 2), progress(3, 1));
    const live = messageOf(log);
    await append(progress(4, 2));
    await append(...CALL.slice(3, 6).map((one) => ({ ...one, seq: one.seq + 1 })));
    // The whole arguments are others: the call comes again.
    await append(delta(8, "reset", { since: 5 }));
    const again = [...CALL.slice(3, 7)].map((one) => ({ ...one, seq: one.seq + 5 }));
    again[1].payload = { ...again[1].payload, argsTextDelta: '{"path":"/b","deep":' };
    again[2].payload = { ...again[2].payload, argsTextDelta: "true}" };
    await append(...again);
    await append(progress(13, 3), done(14));
    for (const message of [await live, await messageOf(log)]) {
      const shown = message.parts.map(({ type, text, input, data: value }) => [
        ...[type, text ?? input ?? value],
      ]);
      assert.deepEqual(shown, [
        ["step-start", undefined],
        ["reasoning", "hm"],
        ["data-step", 3],
        ["tool-read", { path: "/b", deep: true }],
      ]);
    }
  });

  test("gets results of tools and errors", async () => {
    const log = memoryRunLog();
    const { append } = await run(log);
    const meta = { toolResults: [{ toolCallId: "c", isError: false, content: { ok: true } }] };
    await append(...CALL);
    await append(delta(9, "done", { finishReason: "stop", meta }));
    const { parts } = await messageOf(log);
    assert.deepEqual(parts.find(({ type }) => type === "tool-read").output, { ok: true });
    const failed = memoryRunLog();
    const other = await run(failed);
    await other.append(...CALL);
    await other.append(delta(9, "error", { errorCode: "overloaded", message: "try later" }));
    await assert.rejects(messageOf(failed), /try later/);
  });
});

const SERVERS = {
  "node:http": (handler) => createServer((request, response) => handler(request, response)),
  "Express 5": (handler) => createServer(express().use("/runs", handler)),
  "Express 4": (handler) => createServer(express4().use("/runs", handler)),
};

for (const [name, serve] of Object.entries(SERVERS)) {
  describe(`a handler of ${name}`, () => {
    async function serving(log, options, work) {
      const runId = ({ url }) => new URLSearchParams(url.split("?")[1]).get("run") ?? undefined;
      const server = serve(runHandler(log, { runId, ...options }));
      await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
      const base = `http://127.0.0.1:${server.address().port}/runs/`;
      try {
        await work(base, server);
      } finally {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    }

    test("answers as runResponse does", async () => {
      const log = memoryRunLog();
      const { append } = await run(log);
      await append(start(), text(2, "one "));
      await serving(log, { headers: { "x-own": "1" } }, async (base) => {
        const response = await fetch(`${base}?run=r`);
        assert.equal(response.status, 200);
        assert.equal(response.headers.get("x-own"), "1");
        assert.equal(response.headers.get("cache-control"), "no-cache, no-transform");
        await append(text(3, "two"), done(4));
        const client = new Client();
        for (const one of eventsOf(await response.text())) client.take(one);
        assert.equal(client.message.parts[0].payload.text, "one two");
        const again = (id, query = "") =>
          fetch(`${base}?run=r${query}`, { headers: id ? { "Last-Event-ID": id } : {} });
        assert.equal((await again("4.1")).status, 204);
        assert.equal((await again(undefined, "&lastEventId=4.1")).status, 204);
        assert.equal((await again("x")).status, 400);
        assert.equal((await fetch(`${base}?run=unknown`)).status, 404);
        assert.equal((await fetch(base)).status, 404);
      });
    });

    test("browsers that come back again and again miss nothing and get nothing twice", async () => {
      const log = memoryRunLog();
      const { append } = await run(log);
      await append(start());
      await serving(log, {}, async (base) => {
        let isOver = false;
        const client = async () => {
          const own = new Client();
          while (!own.status) {
            const abort = new AbortController();
            const headers = own.id ? { "Last-Event-ID": own.id } : {};
            let kept = "";
            try {
              const response = await fetch(`${base}?run=r`, { headers, signal: abort.signal });
              if (response.status === 204) break;
              const decoder = new TextDecoder();
              let left = Math.ceil(Math.random() * 4);
              for await (const chunk of response.body) {
                kept += decoder.decode(chunk, { stream: true });
                const end = kept.lastIndexOf("\n\n") + 2;
                for (const one of eventsOf(kept.slice(0, end))) own.take(one);
                kept = kept.slice(end);
                if (!own.status && --left === 0) break;
              }
            } catch (error) {
              if (!abort.signal.aborted) throw error;
            }
          }
          return own;
        };
        const clients = Promise.all(Array.from({ length: 10 }, client));
        const writing = (async () => {
          for (let seq = 2; seq < 200; seq++) {
            await append(text(seq, `${seq} `));
            if (seq % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
          }
          await append(done(200));
          isOver = true;
        })();
        await writing;
        assert.ok(isOver);
        const reader = await RunReader.open(log, "r");
        const message = await reader.result();
        for (const own of await clients) assert.deepEqual(own.message, message);
        reader.free();
      });
    });
  });
}
