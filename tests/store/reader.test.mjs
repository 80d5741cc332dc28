// The reader: what it shows, from where, and what it does when text is trimmed, taken back, or the log is away.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { DeltaAssembler } from "apex-parts";
import { memoryRunLog, RunReader, RunStoreError, RunWriter } from "apex-parts/store";
import { all, delta, done, failsWith, ndjson, start, text } from "./deltas.mjs";
import { until } from "./redis.mjs";

/** Appends deltas as one batch. */
async function append(log, claim, from, ...deltas) {
  const to = deltas.at(-1).seq;
  const end = { done: "done", error: "error" }[deltas.at(-1).kind];
  const batch = { from, to, bytes: ndjson(...deltas), token: claim.token };
  await log.append("r", end ? { ...batch, end } : batch);
  return to;
}

/** The parts that changes make, one after another. */
function applied(list) {
  let parts = [];
  for (const { reset, changes } of list) {
    if (reset) parts = [];
    for (const change of changes) {
      if (change.op === "add" || change.op === "set")
        parts[change.part] = structuredClone(change.value);
      if (change.op === "append" && change.field === "text")
        parts[change.part].payload.text += change.text;
    }
  }
  return parts;
}

describe("a reader", () => {
  test("has what is stored when it is open, and follows", async () => {
    const log = memoryRunLog();
    const claim = await log.claim("r", { owner: "a" });
    await append(log, claim, 0, start(), text(2, "Hello"));
    const reader = await RunReader.open(log, "r");
    assert.equal(reader.message().parts[0].payload.text, "Hello");
    const changes = all(reader.changes());
    await append(log, claim, 2, text(3, " world"));
    await until(() => reader.message().parts[0].payload.text === "Hello world");
    await append(log, claim, 3, done(4));
    const message = await reader.result();
    assert.equal(message.meta.finishReason, "stop");
    const list = await changes;
    assert.deepEqual(applied(list), message.parts);
    assert.equal(list.at(-1).position, 4);
    assert.ok(list.every(({ reset }) => reset === undefined));
    reader.free();
    reader.free();
  });

  test("gives the message with parts, as an assembler does", async () => {
    const log = memoryRunLog();
    const writer = await RunWriter.open(log, "r");
    const deltas = [start(), text(2, "Hello"), done(3)];
    for (const one of deltas) await writer.push(one);
    await writer.end();
    const reader = await RunReader.open(log, "r");
    await reader.result();
    const given = { agent: "build", providerID: "p", path: { cwd: "/", root: "/" } };
    const context = { ...given, sessionID: "s", messageID: "m", parentID: "u" };
    const { info, parts } = reader.toWithParts(context);
    assert.deepEqual([info.id, info.parentID, info.finish], ["m", "u", "stop"]);
    assert.deepEqual(
      parts.map(({ type }) => type),
      ["step-start", "text", "step-finish"],
    );
    const assembler = new DeltaAssembler({ format: "delta" });
    for (const one of deltas) assembler.push(one);
    assert.deepEqual(assembler.toWithParts(context).info, info);
    assembler.free();
    reader.free();
  });

  test("of a run that failed resolves with the preview", async () => {
    const log = memoryRunLog();
    const writer = await RunWriter.open(log, "r");
    await writer.push(start());
    await writer.push(text(2, "half"));
    await writer.fail({ errorCode: "overloaded", message: "later", retryable: true });
    const reader = await RunReader.open(log, "r");
    const message = await reader.result();
    assert.equal(message.parts[0].payload.text, "half");
    const error = { errorCode: "overloaded", message: "later", retryable: true };
    assert.deepEqual(message.meta.error, error);
    reader.free();
  });

  test("needs a run", async () => {
    let time = 0;
    const log = memoryRunLog({ ttlMs: 1000, now: () => time });
    await failsWith("unknown_run", RunReader.open(log, "r"));
    await log.claim("r", { owner: "a" });
    time = 1500;
    await failsWith("expired", RunReader.open(log, "r"));
  });

  test("`from`: gives only the changes after it", async () => {
    const log = memoryRunLog();
    const claim = await log.claim("r", { owner: "a" });
    await append(log, claim, 0, start(), text(2, "one "));
    await append(log, claim, 2, text(3, "two "));
    const reader = await RunReader.open(log, "r", { from: 2 });
    const changes = all(reader.changes());
    await append(log, claim, 3, text(4, "three"), done(5));
    assert.equal((await reader.result()).parts[0].payload.text, "one two three");
    const appended = (await changes).flatMap(({ changes }) =>
      changes.filter(({ op }) => op === "append"),
    );
    assert.equal(appended.map(({ text }) => text).join(""), "two three");
    reader.free();
  });

  test("of a run that has ended gives its changes once", async () => {
    const log = memoryRunLog();
    const claim = await log.claim("r", { owner: "a" });
    await append(log, claim, 0, start(), text(2, "one "));
    await append(log, claim, 2, text(3, "two"), done(4));
    const lists = [];
    for (const from of [undefined, 2, 4]) {
      const reader = await RunReader.open(log, "r", { from });
      lists.push(await all(reader.changes()));
      reader.free();
    }
    assert.deepEqual(applied(lists[0]), [{ kind: "text", payload: { text: "one two" } }]);
    const appended = { op: "append", part: 0, field: "text", text: "two" };
    const changes = [appended, { op: "status", status: "done" }];
    assert.deepEqual(lists.slice(1), [[{ position: 4, changes }], []]);
    assert.deepEqual(
      lists[0].map(({ position, reset }) => [position, reset]),
      [[4, undefined]],
    );
  });

  test("`from` that was trimmed: one reset with the snapshot", async () => {
    const log = memoryRunLog();
    const claim = await log.claim("r", { owner: "a" });
    const whole = [start(), text(2, "one "), text(3, "two ")];
    await append(log, claim, 0, ...whole.slice(0, 2));
    await append(log, claim, 2, whole[2]);
    const assembler = new DeltaAssembler();
    for (const one of whole) assembler.push(one);
    await log.snapshot("r", { token: claim.token, at: 3, bytes: assembler.snapshot() });
    assembler.free();
    const reader = await RunReader.open(log, "r", { from: 2 });
    const changes = all(reader.changes());
    await append(log, claim, 3, text(4, "three"), done(5));
    const message = await reader.result();
    const list = await changes;
    assert.equal(list[0].reset, true);
    assert.deepEqual(applied(list), message.parts);
    assert.equal(message.parts[0].payload.text, "one two three");
    reader.free();
  });

  test("`from` above the log waits for it", async () => {
    const log = memoryRunLog();
    const claim = await log.claim("r", { owner: "a" });
    await append(log, claim, 0, start(), text(2, "one "));
    const reader = await RunReader.open(log, "r", { from: 4 });
    const changes = all(reader.changes());
    await append(log, claim, 2, text(4, "two "));
    await append(log, claim, 4, text(5, "three"), done(6));
    await reader.result();
    const list = await changes;
    assert.deepEqual(
      list.flatMap(({ changes }) => changes.map(({ op, text }) => [op, text])),
      [
        ["append", "three"],
        ["status", undefined],
      ],
    );
    reader.free();
  });

  test("ends with its signal: quietly for changes, with its reason for the result", async () => {
    const log = memoryRunLog();
    const claim = await log.claim("r", { owner: "a" });
    await append(log, claim, 0, start());
    const abort = new AbortController();
    const reader = await RunReader.open(log, "r", { signal: abort.signal });
    const changes = all(reader.changes());
    const result = reader.result();
    abort.abort(new Error("enough"));
    await assert.rejects(result, { message: "enough" });
    await changes;
    reader.free();
    await assert.rejects(RunReader.open(log, "r", { signal: abort.signal }), { message: "enough" });
  });

  test("waits while the log is away", async () => {
    const inner = memoryRunLog();
    let left = 4;
    const shaky =
      (name) =>
      async (...args) => {
        if (left > 0) {
          left--;
          throw new RunStoreError("unavailable", { runId: "r" });
        }
        return inner[name](...args);
      };
    const log = { ...inner, read: shaky("read"), latest: shaky("latest") };
    const claim = await log.claim("r", { owner: "a" });
    await append(log, claim, 0, start(), text(2, "x"), done(3));
    const reader = await RunReader.open(log, "r");
    assert.equal((await reader.result()).parts[0].payload.text, "x");
    reader.free();
  });
});

