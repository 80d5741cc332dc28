// The writer: batches, numbers, snapshots, what it does when the log fails, is slow, or forgets.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { DeltaAssembler } from "apex-parts";
import { memoryRunLog, RunStoreError, RunWriter } from "apex-parts/store";
import { bytesOf, delta, done, failsWith, ndjson, start, stored, text, textOf } from "./deltas.mjs";
import { until } from "./redis.mjs";

const STREAMS = fileURLToPath(new URL("../fixtures/streams/", import.meta.url));
/** What flushes only when it is asked to. */
const NEVER = { flushMs: 1e6, flushBytes: 1e9 };

const deltasOf = (batches) =>
  batches.flatMap(({ bytes }) =>
    textOf(bytes)
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  );

/** The message of what is stored. */
async function messageOf(log, runId) {
  const { snapshot, snapshotAt } = await log.latest(runId);
  const assembler = snapshot ? DeltaAssembler.restore(snapshot) : new DeltaAssembler();
  for (const { bytes } of await stored(log, runId, snapshotAt)) assembler.pushBytes(bytes);
  const message = assembler.message() ?? assembler.preview();
  assembler.free();
  return message;
}

function fails(code, details = { runId: "r" }) {
  throw new RunStoreError(code, details);
}

describe("batches", () => {
  test("what is pushed together is one batch, its pieces joined", async () => {
    const log = memoryRunLog();
    const writer = await RunWriter.open(log, "r");
    await writer.push(start());
    for (const [index, word] of ["one ", "two ", "three"].entries())
      await writer.push(text(index + 2, word));
    await until(() => writer.position === 4);
    const [one, ...more] = await stored(log, "r");
    assert.deepEqual([one.from, one.to, more.length], [0, 4, 0]);
    assert.deepEqual(
      deltasOf([one]).map(({ seq, payload }) => [seq, payload.textDelta]),
      [
        [1, undefined],
        [4, "one two three"],
      ],
    );
    await writer.push(done(9));
    await writer.end();
    assert.deepEqual(
      (await stored(log, "r")).map(({ from, to }) => [from, to]),
      [
        [0, 4],
        [4, 9],
      ],
    );
    assert.equal((await log.latest("r")).state.status, "done");
  });

  test("flushBytes sends without waiting for the time", async () => {
    const log = memoryRunLog();
    const writer = await RunWriter.open(log, "r", { flushMs: 1e6, flushBytes: 1000 });
    await writer.push(start());
    for (let seq = 2; seq < 20; seq++) await writer.push(text(seq, "x".repeat(300)));
    await until(() => writer.position > 0);
    for (const { bytes } of await stored(log, "r")) assert.ok(bytes.length >= 1000);
    await writer.close();
    assert.equal((await messageOf(log, "r")).parts[0].payload.text.length, 18 * 300);
  });

  test("done ends the run with its batch, before end is called", async () => {
    const log = memoryRunLog();
    const writer = await RunWriter.open(log, "r");
    for (const one of [start(), text(2, "x"), done(3)]) await writer.push(one);
    await until(async () => (await log.latest("r")).state.status === "done");
    await writer.end();
    await writer.end();
    await failsWith("ended", writer.push(text(4, "more")));
    await failsWith("ended", writer.fail({ errorCode: "x" }));
    await writer.close();
    await writer.close();
  });

  test("a stream that begins with number 0 is stored too", async () => {
    const log = memoryRunLog();
    const writer = await RunWriter.open(log, "r", { flushMs: 1 });
    await writer.push({ ...start(), seq: 0 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await writer.push(text(1, "x"));
    await writer.push(done(2));
    await writer.end();
    assert.deepEqual(
      deltasOf(await stored(log, "r")).map(({ seq }) => seq),
      [0, 1, 2],
    );
  });

  test("a given delta above 1 MB is too large; the writer goes on", async () => {
    const log = memoryRunLog();
    const writer = await RunWriter.open(log, "r");
    await writer.push(start());
    await failsWith("too_large", writer.push(text(2, "x".repeat(1 << 20))));
    await failsWith("too_large", writer.push(text(2, "\u0001".repeat(200_000))));
    await failsWith(
      "too_large",
      writer
        .push(done(3))
        .then(() => writer.push(delta(4, "done", { finishReason: "x".repeat(2e6) }))),
    );
    await writer.end();
    assert.equal((await log.latest("r")).state.status, "done");
  });

  test("what is joined is never above 1 MB", async () => {
    const log = memoryRunLog();
    const writer = await RunWriter.open(log, "r", NEVER);
    await writer.push(start());
    for (let seq = 2; seq < 12; seq++) await writer.push(text(seq, "é".repeat(120_000)));
    await writer.push(done(12));
    await writer.end();
    const { snapshotAt } = await log.latest("r");
    const batches = await stored(log, "r", snapshotAt);
    assert.ok(batches.length > 0);
    for (const { bytes } of batches) assert.ok(bytes.length <= 1 << 20);
    assert.equal((await messageOf(log, "r")).parts[0].payload.text.length, 1_200_000);
  });

  test("a whole stream of deltas at once is cut into batches", async () => {
    const log = memoryRunLog();
    const lines = [start()];
    for (let seq = 2; seq < 9000; seq++) lines.push(text(seq, `${"wörd ".repeat(60)}${seq}`));
    lines.push(done(9000));
    const writer = await RunWriter.open(log, "r");
    await writer.pushBytes(ndjson(...lines));
    await writer.end();
    const expected = new DeltaAssembler();
    for (const one of lines) expected.push(one);
    assert.deepEqual(await messageOf(log, "r"), expected.message());
    expected.free();
  });
});

describe("bytes of providers", () => {
  const formatOf = (name) => name.split(".").at(-2);
  const bytesIn = (name) => readFileSync(`${STREAMS}${name}`);

  /** The assembler of a whole stream; undefined where it is not one message. */
  function assembled(name) {
    const assembler = new DeltaAssembler({ format: formatOf(name), runId: "r" });
    try {
      assembler.pushBytes(bytesIn(name));
      return assembler;
    } catch {
      return undefined;
    }
  }

  const files = readdirSync(STREAMS).filter((name) => name.endsWith(".sse") && assembled(name));

  test("there are streams of several formats", () => {
    assert.ok(new Set(files.map(formatOf)).size >= 3, files.join(" "));
  });

  for (const name of files) {
    const bytes = bytesIn(name);
    const format = formatOf(name);
    test(`${name}: what is stored gives the message of the bytes`, async () => {
      const expected = assembled(name);
      expected.end();
      const log = memoryRunLog();
      const writer = await RunWriter.open(log, "r", { format, flushBytes: 200 });
      for (let at = 0; at < bytes.length; at += 97)
        await writer.pushBytes(bytes.subarray(at, at + 97));
      const preview = JSON.stringify(writer.preview().parts);
      await writer.end();
      const message = await messageOf(log, "r");
      const whole = expected.message() ?? expected.preview();
      assert.deepEqual(message.parts, whole.parts);
      assert.ok(preview.length > 0);
      const { error, ...meta } = message.meta;
      if (expected.message()) assert.deepEqual(meta, whole.meta);
      else assert.equal(error.errorCode, whole.meta.error?.errorCode ?? "incomplete");
      expected.free();
    });
  }

  test("are numbered by the writer, and split above 1 MB", async () => {
    const log = memoryRunLog();
    const writer = await RunWriter.open(log, "r", { format: "openai-chat" });
    const content = "añ😀\u0001".repeat(400_000);
    const chunk = (delta, more = {}) =>
      `data: ${JSON.stringify({ id: "i", model: "m", choices: [{ index: 0, delta, ...more }] })}\n\n`;
    await writer.pushBytes(bytesOf(chunk({ role: "assistant", content })));
    await writer.pushBytes(bytesOf(chunk({ content: "end" })));
    await writer.pushBytes(bytesOf(`${chunk({}, { finish_reason: "stop" })}data: [DONE]\n\n`));
    await writer.end();
    const { parts } = await messageOf(log, "r");
    assert.equal(parts.length, 1);
    assert.ok(parts[0].payload.text === `${content}end`);
    const numbers = (await stored(log, "r", (await log.latest("r")).snapshotAt)).map(
      ({ to }) => to,
    );
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    );
  });

  test("end without done is an error: incomplete", async () => {
    for (const pushed of [[], [start()], [start(), text(2, "half")]]) {
      const log = memoryRunLog();
      const writer = await RunWriter.open(log, "r");
      for (const one of pushed) await writer.push(one);
      await writer.end();
      const { meta } = await messageOf(log, "r");
      assert.deepEqual(meta.error, { errorCode: "incomplete" });
      assert.equal((await log.latest("r")).state.status, "error");
    }
  });

  test("an unknown format is refused before the run is claimed", async () => {
    const log = memoryRunLog();
    await assert.rejects(RunWriter.open(log, "r", { format: "smoke" }), {
      name: "DeltaContractError",
    });
    assert.equal((await log.latest("r")).state.status, "none");
  });
});

describe("a violation", () => {
  test("is thrown to who pushed it, and the writer goes on", async () => {
    const log = memoryRunLog();
    const writer = await RunWriter.open(log, "r");
    await assert.rejects(writer.push(text(1, "x")), { name: "DeltaContractError" });
    await writer.push(start());
    await assert.rejects(writer.push({ ...text(2, "x"), runId: "other" }), {
      name: "DeltaContractError",
    });
    await writer.push(text(2, "x"));
    await writer.push(done(3));
    await writer.end();
    assert.equal((await messageOf(log, "r")).parts[0].payload.text, "x");
  });
});

describe("taking over", () => {
  test("goes on with deltas above the position; those that are stored are dropped", async () => {
    const log = memoryRunLog();
    const all = [start()];
    for (let seq = 2; seq < 200; seq++) all.push(text(seq, `${seq} `));
    all.push(done(200));
    const first = await RunWriter.open(log, "r", { owner: "a", flushBytes: 100 });
    for (const one of all.slice(0, 90)) await first.push(one);
    await first.close();
    assert.equal(first.tookOver, false);
    const second = await RunWriter.open(log, "r", { owner: "b" });
    assert.deepEqual([second.tookOver, second.epoch, second.position], [true, 2, 90]);
    assert.ok(second.preview().parts[0].payload.text.endsWith("90 "));
    for (const one of all.slice(50, 150)) await second.push(one);
    await second.close();
    const third = await RunWriter.open(log, "r", { owner: "c" });
    // The whole stream again, as bytes.
    await third.pushBytes(ndjson(...all));
    await third.end();
    const { parts } = await messageOf(log, "r");
    assert.equal(
      parts[0].payload.text,
      all
        .slice(1, -1)
        .map(({ payload }) => payload.textDelta)
        .join(""),
    );
  });

  test("of a provider's stream: from where it is, numbered on, with one start", async () => {
    const chunk = (content) =>
      bytesOf(
        `data: ${JSON.stringify({ id: "i", model: "m", choices: [{ index: 0, delta: { content } }] })}\n\n`,
      );
    const log = memoryRunLog();
    const first = await RunWriter.open(log, "r", { owner: "a", format: "openai-chat" });
    await first.pushBytes(chunk("Hello"));
    await first.close();
    const second = await RunWriter.open(log, "r", { owner: "b", format: "openai-chat" });
    assert.equal(second.preview().parts[0].payload.text, "Hello");
    await second.pushBytes(chunk(" world"));
    await second.pushBytes(bytesOf("data: [DONE]\n\n"));
    await second.end();
    const deltas = deltasOf(await stored(log, "r"));
    assert.equal(deltas.filter(({ kind }) => kind === "start").length, 1);
    const numbers = deltas.map(({ seq }) => seq);
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b),
    );
    assert.equal((await messageOf(log, "r")).parts[0].payload.text, "Hello world");
  });

  test("of one that died with its reader: fail, and the step is run again", async () => {
    const log = memoryRunLog();
    const first = await RunWriter.open(log, "r", { owner: "a" });
    await first.push(start());
    await first.push(text(2, "half"));
    await first.close();
    const second = await RunWriter.open(log, "r", { owner: "b" });
    await second.fail({ errorCode: "writer_lost", retryable: true });
    const { parts, meta } = await messageOf(log, "r");
    assert.equal(parts[0].payload.text, "half");
    assert.deepEqual(meta.error, { errorCode: "writer_lost", retryable: true });
    await failsWith("ended", RunWriter.open(log, "r"));
  });

  test("fences the writer before: its signal aborts, every call throws", async () => {
    const log = memoryRunLog();
    const first = await RunWriter.open(log, "r", { owner: "a", flushMs: 1 });
    await first.push(start());
    await until(() => first.position === 1);
    await log.claim("r", { owner: "b", force: true });
    await first.push(text(2, "late"));
    await until(() => first.signal.aborted);
    assert.equal(first.signal.reason.code, "fenced");
    await failsWith("fenced", first.push(text(3, "later")));
    await failsWith("fenced", first.pushBytes(bytesOf("x")));
    await failsWith("fenced", first.end());
    await first.close();
    assert.equal((await log.latest("r")).state.position, 1);
  });

  test("is refused while the lease runs", async () => {
    const log = memoryRunLog();
    const first = await RunWriter.open(log, "r", { owner: "a" });
    await failsWith("held", RunWriter.open(log, "r", { owner: "b" }));
    await failsWith("held", RunWriter.open(log, "r"));
    const again = await RunWriter.open(log, "r", { owner: "a" });
    assert.equal(again.epoch, 2);
    await Promise.all([first.close(), again.close()]);
  });

  test("that waits begins when the other gives the run up, and throws what else is wrong", async () => {
    const log = memoryRunLog();
    const first = await RunWriter.open(log, "r", { owner: "a" });
    let isOpen = false;
    const waiting = RunWriter.open(log, "r", { leaseMs: 50, wait: true }).then((writer) => {
      isOpen = true;
      return writer;
    });
    await first.push(start());
    await until(() => first.position === 1);
    assert.equal(isOpen, false);
    await first.close();
    const second = await waiting;
    assert.deepEqual([second.tookOver, second.position], [true, 1]);
    await second.fail({ errorCode: "writer_lost" });
    await failsWith("ended", RunWriter.open(log, "r", { wait: true }));
    await second.close();
  });
});

