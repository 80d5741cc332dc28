// Nothing leaks: after a hundred thousand calls the memory of the module and of JavaScript is as before, also
// if the calls fail.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { consumer, fixture, node, requireFrom } from "./helper.mjs";

let entry;
before(async () => {
  entry = requireFrom(await consumer("memory")).resolve("apex-parts");
});

/** Without stacks of errors, which are a third of the work and nothing of the module. */
const FLAGS = ["--expose-gc", "--stack-trace-limit=0", fixture("memory.mjs")];

// A leak of one 16-byte object a call would be 1.6 MB.
const TOLERANCE = 600_000;

describe("memory does not grow with", { concurrency: 2 }, () => {
  for (const [title, name, times] of [
    ["100,000 rounds of factory calls, one in four without what it needs", "factory", 100_000],
    ["100,000 rounds of tool states, with steps that are refused", "states", 100_000],
    ["100,000 validations of bad and hostile values", "validate", 100_000],
    ["100,000 times assertPart throwing", "assert", 100_000],
    ["5,000 conversions for the model, and as many refused", "model", 5000],
    ["5,000 transcripts opened, read and freed, and as many refused", "transcript", 5000],
    ["20,000 texts in and out", "text", 20_000],
    ["20,000 messages as text, pages and messages of a run", "pages", 20_000],
    ["2,000 assemblers made, filled, restored, read out and freed", "assembler", 2000],
    ["100,000 duplicates as objects and as bytes", "duplicates", 100_000],
    ["100,000 breaches of one assembler", "breaches", 100_000],
    ["20,000 assemblers of bad bytes and options, used after they were freed", "badBytes", 20_000],
    ["20,000 streams read as deltas, told and checked", "read", 20_000],
    ["100,000 calls, their results and texts, told to one loop detector", "calls", 100_000],
    ["20,000 bad calls, results, texts, events, settings and snapshots", "badCalls", 20_000],
    ["2,000 loop detectors made, filled, restored and freed", "detectors", 2000],
    ["5,000 searches for loops, and as many refused", "findLoops", 5000],
  ]) {
    test(title, async () => {
      const args = [...FLAGS, entry, name, String(times)];
      const grown = await node(".", ...args);
      assert.equal(grown.wasm, 0, "the module's memory");
      assert.ok(grown.heapUsed < TOLERANCE, `JavaScript's heap grew by ${grown.heapUsed} bytes`);
      assert.ok(grown.external < TOLERANCE, `what hangs on it grew by ${grown.external} bytes`);
      assert.ok(grown.arrayBuffers < TOLERANCE, `buffers grew by ${grown.arrayBuffers} bytes`);
    });
  }

  for (const [way, look, most] of [
    ["objects", "message", 2.2],
    ["bytes", "takeChanges", 2.2],
    // The preview of an open call has its text and the arguments parsed from it.
    ["objects of args", "takeChanges", 3.3],
    ["bytes of args", "preview", 3.3],
  ]) {
    test(`50 MB of content from ${way} take as much, and ${most} times with ${look}()`, async () => {
      const args = [...FLAGS, entry, "content", way, look];
      const { held, looked } = await node(".", ...args);
      assert.ok(held > 0.9 && held < 1.2, `${held} times the content`);
      assert.ok(looked < most, `${looked} times the content after ${look}()`);
    });
  }

  test("2,000 assemblers that were dropped without free()", async () => {
    const args = [...FLAGS, entry, "forgottenAssemblers", "2000"];
    const grown = await node(".", ...args);
    // Some always wait for garbage collection; all 2,000 would take 40 MB.
    assert.ok(grown.wasm < 6_000_000, `the module's memory grew by ${grown.wasm} bytes`);
    assert.ok(grown.heapUsed < TOLERANCE, `JavaScript's heap grew by ${grown.heapUsed} bytes`);
  });

  test("2,000 loop detectors that were dropped without free()", async () => {
    const args = [...FLAGS, entry, "forgottenDetectors", "2000"];
    const grown = await node(".", ...args);
    assert.ok(grown.wasm < 4_000_000, `the module's memory grew by ${grown.wasm} bytes`);
    assert.ok(grown.heapUsed < TOLERANCE, `JavaScript's heap grew by ${grown.heapUsed} bytes`);
  });

  test("2,000 transcripts that were dropped without free()", async () => {
    const args = [...FLAGS, entry, "forgotten", "2000"];
    const grown = await node(".", ...args);
    // Some always wait for garbage collection; all 2,000 would take over 20 MB.
    assert.ok(grown.wasm < 4_000_000, `the module's memory grew by ${grown.wasm} bytes`);
    assert.ok(grown.heapUsed < TOLERANCE, `JavaScript's heap grew by ${grown.heapUsed} bytes`);
  });
});
