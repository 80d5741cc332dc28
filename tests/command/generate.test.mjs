// The generator of transcripts: its output is valid, deterministic, and of the requested size.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { PartValidator, readDeltas, setLogger, Transcript } from "../../pkg/node.mjs";
import { FORMAT_NAMES, generate, parseSize } from "../../scripts/generate.mjs";
import { at } from "./command.mjs";

const all = (options) => Buffer.concat([...generate(options)]);
const hash = (bytes) => createHash("sha256").update(bytes).digest("hex");
/** The problems of a transcript. A stream of deltas has no results, so running calls are not a problem. */
const complaints = (transcript) =>
  transcript
    .problems()
    .map(({ rule, message }) => [rule, message])
    .filter(([rule]) => !(transcript.format === "deltas" && rule === "WP-3"));

setLogger(undefined);
for (const format of FORMAT_NAMES) {
  const told = format.replace("-array", "");
  describe(format, () => {
    test("has the requested size, within 1 %", () => {
      for (const bytes of [20_000, 100_000, 1_000_000]) {
        const { length } = all({ format, bytes, seed: bytes });
        assert.ok(Math.abs(length - bytes) <= bytes / 100, `${length} of ${bytes}`);
      }
    });
    test("is the same for the same seed, and different for another", () => {
      const made = (seed) => hash(all({ format, bytes: 50_000, seed }));
      assert.equal(made(3), made(3));
      assert.notEqual(made(3), made(4));
    });
    test("opens, is detected from its content, and is valid", () => {
      const bytes = all({ format, bytes: 400_000, seed: 7 });
      const transcript = Transcript.open(bytes);
      assert.equal(transcript.format, told);
      assert.ok(transcript.messageCount > 5);
      assert.deepEqual(complaints(transcript), []);
      transcript.free();
    });
  });
}

/** Every part in the messages, counted by type and status. */
function mixture(messages) {
  const counts = {};
  for (const { parts } of messages) {
    for (const { type, state } of parts) {
      const kind = state ? `${type} ${state.status}` : type;
      counts[kind] = (counts[kind] ?? 0) + 1;
    }
  }
  return counts;
}

test("the mixture has all kinds of parts", () => {
  const { messages } = JSON.parse(all({ format: "opencode-export", bytes: 6e6 }));
  const counts = mixture(messages);
  for (const kind of [
    ...["text", "reasoning", "step-start", "step-finish", "patch", "compaction", "retry", "file"],
    ...["subtask", "tool completed", "tool error", "tool running"],
  ]) {
    assert.ok(counts[kind] > 0, `${kind}: ${JSON.stringify(counts)}`);
  }
  const tools = new Set(messages.flatMap(({ parts }) => parts.map((part) => part.tool)));
  for (const tool of ["bash", "read", "edit", "grep", "todowrite"])
    assert.ok(tools.has(tool), tool);
  const text = JSON.stringify(messages);
  assert.ok(text.includes("\\u001b[32m") && text.includes("検索結果") && text.includes("👩‍💻"));
  assert.deepEqual(PartValidator.validateTranscript(messages, { ids: "opencode" }).problems, []);
});

test("ids ascend and are unique, and times advance", () => {
  for (const format of ["opencode-export", "with-parts-array"]) {
    const made = JSON.parse(all({ format, bytes: 300_000 }));
    const messages = made.messages ?? made;
    const ids = messages.flatMap(({ info, parts }) => [info.id, ...parts.map((part) => part.id)]);
    assert.equal(new Set(ids).size, ids.length);
    const own = messages.map(({ info }) => info.id);
    assert.deepEqual(own, [...own].sort());
    const times = messages.map(({ info }) => info.time.created);
    assert.deepEqual(times, [...times].sort());
  }
});

test("deltas fulfil the contract in each response", () => {
  const made = readDeltas("delta", all({ format: "deltas", bytes: 200_000 }));
  assert.ok(made.filter(({ kind }) => kind === "done").length > 5);
});

test("a recorded session is repeated with new ids", () => {
  const from = JSON.parse(readFileSync(at("tests/fixtures/subtask.export.json"), "utf8"));
  const bytes = all({ format: "opencode-export", bytes: 200_000, from });
  assert.ok(Math.abs(bytes.length - 200_000) <= 2000);
  const { messages } = JSON.parse(bytes);
  assert.deepEqual(PartValidator.validateTranscript(messages, { ids: "opencode" }).problems, []);
  const own = messages.map(({ info }) => info.id);
  assert.equal(new Set(own).size, own.length);
  assert.ok(own.length > 3 * from.messages.length);
});

test("works as a command, with errors for wrong options", () => {
  const run = (...args) => {
    const script = at("scripts/generate.mjs");
    return spawnSync(process.execPath, [script, ...args], { maxBuffer: 1 << 26 });
  };
  const { stdout, status } = run("--format", "with-parts", "--size", "50k", "--seed", "3");
  assert.equal(status, 0);
  assert.equal(hash(stdout), hash(all({ format: "with-parts", bytes: 50_000, seed: 3 })));
  for (const args of [
    ["--format", "nope"],
    ["--size", "much"],
    ["--size", "5"],
    ["--seed", "x"],
  ]) {
    const { status, stderr } = run(...args);
    assert.equal(status, 1);
    assert.match(String(stderr), /^\n✗ [^\n]+\n$/);
  }
  assert.equal(parseSize("1.5 GB"), 1.5e9);
});