describe("a stop", () => {
  for (const [title, wrap] of [
    ["over our own log", (log) => log],
    [
      "over another's",
      (log) => Object.fromEntries(Object.keys(log).map((name) => [name, log[name]])),
    ],
  ]) {
    test(`${title} aborts the signal; the writer can still say so`, async () => {
      const log = wrap(memoryRunLog());
      const writer = await RunWriter.open(log, "r", { leaseMs: 300 });
      await writer.push(start());
      assert.equal(writer.signal.aborted, false);
      await log.requestStop("r");
      await until(() => writer.signal.aborted);
      await writer.push(text(2, "x"));
      await writer.fail({ errorCode: "aborted" });
      assert.equal((await log.latest("r")).state.status, "error");
    });
  }
});

describe("snapshots", () => {
  test("are cut by what was written since, and cost at most as much again", async () => {
    const log = memoryRunLog();
    const cuts = [];
    let appended = 0;
    const counted = {
      ...log,
      append: (runId, one) => {
        appended += one.bytes.length;
        return log.append(runId, one);
      },
      snapshot: (runId, one) => {
        cuts.push({ at: one.at, size: one.bytes.length, appended });
        return log.snapshot(runId, one);
      },
    };
    const writer = await RunWriter.open(counted, "r", { flushBytes: 4000 });
    await writer.push(start());
    for (let seq = 2; seq < 3000; seq++)
      await writer.push(text(seq, `${"some words ".repeat(20)}${seq}`));
    await writer.push(done(3000));
    await writer.end();
    assert.ok(cuts.length >= 4, `${cuts.length} snapshots`);
    let before = { size: 0, appended: 0 };
    for (const cut of cuts) {
      assert.ok(cut.appended - before.appended > Math.max(32 << 10, before.size));
      before = cut;
    }
    const all = cuts.reduce((sum, { size }) => sum + size, 0);
    assert.ok(all <= 2 * appended, `${all} of ${appended}`);
    assert.equal((await log.latest("r")).snapshotAt, cuts.at(-1).at);
    const { parts } = await messageOf(log, "r");
    assert.ok(parts[0].payload.text.endsWith("2999"));
  });

  test("a claim after one restores it, with what came since", async () => {
    const log = memoryRunLog();
    const first = await RunWriter.open(log, "r", { owner: "a", flushBytes: 1000 });
    await first.push(start());
    for (let seq = 2; seq < 500; seq++) await first.push(text(seq, `${"x".repeat(100)}${seq},`));
    const before = first.preview();
    await first.close();
    assert.ok((await log.latest("r")).snapshotAt > 0);
    const second = await RunWriter.open(log, "r", { owner: "b" });
    assert.deepEqual(second.preview(), before);
    await second.push(done(500));
    await second.end();
    assert.deepEqual((await messageOf(log, "r")).parts, before.parts);
  });
});

