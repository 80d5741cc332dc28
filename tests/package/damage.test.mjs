// Damage in a file of any format is reported with its place, and everything undamaged is read.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { generate } from "../../scripts/generate.mjs";
import { inputs } from "../inputs.mjs";
import { at, consumer, requireFrom } from "./helper.mjs";

const STREAMS = at("tests", "fixtures", "streams");
const MADE = [
  ...["opencode-export", "opencode-events", "opencode-run", "with-parts", "messages", "deltas"],
  "opencode2-export",
  "claude-code",
];
/** Files by their format. */
const FILES = Object.fromEntries(
  MADE.map((format) => [
    format,
    [Buffer.concat([...generate({ format, bytes: 30_000, seed: 7 })])],
  ]),
);
for (const name of inputs(STREAMS, /\.sse$/)) {
  const format = name.split(".").at(-2);
  FILES[format] = [...(FILES[format] ?? []), readFileSync(join(STREAMS, name))];
}

let parts;
before(async () => {
  parts = requireFrom(await consumer("damage"))("apex-parts");
  parts.setLogger(undefined);
});

function opened(t, bytes) {
  const transcript = parts.Transcript.open(bytes);
  t.after(() => transcript.free());
  return transcript;
}

const said = (transcript) => JSON.stringify(transcript.messages());

describe("a byte that is not UTF-8 becomes U+FFFD and a problem with its offset", () => {
  /** A word of a text that occurs in the file exactly once, unescaped. */
  function wordOf(t, bytes) {
    const messages = opened(t, bytes).messages();
    const texts = messages.flatMap((message) => message.parts.map(({ text }) => text));
    const words = texts.flatMap((text) => text?.match(/[a-z]{3,}/g) ?? []);
    return words.find((word) => bytes.toString().split(word).length === 2);
  }

  test("every format has a file here", () => assert.equal(Object.keys(FILES).length, 19));
  for (const [format, files] of Object.entries(FILES)) {
    test(format, (t) => {
      const bytes = files.find((one) => wordOf(t, one));
      const word = wordOf(t, bytes);
      const whole = opened(t, bytes);
      assert.equal(
        whole.problems().find(({ rule }) => rule === "encoding"),
        undefined,
      );
      const place = bytes.indexOf(word) + 1;
      const bad = Buffer.from(bytes);
      bad[place] = 0xff;
      const transcript = opened(t, bad);
      assert.equal(transcript.messageCount, whole.messageCount);
      assert.equal(transcript.partCount, whole.partCount);
      const found = transcript.problems().filter(({ rule }) => rule === "encoding");
      assert.deepEqual(
        found.map(({ severity, offset }) => [severity, offset]),
        [["error", place]],
      );
      const shown = `${word.slice(0, 1)}\ufffd${word.slice(2)}`;
      assert.ok(said(transcript).includes(shown), shown);
    });
  }
});

const sse = (...events) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const event = (type, properties) => ({ type, properties });

describe("events", () => {
  test("only of the family session.next are an empty transcript and a problem", (t) => {
    const next = event("session.next.text.delta", { sessionID: "s", delta: "x" });
    for (const before of [[], [event("server.connected", {})]]) {
      const transcript = opened(t, Buffer.from(sse(...before, next)));
      assert.equal(transcript.messageCount, 0);
      assert.match(transcript.problems()[0].message, /session\.next/);
    }
  });

  test("of a failure without a message are a problem", (t) => {
    const error = { name: "ProviderAuthError", data: { message: "no key" } };
    const failed = event("session.error", { sessionID: "s", error });
    const session = event("session.created", { info: { id: "s", title: "T" } });
    const info = { id: "m", sessionID: "s", role: "assistant", time: { created: 1 } };
    const message = (fields) => event("message.updated", { info: { ...info, ...fields } });
    const told = (...events) =>
      opened(t, Buffer.from(sse(...events)))
        .problems()
        .filter(({ rule }) => rule === "events")
        .map(({ message }) => message);
    assert.match(told(session, failed)[0], /failed, .*: ProviderAuthError: no key \(events\)$/);
    assert.equal(told(session, message({}), failed).length, 1);
    assert.deepEqual(told(session, failed, message({ error })), []);
  });
});

