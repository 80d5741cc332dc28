// `apex-parts loops`, the loops in `inspect`, and the example of an agent loop.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { at, file, run } from "./command.mjs";

const START = 1_795_293_000_000;

/** A message of the user, then one for each call, as agents write them. */
function transcript(calls) {
  const info = { sessionID: "ses_1", agent: "build", time: { created: START } };
  const messages = calls.map(({ tool, input, output, error }, i) => ({
    info: { ...info, id: `msg_${i + 1}`, role: "assistant", parentID: "msg_0" },
    parts: [
      {
        ...{ id: `prt_${i + 1}`, sessionID: "ses_1", messageID: `msg_${i + 1}`, type: "tool" },
        ...{ callID: `call_${i + 1}`, tool },
        state: {
          ...(error === undefined
            ? { status: "completed", input, output, title: tool, metadata: {} }
            : { status: "error", input, error }),
          time: { start: START + i, end: START + i },
        },
      },
    ],
  }));
  const user = { info: { ...info, id: "msg_0", role: "user" }, parts: [] };
  return [user, ...messages];
}

const read = (path) => ({ tool: "read", input: { path }, output: `what ${path} says` });
const query = (i) => ({ tool: "query", input: { i }, error: "401: the token has expired" });
const repeat = (times, call) => Array(times).fill(call);

const looping = file("looping.json", transcript([read("a"), ...repeat(4, read("b"))]));
const honest = file("honest.json", transcript(Array.from({ length: 80 }, (_, i) => read(`f${i}`))));
const warned = file("warned.json", transcript([0, 1, 2, 3, 4].map(query)));