/** A log whose appends wait until they are let go. */
function gated(log) {
  const waiting = [];
  const gate = { isOpen: false, waiting, appended: [] };
  gate.open = () => {
    gate.isOpen = true;
    for (const go of waiting.splice(0)) go();
  };
  const append = async (runId, one) => {
    gate.appended.push(one);
    const isFirst = gate.isOpen;
    if (!isFirst) await new Promise((resolve) => waiting.push(resolve));
    return log.append(runId, one);
  };
  return { gate, log: { ...log, append } };
}

describe("backpressure", () => {
  test("a push waits while more than 1 MB or 8 batches are not stored", async () => {
    const { gate, log } = gated(memoryRunLog());
    const writer = await RunWriter.open(log, "r", { flushBytes: 1 });
    await writer.push(start());
    let pushed = 1;
    const pushing = (async () => {
      for (let seq = 2; seq < 60; seq++) {
        await writer.push(text(seq, "word "));
        pushed = seq;
      }
    })();
    await until(() => gate.waiting.length >= 8);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(gate.waiting.length <= 8, `${gate.waiting.length} on their way`);
    assert.ok(pushed < 60);
    gate.open();
    await pushing;
    await writer.end();
    assert.equal((await messageOf(log, "r")).parts[0].payload.text.length, 58 * 5);
  });

  test("by size", async () => {
    const { gate, log } = gated(memoryRunLog());
    const writer = await RunWriter.open(log, "r", NEVER);
    await writer.push(start());
    await writer.push(text(2, "x".repeat(900_000)));
    let isThrough = false;
    const second = writer.push(text(3, "y".repeat(900_000))).then(() => {
      isThrough = true;
    });
    await until(() => gate.waiting.length > 0);
    assert.equal(isThrough, false);
    gate.open();
    await second;
    await writer.end();
  });
});

