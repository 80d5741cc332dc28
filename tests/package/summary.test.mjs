// What a run did: `summary`, `summarize` and `breakdown` of the packed package.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { at, consumer, requireFrom } from "./helper.mjs";

let Transcript;
before(async () => {
  ({ Transcript } = requireFrom(await consumer("summary"))("apex-parts"));
});

const bytes = readFileSync(at("tests", "fixtures", "subtask.export.json"));

describe("a summary", () => {
  test("is the same in steps, and for a file that is read again", () => {
    const whole = Transcript.open(bytes);
    const summary = whole.summary();
    assert.equal(summary.ended.how, "finished");
    assert.equal(summary.requests, 1);
    assert.ok(summary.time.total >= summary.time.busy);

    const steps = Transcript.open(bytes);
    for (let to = 1; steps.summarize(to) < steps.messageCount; to++);
    assert.deepEqual(steps.summary(), summary);
    assert.deepEqual(steps.breakdown("tool"), whole.breakdown("tool"));

    const again = new Transcript({ read: (start, end) => bytes.subarray(start, end) });
    again.push(bytes);
    again.end();
    assert.deepEqual(again.summary(), summary);
    for (const transcript of [whole, steps, again]) transcript.free();
  });

  test("tells no time that the file does not have", () => {
    const chat = '{"role":"user","content":"Hi"}\n{"role":"assistant","content":"Hello"}\n';
    for (const now of [0, 1_700_000_000_000, undefined]) {
      const transcript = Transcript.open(Buffer.from(chat), now === undefined ? {} : { now });
      const stats = transcript.stats();
      assert.equal(stats.messages, 2);
      assert.equal("start" in stats || "end" in stats, false, `${now}`);
      assert.equal(transcript.summary().time?.total ?? 0, 0);
      transcript.free();
    }
  });

  test("begins anew when more of the file comes", () => {
    const transcript = new Transcript();
    const first = JSON.stringify({ info: { id: "m", sessionID: "s", role: "user" }, parts: [] });
    transcript.push(Buffer.from(`${first}\n`));
    assert.equal(transcript.summary().requests, 0);
    const part = { id: "p", sessionID: "s", messageID: "n", type: "text", text: "Go on" };
    const info = { id: "n", sessionID: "s", role: "user" };
    transcript.push(Buffer.from(`${JSON.stringify({ info, parts: [part] })}\n`));
    transcript.end();
    assert.equal(transcript.summary().asked.text, "Go on");
    transcript.free();
  });

  test("a breakdown is by what it knows, over a range", () => {
    const transcript = Transcript.open(bytes);
    const { start, end } = transcript.stats();
    for (const by of ["tool", "step", "model", "agent", "file"]) {
      assert.deepEqual(transcript.breakdown(by, { start, end }), transcript.breakdown(by));
      assert.deepEqual(transcript.breakdown(by, { start: end + 1, end: end + 2 }), []);
    }
    assert.throws(
      () => transcript.breakdown("colour"),
      ({ name, message }) =>
        name === "TranscriptError" &&
        /`by` must be one of tool, step, model, agent, file/.test(message),
    );
    assert.throws(() => transcript.breakdown(), { name: "TranscriptError" });
    transcript.free();
  });

  test("the time of a range is split as that of the whole", () => {
    const transcript = Transcript.open(bytes);
    const { start, end } = transcript.stats();
    const { time } = transcript.summary();
    assert.ok(time.total > 0);
    for (const range of [undefined, {}, { start }, { start, end }]) {
      assert.deepEqual(transcript.timeSplit(range), time);
    }
    const middle = (start + end) / 2;
    const halves = [{ end: middle }, { start: middle }].map((range) => transcript.timeSplit(range));
    for (const key of ["total", "busy", "model", "tools", "waiting", "idle"]) {
      const [first, second] = halves.map((split) => split[key]);
      assert.ok(Math.abs(first + second - time[key]) < 1, `${key}: ${first} + ${second}`);
    }
    assert.equal(transcript.timeSplit({ start: end + 1 }), undefined);
    transcript.free();
  });
});
