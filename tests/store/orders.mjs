// Two writers and three readers in random orders, on a clock of their own, against a model of the rules. Run as a worker:
// the test runner follows each promise of its own thread, which takes as long as the log itself. `workerData` is the
// number of orders.
import assert from "node:assert/strict";
import { parentPort, workerData } from "node:worker_threads";
import { memoryRunLog } from "apex-parts/store";
import { bytesOf, textOf } from "./deltas.mjs";

const LEASE = 100;

/** Random numbers that a seed repeats (mulberry32). */
function randomOf(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** What the rules say, in as few words as they can be said. */
class Model {
  epoch = 0;
  owner;
  until = 0;
  batches = [];
  ended;
  snapshotAt = 0;

  get position() {
    return this.batches.at(-1)?.to ?? 0;
  }

  claim(owner, time, force) {
    if (this.ended) return "ended";
    if (this.epoch > 0 && owner !== this.owner && time < this.until && !force) return "held";
    this.epoch++;
    this.owner = owner;
    this.until = time + LEASE;
    return this.epoch;
  }

  append(epoch, { from, to, text, end }, time) {
    if (epoch !== this.epoch) return "fenced";
    const last = this.batches.at(-1);
    const isAgain = last?.to === to && last.epoch === epoch;
    if (this.ended) return isAgain && end === this.ended ? "duplicate" : "ended";
    if (isAgain) return "duplicate";
    if (from !== this.position || to <= from) return "gap";
    this.batches.push({ from, to, text, epoch });
    this.until = time + LEASE;
    this.ended = end;
    return "stored";
  }

  renew(epoch, time) {
    if (epoch !== this.epoch) return "fenced";
    if (this.ended) return "ended";
    this.until = time + LEASE;
    return this.position;
  }

  snapshot(epoch, at) {
    if (epoch !== this.epoch) return "fenced";
    if (at < this.snapshotAt) return "stored";
    if (at === 0 || !this.batches.some(({ to }) => to === at)) return "gap";
    this.snapshotAt = at;
    return "stored";
  }
}

const outcome = (promise) =>
  promise.then(
    (value) => value ?? "stored",
    (error) => error.code ?? Promise.reject(error),
  );

async function interleave(seed) {
  const random = randomOf(seed);
  let time = 0;
  const log = memoryRunLog({ now: () => time });
  const model = new Model();
  const writers = ["a", "b"].map((owner) => ({ owner, token: "0.none", epoch: 0, position: 0 }));
  const readers = [0, 1, 2].map(() => ({ position: 0, text: "" }));
  const textTo = (position) =>
    model.batches
      .filter(({ to }) => to <= position)
      .map(({ text }) => text)
      .join("");

  async function write(writer, isEnd) {
    const kind = random(10);
    const from = kind === 0 ? random(6) : writer.position;
    const to = kind === 1 ? from : from + 1 + random(3);
    const end = isEnd ? "done" : undefined;
    const text = `${writer.owner}${from}-${to};`;
    const batch = { from, to, text, end };
    const expected = model.epoch === 0 ? "unknown_run" : model.append(writer.epoch, batch, time);
    const { token } = writer;
    const sent = { from, to, token, bytes: bytesOf(text), ...(end ? { end } : {}) };
    const found = await outcome(log.append("r", sent));
    assert.equal(found, expected);
    if (found === "stored") writer.position = to;
    // The reply may be lost: sent again it is a duplicate.
    if (found === "stored" && kind === 2)
      assert.equal(await outcome(log.append("r", sent)), "duplicate");
    if (found !== "gap") return;
    const position = model.renew(writer.epoch, time);
    assert.equal(
      await outcome(log.renew("r", token).then((renewed) => renewed.position)),
      position,
    );
    writer.position = position;
  }

  async function claim(writer) {
    const force = random(3) === 0;
    const expected = model.claim(writer.owner, time, force);
    try {
      const found = await log.claim("r", { owner: writer.owner, leaseMs: LEASE, force });
      assert.equal(found.epoch, expected);
      assert.equal(found.position, model.position);
      Object.assign(writer, { token: found.token, epoch: found.epoch, position: found.position });
    } catch (error) {
      assert.equal(error.code, expected);
    }
  }

  async function cut(writer) {
    if (model.epoch === 0) return;
    const at = random(2) === 0 ? writer.position : random(8);
    const expected = model.snapshot(writer.epoch, at);
    const bytes = bytesOf(textTo(at));
    const found = await outcome(log.snapshot("r", { token: writer.token, at, bytes }));
    assert.equal(found, expected);
  }

  async function read(reader) {
    const expected =
      model.epoch === 0 ? "unknown_run" : reader.position < model.snapshotAt && "trimmed";
    try {
      const { batches, state } = await log.read("r", reader.position, { maxBytes: 1 + random(30) });
      assert.equal(false, expected);
      for (const { from, to, bytes } of batches) {
        assert.equal(from, reader.position);
        reader.position = to;
        reader.text += textOf(bytes);
      }
      assert.equal(state.position, model.position);
      assert.equal(state.status, model.ended ?? "open");
    } catch (error) {
      assert.equal(error.code, expected, error.stack);
      if (expected !== "trimmed") return;
      const { snapshot, snapshotAt } = await log.latest("r");
      Object.assign(reader, { position: snapshotAt, text: textOf(snapshot) });
    }
    assert.equal(reader.text, textTo(reader.position));
  }

  for (let step = 0; step < 24; step++) {
    const writer = writers[random(2)];
    const what = random(16);
    if (what < 6) await write(writer, random(12) === 0);
    else if (what < 8) await claim(writer);
    else if (what < 9) await cut(writer);
    else if (what < 14) await read(readers[random(3)]);
    else time += random(LEASE);
  }
  for (const reader of readers) {
    for (let before = -1; before !== reader.position && model.epoch > 0; ) {
      before = reader.position;
      await read(reader);
    }
    if (model.epoch > 0) assert.equal(reader.position, model.position);
  }
}

/** An order that must keep to the model. */
async function keeps(seed) {
  const { stackTraceLimit } = Error;
  // Most refusals are expected, and their stacks would take more than the log.
  Error.stackTraceLimit = 0;
  try {
    await interleave(seed);
  } catch {
    Error.stackTraceLimit = stackTraceLimit;
    // Once more, with stacks: a seed gives the same order.
    await interleave(seed);
    throw new Error("it failed, and then it did not");
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

let kept = 0;
for (let seed = 1; seed <= workerData; seed++) {
  try {
    await keeps(seed);
  } catch (error) {
    throw new Error(`seed ${seed}: ${error.stack}`);
  }
  kept++;
}
parentPort.postMessage(kept);