/** A log whose run can be set back to an earlier state, as a store that restarts sets it back. */
function forgetful() {
  let inner = memoryRunLog();
  const steps = [];
  const tokens = new Map();
  const apply = async ({ name, args }) => {
    const [runId, o] = args;
    const real = o.token === undefined ? o : { ...o, token: tokens.get(o.token) };
    const answer = await inner[name](runId, real);
    return answer;
  };
  const log = {};
  for (const name of ["latest", "read"]) log[name] = (...args) => inner[name](...args);
  log.follow = async function* (runId, from, o) {
    // As our logs do, but over whatever there is now.
    for await (const batch of inner.follow(runId, from, o)) yield batch;
  };
  log.claim = async (...args) => {
    const claim = await inner.claim(...args);
    const name = `token ${tokens.size}`;
    tokens.set(name, claim.token);
    steps.push({ name: "claim", args, token: name });
    return { ...claim, token: name };
  };
  log.append = async (...args) => {
    const answer = await apply({ name: "append", args });
    steps.push({ name: "append", args });
    return answer;
  };
  log.back = async (count) => {
    const old = inner;
    steps.length -= count;
    const next = memoryRunLog();
    inner = next;
    for (const step of steps) {
      if (step.name === "claim") tokens.set(step.token, (await inner.claim(...step.args)).token);
      else await apply(step);
    }
    // Who followed is told that the connection is gone.
    await old.delete("r");
  };
  return log;
}

describe("text that was taken back (RL-9)", () => {
  test("and is written again by the same writer is waited for", async () => {
    const log = forgetful();
    const claim = await log.claim("r", { owner: "a" });
    await append(log, claim, 0, start(), text(2, "one "));
    await append(log, claim, 2, text(3, "two "));
    const reader = await RunReader.open(log, "r");
    const changes = all(reader.changes());
    await log.back(1);
    await append(log, claim, 2, text(3, "two "));
    await append(log, claim, 3, text(4, "three"), done(5));
    assert.equal((await reader.result()).parts[0].payload.text, "one two three");
    assert.ok((await changes).every(({ reset }) => !reset));
    reader.free();
  });

  test("and is written otherwise by the next writer is reset", async () => {
    const log = forgetful();
    const claim = await log.claim("r", { owner: "a" });
    await append(log, claim, 0, start(), text(2, "one "));
    await append(log, claim, 2, text(3, "two "));
    const reader = await RunReader.open(log, "r");
    const changes = all(reader.changes());
    await until(() => reader.message().parts.length === 1);
    await log.back(1);
    const next = await log.claim("r", { owner: "b", force: true });
    await append(log, next, 2, text(4, "ZWEI "));
    await append(log, next, 4, delta(5, "text", { textDelta: "DREI" }), done(6));
    const message = await reader.result();
    assert.equal(message.parts[0].payload.text, "one ZWEI DREI");
    assert.deepEqual(applied(await changes), message.parts);
    reader.free();
  });
});