test("loops: each with its kind, repeats, pattern, place and advice; exit code 1", () => {
  const { status, stdout, stderr } = run(["loops", looping]);
  assert.equal(stderr, "");
  assert.equal(status, 1);
  const [verdict, place, advice, ...rest] = stdout.split("\n");
  assert.equal(verdict, 'interrupt exact_repeat ×4: read({"path":"b"})');
  assert.equal(place, "  messages 2, 3, 4, 5: parts prt_2, prt_3, prt_4, prt_5");
  assert.match(advice, /^ {2}The same call, read\(.*4 times in a row/);
  assert.deepEqual(rest, ["", "1 loop, 1 to interrupt, in 6 messages", ""]);
});

test("loops: a long session of different calls has none, and exit code 0", () => {
  const { status, stdout } = run(["loops", honest]);
  assert.equal(stdout, "0 loops, 0 to interrupt, in 81 messages\n");
  assert.equal(status, 0);
  assert.equal(run(["loops", "--json", honest]).stdout, "[]\n");
  assert.doesNotMatch(run(["inspect", honest]).stdout, /loop/);
});

test("loops: a loop that deserves only a warning is printed, with exit code 0", () => {
  const { status, stdout } = run(["loops", warned]);
  assert.match(stdout, /^warning same_error ×5: query\(/m);
  assert.match(stdout, /^1 loop, 0 to interrupt, in 6 messages$/m);
  assert.equal(status, 0);
});

test("loops: calls that the end of their answer left without a result have not failed", () => {
  // A session of pi: the connection was lost while one answer made 16 edits.
  const at = (second) => new Date(START + second * 1000).toISOString();
  const entry = (second, message) => ({
    ...{ type: "message", id: `e${second}`, parentId: second === 1 ? null : `e${second - 1}` },
    ...{ timestamp: at(second), message },
  });
  const edits = Array.from({ length: 16 }, (_, i) => ({
    ...{ type: "toolCall", id: `call_${i}`, name: "edit" },
    arguments: { path: `src/${i}.ts`, oldText: "a", newText: "b" },
  }));
  const lines = [
    { type: "session", version: 3, id: "s", timestamp: at(0), cwd: "/work" },
    entry(1, { role: "user", content: [{ type: "text", text: "Rename it." }] }),
    entry(2, {
      ...{ role: "assistant", content: edits, provider: "p", model: "m" },
      ...{ stopReason: "error", errorMessage: "terminated" },
    }),
  ];
  const pi = file("pi.jsonl", lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { status, stdout, stderr } = run(["loops", pi]);
  assert.equal(stderr, "");
  assert.match(stdout, /^0 loops, 0 to interrupt, in 2 messages$/m);
  assert.equal(status, 0);
  // They are there, as errors without a result.
  const { parts } = JSON.parse(run(["convert", "--to", "with-parts", pi]).stdout)[1];
  const states = parts.filter(({ type }) => type === "tool").map(({ state }) => state);
  assert.equal(states.length, 16);
  assert.ok(states.every(({ error, metadata }) => error === "terminated" && metadata.aborted));
});

test("loops --json prints the result of Transcript#loops", () => {
  const { status, stdout } = run(["loops", "--json", looping]);
  assert.equal(status, 1);
  const [loop, ...others] = JSON.parse(stdout);
  assert.deepEqual(others, []);
  const { kind, suggestedAction, repeats, period, isDetected, stepCount } = loop;
  assert.deepEqual(
    { kind, suggestedAction, repeats, period, isDetected, stepCount },
    {
      ...{ kind: "exact_repeat", suggestedAction: "interrupt", repeats: 4, period: 1 },
      ...{ isDetected: true, stepCount: 5 },
    },
  );
  assert.deepEqual(loop.callIDs, ["call_2", "call_3", "call_4", "call_5"]);
  assert.deepEqual(loop.partIDs, ["prt_2", "prt_3", "prt_4", "prt_5"]);
  assert.deepEqual(
    loop.places,
    [2, 3, 4, 5].map((message) => [message, 0]),
  );
  assert.match(loop.message, /4 times in a row/);
});

test("loops --threshold: the number of repeats; 0 turns them off", () => {
  const four = run(["loops", "--threshold", "4", looping]);
  assert.match(four.stdout, /exact_repeat ×4/);
  assert.equal(four.status, 1);
  for (const threshold of ["5", "0"]) {
    const { status, stdout } = run(["loops", "--threshold", threshold, looping]);
    assert.equal(status, 0, threshold);
    assert.match(stdout, /^0 loops/);
  }
});

test("loops --max-iterations: the number of calls is limited only if given", () => {
  const { status, stdout } = run(["loops", "--max-iterations", "79", "--json", honest]);
  assert.equal(status, 1);
  const loops = JSON.parse(stdout);
  assert.deepEqual(
    loops.map(({ kind, stepCount }) => [kind, stepCount]),
    [["max_iterations", 80]],
  );
  assert.equal(run(["loops", "--max-iterations", "80", honest]).status, 0);
});

test("loops: standard input, with the format given", () => {
  const { status, stdout } = run(
    ["loops", "--format", "with-parts", "-"],
    readFileSync(looping, "utf8"),
  );
  assert.equal(status, 1);
  assert.match(stdout, /exact_repeat/);
});

test("loops: errors are one sentence on standard error", () => {
  const cases = [
    [["loops", "--threshold", "x", looping], 2, /--threshold must be an integer/],
    [["loops", "--threshold", "", looping], 2, /--threshold must be an integer/],
    [["loops", "--threshold", "1e99", looping], 2, /--threshold must be an integer/],
    [["loops", "--max-iterations", "0", looping], 2, /--max-iterations must be an integer from 1/],
    [["loops", "--ids", "apex", looping], 2, /loops has no --ids/],
    [["inspect", "--threshold", "3", looping], 2, /inspect has no --threshold/],
    [["loops"], 2, /takes one FILE/],
    [["loops", file("no-loops", "")], 1, /the file is empty/],
  ];
  for (const [args, code, says] of cases) {
    const { status, stdout, stderr } = run(args);
    assert.equal(status, code, `${args}: ${stderr}`);
    assert.equal(stdout, "");
    assert.match(stderr, says);
    assert.doesNotMatch(stderr, /\n\s+at /, "no stack");
  }
});

test("inspect: a loop has a line with the verdict and one with the advice", () => {
  const { status, stdout } = run(["inspect", looping]);
  assert.equal(status, 0);
  assert.match(
    stdout,
    /^loops\n {2}interrupt exact_repeat ×4: read\(\{"path":"b"\}\)\n {4}The same call/m,
  );
  const { loops } = JSON.parse(run(["inspect", "--json", looping]).stdout);
  assert.deepEqual(loops, JSON.parse(run(["loops", "--json", looping]).stdout));
});

test("--help has the defaults of loops, and the exit code", () => {
  const { stdout } = run(["--help"]);
  for (const words of ["apex-parts loops FILE", "--threshold N", "--max-iterations N"]) {
    assert.ok(stdout.includes(words), words);
  }
  assert.match(stdout, /a loop that should have been\s+interrupted/);
});

test("the example: a model that loops is stopped, ones that poll and wait are not", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [at("examples/agent-loop.mjs")], {
    encoding: "utf8",
  });
  assert.equal(stderr, "");
  assert.equal(status, 0);
  assert.equal(
    stdout.match(/^ {2}read\(\{"path":"notes.txt"/gm).length,
    2,
    "the third call does not run",
  );
  const answer = /^a model that loops: stopped\n(\{[\s\S]*?\n\})\n/m.exec(stdout);
  const { error, suggestion } = JSON.parse(answer[1]);
  assert.equal(error.name, "DoomLoopDetected");
  assert.equal(error.details.attemptCount, 3);
  assert.equal(error.details.threshold, 3);
  assert.equal(error.details.lastToolCalls.length, 3);
  assert.match(suggestion, /made 3 times in a row, and has failed each time/);
  assert.match(stdout, /job\(\{"id":7\}\) → 100 % done\na model that polls: ran to its end/);
  assert.match(stdout, /job\(\{"id":8\}\) → done\na model that waits: ran to its end/);
});
