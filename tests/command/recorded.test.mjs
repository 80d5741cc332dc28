// The command over recordings: what it makes of streams is what stands beside them; sessions are
// compacted, and searched for loops.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { describe, test } from "node:test";
import { PartValidator, SessionCompaction, Transcript } from "../../pkg/node.mjs";
import { recorded, recordedFiles } from "../recorded.mjs";
import { file, ndjson, run, streams, textOf } from "./command.mjs";

const STREAMS = streams(dirname(recordedFiles("providers", /\.sse$/)[0]));
const SESSIONS = recordedFiles("compaction", /\.export\.json$/);

const lines = (text) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe("assemble", () => {
  /** All responses as one stream, without the start and end of the second, third … */
  function joined(path) {
    const deltas = lines(run(["assemble", "--deltas", path]).stdout);
    const inner = deltas.filter(({ kind }) => kind !== "start" && kind !== "done");
    const all = [deltas[0], ...inner, deltas.at(-1)];
    const one = all.map((each, seq) => ({ ...each, seq, runId: "r" }));
    return run(["assemble", "-"], ndjson(one)).stdout;
  }

  for (const { name, format, path, expected } of STREAMS) {
    test(`${name}: text and calls are as another parser, or a person, read them`, () => {
      const whole = run(["assemble", path]);
      const hasMore = whole.stderr.includes("--deltas prints all");
      assert.equal(whole.status, hasMore || expected.error ? 1 : 0, whole.stderr);
      // The other parser merged several responses.
      const message = JSON.parse(hasMore ? joined(path) : whole.stdout);
      const [text, thinking] = ["text", "thinking"].map((kind) => textOf(message, kind));
      // Where the other parser gave up, we have its result and more.
      if (expected.error) assert.ok(text.startsWith(expected.text));
      else assert.deepEqual([text, thinking], [expected.text, expected.reasoning]);
      const calls = message.parts.filter(({ kind }) => kind === "tool_call");
      assert.equal(calls.length, expected.toolCalls.length);
      for (const [index, { id, name, input, providerExecuted }] of expected.toolCalls.entries()) {
        if (providerExecuted) continue;
        // Google gives no ids, so the other parser generated some.
        const found = calls.find(({ payload }, at) =>
          format === "gemini" ? at === index : payload.toolCallId === id,
        );
        assert.equal(found.payload.toolName, name);
        assert.deepEqual(found.payload.arguments, input);
      }
    });
  }
});

describe("compact", () => {
  const summary = file("recorded-summary.md", "## Objective\nRead all the files.\n");
  const options = ["--context", "24000", "--output", "8000", "--tail-turns", "0", "--prune"];

  const errorsOf = (list) => {
    const { problems } = PartValidator.validateTranscript(list, { ids: "opencode" });
    return problems.filter(({ severity }) => severity === "error");
  };

  for (const input of SESSIONS) {
    test(basename(input), () => {
      const made = run(["compact", input, ...options, "--summary", summary]);
      assert.equal(made.status, 0, made.stderr);
      const { messages } = JSON.parse(made.stdout);
      const transcript = Transcript.open(readFileSync(input));
      const old = transcript.messages();
      transcript.free();
      // What is wrong with the recording stays wrong, and nothing else is.
      assert.deepEqual(errorsOf(messages), errorsOf(old));
      const [first, told] = SessionCompaction.filterCompacted(messages);
      assert.equal(first.parts[0].type, "compaction");
      assert.match(told.parts[0].text, /^## Objective\nRead all the files\./);
      const ids = (list) => list.map(({ info }) => info.id);
      assert.deepEqual(ids(messages.slice(0, old.length)), ids(old));
    });
  }
});

describe("loops", () => {
  const path = (name) => recorded("opencode", `${name}.export.json`);

  test("are found in a session that loops", () => {
    const { status, stdout } = run(["loops", "--json", path("doom-loop")]);
    assert.equal(status, 1);
    const loops = JSON.parse(stdout);
    assert.equal(loops.length, 1);
    assert.equal(loops[0].kind, "exact_error", "its command ends with exit code 1 each time");
    assert.deepEqual(loops[0].calls, [0, 1, 2, 3, 4, 5], "to the last call");
    const said = run(["loops", path("doom-loop")]).stdout;
    assert.match(said, /^ {2}messages 1, 2, 3, 4, 5, 6: parts /m);
  });

  for (const name of ["many-steps", "fix-greeting", "long-compaction", "subtask"]) {
    test(`are not found in ${name}`, () => {
      const { status, stdout } = run(["loops", path(name)]);
      assert.match(stdout, /^0 loops, /);
      assert.equal(status, 0);
    });
  }
});
