// What holds for the stream of any response, in JavaScript: tested over our own streams and over recordings.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { CONTEXT } from "./fixtures/surface.mjs";
import { consumer, requireFrom } from "./helper.mjs";

/** The package, after `load`. */
export let parts;

/** Installs the package in a new project of this name and loads it; gives the project's folder. */
export async function load(name) {
  const folder = await consumer(name);
  parts = requireFrom(folder)("apex-parts");
  parts.setLogger(undefined);
  return folder;
}

/** A stream: its path, its format by its name, its bytes. */
export const streamAt = (path) => ({
  path,
  format: path.split(".").at(-2),
  bytes: readFileSync(path),
});

/** An assembler with these deltas; it is freed at the end of the test. */
export function taken(t, deltas, options) {
  const assembler = new parts.DeltaAssembler(options);
  t.after(() => assembler.free());
  for (const one of deltas) assembler.push(one);
  return assembler;
}

/** Everything observable of an assembler except its changes. */
export const seen = (assembler) => ({
  status: assembler.status,
  message: assembler.message(),
  preview: assembler.preview(),
  problems: assembler.problems(),
});

/** The tests of what holds for the stream of any response; `streams` are as `streamAt` gives them. */
export function streamLaws(streams) {
  test("has its format detected from its first records", () => {
    for (const { path, format, bytes } of streams) {
      assert.equal(parts.streamFormat(bytes), format, path);
    }
  });

  /** Assembled in chunks of this size. */
  function assembled(t, { format, bytes }, size, look = () => {}) {
    const assembler = taken(t, [], { format, runId: "r", onProblem: "collect" });
    for (let i = 0; i < bytes.length; i += size) {
      assembler.pushBytes(bytes.subarray(i, i + size));
      look(assembler, i);
    }
    assembler.end();
    look(assembler, bytes.length);
    return assembler;
  }
  /** What is observable, without times. */
  const timeless = (assembler) => {
    const { preview, message, ...rest } = seen(assembler);
    const without = (made) => made && { ...made, timestamp: "" };
    return { ...rest, preview: without(preview), message: without(message) };
  };

  test("gives the same message for all chunk sizes", (t) => {
    for (const stream of streams) {
      const whole = timeless(assembled(t, stream, stream.bytes.length));
      for (const size of stream.bytes.length > 20_000 ? [1000] : [1, 7]) {
        assert.deepEqual(timeless(assembled(t, stream, size)), whole, `${stream.path} by ${size}`);
      }
    }
  });

  test("is a valid message with parts at any time, and its parts keep their ids", (t) => {
    for (const stream of streams) {
      let ids = [];
      let last;
      assembled(t, stream, Math.ceil(stream.bytes.length / 20), (assembler, place) => {
        last = assembler.toWithParts(CONTEXT());
        const { valid, problems } = parts.PartValidator.validateMessage(last);
        assert.ok(valid, `${stream.path} at ${place}: ${JSON.stringify(problems)}`);
        const now = last.parts.map(({ id }) => id);
        assert.deepEqual(now.slice(0, ids.length), ids, stream.path);
        ids = now;
      });
      assert.equal(last.parts[0].type, "step-start", stream.path);
      assert.equal(new Set(ids).size, ids.length);
      const { sessionID, messageID, ...info } = CONTEXT();
      const { modelID: _, ...rest } = info;
      assert.equal(last.info.id, messageID);
      assert.equal(last.info.sessionID, sessionID);
      for (const [name, value] of Object.entries(rest)) assert.deepEqual(last.info[name], value);
    }
  });

  test("has changes that add up to the preview", (t) => {
    for (const stream of streams) {
      const screen = [];
      let status = "empty";
      assembled(t, stream, Math.ceil(stream.bytes.length / 30), (assembler) => {
        for (const change of assembler.takeChanges()) {
          const payload = screen[change.part]?.payload;
          if (change.op === "status") status = change.status;
          else if (change.op !== "append") screen[change.part] = change.value;
          else if (change.field === "text") payload.text += change.text;
          else payload.rawArgsText += change.text;
        }
        assert.equal(status, assembler.status);
        // The arguments of open calls are those at the time when the call was added.
        const settled = (list) =>
          list.map(({ kind, payload: { arguments: args, ...payload } }) => ({
            kind,
            payload: "rawArgsText" in payload ? payload : { args, ...payload },
          }));
        assert.deepEqual(settled(screen), settled(assembler.preview().parts), stream.path);
        assert.deepEqual(assembler.takeChanges(), []);
      });
    }
  });

  test("continues from a snapshot taken anywhere", (t) => {
    for (const stream of streams) {
      const { bytes } = stream;
      const whole = timeless(assembled(t, stream, bytes.length));
      for (const share of [0, 0.1, 0.35, 0.5, 0.71, 0.99, 1]) {
        const cut = Math.floor(bytes.length * share);
        const first = taken(t, [], { format: stream.format, runId: "r", onProblem: "collect" });
        first.pushBytes(bytes.subarray(0, cut));
        const snapshot = first.snapshot();
        assert.ok(snapshot instanceof Uint8Array);
        const second = parts.DeltaAssembler.restore(snapshot);
        t.after(() => second.free());
        assert.deepEqual(timeless(second), timeless(first), `${stream.path} at ${cut}`);
        // All parts are reported as added again.
        const added = second.takeChanges().filter(({ op }) => op === "add");
        assert.equal(added.length, second.preview().parts.length);
        second.pushBytes(bytes.subarray(cut));
        second.end();
        assert.deepEqual(timeless(second), whole, `${stream.path} cut at ${cut}`);
      }
    }
  });

  test("is read as deltas that give the same message, with one run for each response", (t) => {
    for (const { path, format, bytes } of streams) {
      const deltas = parts.readDeltas(format, bytes, { runId: "r", onProblem: "collect" });
      const starts = deltas.filter(({ kind }) => kind === "start");
      assert.equal(new Set(starts.map(({ runId }) => runId)).size, starts.length, path);
      assert.equal(starts[0].runId, "r");
      const first = deltas.filter(({ runId }) => runId === "r");
      const again = taken(t, first);
      const whole = taken(t, [], { format, runId: "r", onProblem: "collect" });
      whole.pushBytes(bytes);
      whole.end();
      // Including `meta`.
      const bare = ({ timestamp, ...message }) => message;
      assert.deepEqual(bare(again.preview()), bare(whole.preview()), path);
      assert.equal(again.status, whole.status, path);
    }
  });

  test("is rebuilt by a log of takeDeltas, whenever that is called", (t) => {
    for (const stream of streams) {
      for (const size of [
        stream.bytes.length,
        1000,
        ...(stream.bytes.length > 20_000 ? [] : [7]),
      ]) {
        const lines = [];
        const take = (assembler) => {
          const bytes = assembler.takeDeltas();
          assert.ok(bytes instanceof Uint8Array);
          const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
          lines.push(...text.split("\n").filter(Boolean));
          assert.equal(assembler.takeDeltas().length, 0);
        };
        const whole = assembled(t, stream, size, take);
        take(whole);
        const deltas = lines.map((line) => JSON.parse(line));
        assert.ok(deltas.every(({ seq }, i) => i === 0 || seq > deltas[i - 1].seq));
        const again = taken(t, deltas);
        assert.deepEqual(again.message(), whole.message(), `${stream.path} by ${size}`);
        assert.deepEqual(again.preview(), whole.preview(), `${stream.path} by ${size}`);
      }
    }
  });
}