describe("a recorded response that was cut, and another after it, are one message each", () => {
  const CUT = join(STREAMS, "cut");
  for (const name of inputs(CUT, /\.sse$/)) {
    test(name, (t) => {
      const transcript = opened(t, readFileSync(join(CUT, name)));
      assert.ok(transcript.messageCount > 1, `${transcript.messageCount}`);
      const ends = transcript.problems().filter(({ rule }) => rule === "DC-2");
      assert.ok(ends.length > 0);
    });
  }

  test("deltas of two runs", (t) => {
    const delta = (runId, seq, kind, payload) =>
      JSON.stringify({ runId, seq, kind, payload, timestamp: "2026-01-12T09:35:17.730Z" });
    const start = { modelId: "m", requestId: "r" };
    const lines = [
      delta("a", 1, "start", start),
      delta("a", 2, "text", { textDelta: "one" }),
      delta("a", 3, "start", start),
      delta("b", 1, "start", start),
      delta("b", 2, "text", { textDelta: "two" }),
      delta("b", 3, "done", { finishReason: "stop" }),
    ];
    const transcript = opened(t, Buffer.from(lines.join("\n")));
    const texts = transcript.messages().map(({ parts: own }) => own.find((p) => p.text)?.text);
    assert.deepEqual(texts, ["one", "two"]);
    const rules = transcript.problems().map(({ rule }) => rule);
    assert.ok(rules.includes("DC-1") && rules.includes("DC-2"), rules.join());
  });
});

test("a file cut within its first message opens, with a problem that says so", (t) => {
  const cuts = [
    'data: {"type":"message_start","message":{"id":"msg_1","type":"mess',
    "dat",
    "{",
    "[",
  ];
  for (const cut of [...cuts, '{"info":{"id":"s"', '[{"info":{"id":"m"},"par']) {
    const transcript = opened(t, Buffer.from(cut));
    assert.equal(transcript.messageCount, 0, cut);
    const [{ message }, ...more] = transcript.problems();
    assert.match(message, /cut off/, cut);
    assert.deepEqual(more, []);
  }
});

test("300 bad bytes cost only the part that contains them", (t) => {
  const [bytes] = FILES["opencode-export"];
  const all = opened(t, bytes).messages();
  const ids = (messages) => messages.flatMap(({ parts: own }) => own.map(({ id }) => id));
  const long = all.flatMap(({ parts: own }) => own).find(({ text }) => text?.length > 400);
  const at = bytes.indexOf(JSON.stringify(long.text).slice(0, 60)) + 50;
  const bad = Buffer.from(bytes).fill(1, at, at + 300);
  const transcript = opened(t, bad);
  assert.deepEqual(
    ids(transcript.messages()),
    ids(all).filter((id) => id !== long.id),
  );
  assert.match(transcript.problems()[0].message, /\d+ bytes of message \d+ are left out/);
});

test("a cut file has the complete parts of its last message", (t) => {
  const [bytes] = FILES["opencode-export"];
  const whole = opened(t, bytes);
  const all = whole.messages();
  let some = 0;
  for (let cut = bytes.length - 4000; cut < bytes.length; cut += 7) {
    const transcript = opened(t, bytes.subarray(0, cut));
    const messages = transcript.messages();
    const last = messages.at(-1);
    assert.deepEqual(messages.slice(0, -1), all.slice(0, messages.length - 1));
    const { info, parts: own } = all[messages.length - 1];
    assert.deepEqual(last, { info, parts: own.slice(0, last.parts.length) });
    if (last.parts.length > 0 && last.parts.length < own.length) some++;
    assert.match(transcript.problems().at(-1).message, /cut off/);
    const [hit] = transcript.search(String(last.parts.at(-1)?.text ?? info.id).slice(0, 20));
    if (last.parts.at(-1)?.text) assert.ok(hit);
  }
  assert.ok(some > 10, `${some}`);
});