describe("trouble", () => {
  const stream = (count, word = "") => {
    const all = [start()];
    for (let seq = 2; seq < count; seq++) all.push(text(seq, `${seq} ${word}`));
    return [...all, done(count)];
  };
  const textIn = (deltas) =>
    deltas
      .slice(1, -1)
      .map(({ payload }) => payload.textDelta)
      .join("");

  /** Writes a stream over a log that fails now and then; what is stored must be the stream. */
  async function survives(wrap, count, word) {
    const log = memoryRunLog();
    const writer = await RunWriter.open(wrap(log), "r", { flushBytes: 20, flushMs: 1 });
    const all = stream(count ?? 300, word);
    for (const one of all) await writer.push(one);
    await writer.end();
    const { parts } = await messageOf(log, "r");
    assert.equal(parts[0].payload.text, textIn(all));
    const { snapshotAt } = await log.latest("r");
    let at = snapshotAt;
    for (const { from, to } of await stored(log, "r", snapshotAt)) {
      assert.equal(from, at);
      at = to;
    }
    return log;
  }

  test("replies that are lost", async () => {
    let count = 0;
    await survives((log) => ({
      ...log,
      append: async (...args) => {
        const answer = await log.append(...args);
        return ++count % 7 === 3 ? fails("unavailable") : answer;
      },
    }));
  });

  test("appends that are lost, of several on the way", async () => {
    let count = 0;
    await survives((log) => ({
      ...log,
      append: async (...args) => {
        if (++count % 9 === 4) fails("unavailable");
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
        return log.append(...args);
      },
    }));
  });

  test("errors that are none of the store", async () => {
    let count = 0;
    await survives((log) => ({
      ...log,
      append: async (...args) => {
        if (++count % 20 === 5) throw new Error("connection reset");
        return log.append(...args);
      },
      renew: async (...args) => {
        if (++count % 3 === 1) throw new Error("connection reset");
        return log.renew(...args);
      },
    }));
  });

  test("the reply to the end that is lost", async () => {
    let isLost = false;
    await survives((log) => ({
      ...log,
      append: async (runId, one) => {
        const answer = await log.append(runId, one);
        if (!one.end || isLost) return answer;
        isLost = true;
        return fails("unavailable");
      },
    }));
    assert.equal(isLost, true);
  });

  test("snapshots that fail are cut again", async () => {
    let count = 0;
    const log = await survives(
      (log) => ({
        ...log,
        snapshot: async (...args) => {
          if (++count === 1) fails("unavailable");
          return log.snapshot(...args);
        },
      }),
      6000,
      "word ".repeat(80),
    );
    assert.ok(count >= 2);
    assert.ok((await log.latest("r")).snapshotAt > 0);
  });

  test("a log that forgets what it had acknowledged gets it again", async () => {
    // Keeps what is stored as a list that can be cut, behind the contract.
    const kept = [];
    let base = memoryRunLog();
    let token;
    const log = {
      ...base,
      claim: async (...args) => {
        const claim = await base.claim(...args);
        token = claim.token;
        return claim;
      },
      append: async (runId, one) => {
        const answer = await base.append(runId, { ...one, token });
        if (answer === "stored") kept.push(one);
        return answer;
      },
      renew: (runId) => base.renew(runId, token),
      read: (...args) => base.read(...args),
      latest: (...args) => base.latest(...args),
      snapshot: async () => {},
    };
    const forget = async (count) => {
      kept.length = Math.max(0, kept.length - count);
      base = memoryRunLog();
      ({ token } = await base.claim("r", { owner: "x" }));
      for (const one of kept) await base.append("r", { ...one, token });
    };
    const writer = await RunWriter.open(log, "r", { flushBytes: 20, flushMs: 1, leaseMs: 900 });
    const all = stream(200);
    for (const one of all.slice(0, 120)) await writer.push(one);
    await until(() => writer.position === 120);
    await forget(5);
    for (const one of all.slice(120, 150)) await writer.push(one);
    await until(async () => (await base.latest("r")).state.position === 150);
    // Nothing is written: the next renewal notices.
    await forget(3);
    await until(async () => (await base.latest("r")).state.position === 150);
    for (const one of all.slice(150)) await writer.push(one);
    await writer.end();
    assert.equal((await messageOf(log, "r")).parts[0].payload.text, textIn(all));
  });

  test("a log that stays away: unavailable after the lease, and the signal aborts", async () => {
    const inner = memoryRunLog();
    let isAway = false;
    const away =
      (name) =>
      async (...args) =>
        isAway ? fails("unavailable") : inner[name](...args);
    const log = { ...inner, append: away("append"), renew: away("renew") };
    const writer = await RunWriter.open(log, "r", { leaseMs: 300, flushMs: 1 });
    await writer.push(start());
    isAway = true;
    await writer.push(text(2, "x"));
    await failsWith("unavailable", writer.end());
    assert.equal(writer.signal.aborted, true);
    await failsWith("unavailable", writer.push(text(3, "x")));
    await writer.close();
  });

  test("a log that never answers: the same", async () => {
    const inner = memoryRunLog();
    const log = { ...inner, append: () => new Promise(() => {}) };
    const writer = await RunWriter.open(log, "r", { leaseMs: 200, flushMs: 1 });
    await writer.push(start());
    await failsWith("unavailable", writer.end());
    await writer.close();
  });

  for (const [what, ms] of [
    ["forth, as after a pause of the process", 3_600_000],
    ["back", -3_600_000],
  ]) {
    test(`a clock that jumps ${what}, is not a log that is away`, async (t) => {
      const { gate, log: inner } = gated(memoryRunLog({ now: () => 0 }));
      let renewals = 0;
      const log = {
        ...inner,
        renew: (...args) => {
          renewals++;
          return inner.renew(...args);
        },
      };
      delete log[Symbol.for("apex-parts.store.watch")];
      const writer = await RunWriter.open(log, "r", { leaseMs: 300, flushMs: 1 });
      await writer.push(start());
      await until(() => gate.waiting.length > 0);
      const now = Date.now;
      t.mock.method(Date, "now", () => now() + ms);
      const before = renewals;
      await until(() => renewals > before);
      gate.open();
      await writer.push(text(2, "x"));
      await writer.push(done(3));
      await writer.end();
      assert.equal(writer.signal.aborted, false);
      assert.equal((await messageOf(inner, "r")).parts[0].payload.text, "x");
    });
  }

  for (const code of ["too_large", "expired", "unknown_run", "ended"]) {
    test(`${code} is final`, async () => {
      const inner = memoryRunLog();
      let isOn = false;
      const on =
        (name) =>
        async (...args) =>
          isOn ? fails(code) : inner[name](...args);
      const log = { ...inner, append: on("append"), renew: on("renew") };
      const writer = await RunWriter.open(log, "r", { flushMs: 1 });
      await writer.push(start());
      await until(() => writer.position === 1);
      isOn = true;
      await writer.push(text(2, "x"));
      await until(() => writer.signal.aborted);
      assert.equal(writer.signal.reason.code, code);
      await failsWith(code, writer.end());
      await writer.close();
    });
  }

  test("a deleted run is not written again", async () => {
    const log = memoryRunLog();
    const writer = await RunWriter.open(log, "r", { flushMs: 1 });
    await writer.push(start());
    await until(() => writer.position === 1);
    await log.delete("r");
    await writer.push(text(2, "x"));
    await until(() => writer.signal.aborted);
    await failsWith("unknown_run", writer.end());
    assert.equal((await log.latest("r")).state.status, "none");
    await writer.close();
  });
});
