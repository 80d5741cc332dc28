// The command `apex-parts`, as a user runs it, on transcripts. (Streams: assemble.test.mjs)
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { generate } from "../../scripts/generate.mjs";
import { at, DELTAS, file, folder, ndjson, run, streams } from "./command.mjs";

const subtask = at("tests/fixtures/subtask.export.json");

const broken = file("broken.json", [
  { info: { id: "m", role: "user" }, parts: [{ id: "p", type: "text", text: 5 }] },
]);

test("validate: a valid file has no errors and exit code 0", () => {
  const { status, stdout, stderr } = run(["validate", subtask]);
  assert.equal(status, 0);
  assert.equal(stdout, "0 errors, 0 warnings in 3 messages\n");
  assert.equal(stderr, "");
});

test("validate: each problem is a line with rule, path and message; exit code 1", () => {
  const { status, stdout } = run(["validate", broken]);
  assert.equal(status, 1);
  assert.match(stdout, /^error BR-01 at \/0\/info\/sessionID \(byte 1\): `sessionID` is missing$/m);
  assert.match(
    stdout,
    /^error schema at \/0\/parts\/0\/text \(byte 1\): expected a string, got a number$/m,
  );
  assert.match(stdout, /^\d+ errors, 0 warnings in 1 message$/m);
});

test("validate --json prints the result of validateTranscript", () => {
  const { status, stdout } = run(["validate", "--json", broken]);
  assert.equal(status, 1);
  const { valid, problems } = JSON.parse(stdout);
  assert.equal(valid, false);
  assert.ok(problems.some((p) => p.rule === "schema" && p.path === "/0/parts/0/text"));
});

test("validate --ids apex requires UUIDs", () => {
  const { status, stdout } = run(["validate", "--ids", "apex", subtask]);
  assert.equal(status, 1);
  assert.match(stdout, /BR-04/);
});

test("inspect: messages, parts by type, tools with calls and failures, cost, tokens, duration", () => {
  const { status, stdout } = run(["inspect", subtask]);
  assert.equal(status, 0);
  assert.match(stdout, /opencode-export: 3 messages, 8 parts/);
  assert.match(stdout, /2 steps, \$\d+\.\d+/);
  assert.match(stdout, /tokens: \d+ in, \d+ out/);
  assert.match(stdout, /step-start +2/);
  assert.match(stdout, /task +1 call +0 failed +\S+ m?s/);
});

test("inspect --json agrees with the file", () => {
  const { stdout } = run(["inspect", "--json", subtask]);
  const seen = JSON.parse(stdout);
  const file = JSON.parse(readFileSync(subtask, "utf8"));
  assert.equal(seen.messageCount, file.messages.length);
  assert.deepEqual(seen.session, file.info);
  assert.equal(seen.stats.steps, 2);
  assert.equal(seen.stats.tools.task.calls, 1);
  assert.ok(seen.durationMs > 0);
});

test("inspect: calls that failed are counted by tool and listed, errors beside them", () => {
  const call = (i, state) => ({
    ...{ id: `prt_${i}`, sessionID: "ses_1", messageID: "msg_1", type: "tool" },
    ...{ callID: `call_${i}`, tool: "bash" },
    state: { input: { command: `cargo\n${i}` }, time: { start: 1, end: 2 }, ...state },
  });
  const ended = { status: "completed", output: "x", title: "" };
  const parts = [
    call(0, { ...ended, metadata: { exit: 0 } }),
    call(1, { ...ended, metadata: { exit: 101 } }),
    call(2, { status: "error", error: "Exit code 2\nno" }),
    ...Array.from({ length: 20 }, (_, i) => call(3 + i, { ...ended, metadata: { aborted: true } })),
  ];
  const info = { id: "msg_1", sessionID: "ses_1", role: "assistant", time: { created: 1 } };
  const path = file("failed.json", [{ info, parts }]);
  const { status, stdout } = run(["inspect", path]);
  assert.equal(status, 0);
  assert.match(stdout, /bash +23 calls +22 failed +23 ms/);
  assert.match(stdout, /^ {2}failed {3}22 calls$/m);
  const list = stdout.split("\n").filter((line) => line.includes("✗"));
  assert.equal(list[0], "    ✗ bash cargo 1 (exit 101): x [prt_1]");
  assert.equal(list[1], "    ✗ bash cargo 2 (exit 2): no [prt_2]");
  assert.equal(list[2], "    ✗ bash cargo 3: x [prt_3]");
  assert.equal(list.length, 20);
  assert.match(stdout, /^ {4}… and 2 more$/m);
  const { summary, stats } = JSON.parse(run(["inspect", "--json", path]).stdout);
  assert.equal(summary.failures.length, 22);
  assert.deepEqual(summary.failures[0], {
    ...{ at: { message: 0, part: 1, id: "prt_1" }, tool: "bash", subject: "cargo\n1" },
    ...{ outcome: "failed", exit: 101, said: "x" },
  });
  assert.deepEqual(stats.tools.bash, {
    ...{ calls: 23, errors: 1, failed: 21, failedCalls: 22, totalMs: 23 },
  });
  // Where nothing failed there is no list.
  assert.doesNotMatch(run(["inspect", subtask]).stdout, /✗/);
});

test("- reads standard input", () => {
  const { status, stdout } = run(["validate", "-"], readFileSync(subtask));
  assert.equal(status, 0);
  assert.match(stdout, /in 3 messages/);
});

test("a cut file is read up to the cut, which is a problem with its offset", () => {
  const cut = file("cut.json", readFileSync(subtask, "utf8").slice(0, -500));
  const { status, stdout } = run(["validate", cut]);
  assert.equal(status, 1);
  assert.match(stdout, /the file is cut off: of message 2 the first 2 parts are there/);
});

test("inspect: a recorded stream of any format has one message for each response", () => {
  const own = streams(at("tests/fixtures/streams"));
  assert.ok(own.length > 8);
  for (const { name, format, path, expected } of own) {
    const { responses } = expected;
    const { status, stdout } = run(["inspect", "--json", path]);
    assert.equal(status, 0, name);
    const seen = JSON.parse(stdout);
    assert.equal(seen.format, format);
    assert.equal(seen.messageCount, responses.length, name);
    const calls = responses.flatMap((response) => response.calls.map((call) => call.name));
    const counts = Object.entries(seen.stats.tools).flatMap(([tool, { calls }]) =>
      Array(calls).fill(tool),
    );
    assert.deepEqual(counts.sort(), calls.sort(), name);
  }
});

test("inspect and validate: a file of deltas, with either name of the format", () => {
  const path = file("deltas.ndjson", ndjson(DELTAS));
  for (const args of [[], ["--format", "deltas"], ["--format", "delta"]]) {
    const { status, stdout } = run(["inspect", ...args, path]);
    assert.equal(status, 0);
    assert.match(stdout, /^deltas: 1 message, 5 parts$/m);
    assert.match(stdout, /read +1 call +0 failed/);
    assert.equal(run(["validate", ...args, path]).status, 0);
  }
});

test("validate: a recorded stream is validated as messages; damage has its offset", () => {
  for (const { name, path } of streams(at("tests/fixtures/streams"))) {
    const { status, stdout } = run(["validate", path]);
    assert.equal(status, 0, `${name}: ${stdout}`);
    assert.match(stdout, /^0 errors, /m);
  }
  const good = ndjson(DELTAS.slice(0, 3));
  const bad = run(["validate", "-"], `${good}{oops\n${ndjson(DELTAS.slice(3, 5))}`);
  assert.equal(bad.status, 1);
  assert.match(bad.stdout, new RegExp(`^error json \\(byte ${Buffer.byteLength(good)}\\): `, "m"));
  assert.match(bad.stdout, /^error DC-2 \(byte \d+\): .*without `done`/m);
  assert.match(bad.stdout, /in 1 message$/m);
});

test("unknown files, missing files and unknown commands are one sentence on standard error", () => {
  const cases = [
    [["validate", file("empty", "")], 1, /the file is empty/],
    [["inspect", file("page.html", "<html>")], 1, /HTML/],
    [["validate", join(folder, "nowhere")], 2, /no such file/],
    [["validate"], 2, /takes one FILE/],
    [["dance", subtask], 2, /no command dance/],
    [["constructor", subtask], 2, /no command constructor/],
    [["validate", "--nope", subtask], 2, /--nope/],
    [["validate", "--ids", "x", subtask], 2, /--ids must be apex or opencode/],
    [["validate", "--format", "x", subtask], 2, /unknown format/],
    [["validate", "--follow", subtask], 2, /validate has no --follow/],
    [["inspect", "--format", "gemini", subtask], 1, /nothing could be assembled|no message/],
    [["validate", folder], 2, /it is a folder/],
    [[subtask], 2, /^no command .+: apex-parts view .+ opens it\n/],
  ];
  for (const [args, code, says] of cases) {
    const { status, stdout, stderr } = run(args);
    assert.equal(status, code, `${args}: ${stderr}`);
    assert.equal(stdout, "");
    assert.match(stderr, says);
    assert.doesNotMatch(stderr, /\n\s+at /, "no stack");
  }
});

const posix = { skip: process.platform === "win32" ? "it is pasted into a shell" : false };

test("a command that is printed can be pasted, whatever the path is", posix, () => {
  for (const name of ["plain.json", "a name.json", "it's $HOME.json", '"*".json']) {
    const path = file(name, "{}");
    const printed = /: apex-parts view (.+) opens it\n/.exec(run([path]).stderr)[1];
    const shell = spawnSync("sh", ["-c", `printf %s ${printed}`], { encoding: "utf8" });
    assert.equal(shell.stdout, path);
  }
  const plain = file("plain.json", "{}");
  if (/^[\w./-]+$/.test(plain)) assert.match(run([plain]).stderr, / view [\w./-]+ opens it\n/);
});

test("a wrong command line says what is wrong, and of the help only what is about it", () => {
  const none = run(["dance"]);
  assert.equal(none.status, 2);
  assert.match(none.stderr, /^no command dance\napex-parts --help lists .*\n$/);
  const bare = run(["convert"]);
  assert.equal(bare.status, 2);
  assert.match(
    bare.stderr,
    /^convert takes one FILE\n\n {2}apex-parts convert FILE --to [\s\S]*\napex-parts convert --help .*\n$/,
  );
  assert.equal(bare.stderr.match(/^ {2}apex-parts /gm).length, 1);
  assert.match(
    run(["skills", "a", "--context", "1"]).stderr,
    /^skills has no --context\n\n {2}apex/,
  );
});

test("--help and --version", () => {
  assert.match(run(["--help"]).stdout, /Exit code: 0/);
  const { version } = JSON.parse(readFileSync(at("package.json"), "utf8"));
  assert.equal(run(["--version"]).stdout, `${version}\n`);
});

test("the exit code is right even if the reader closes early", () => {
  const script = `'${process.execPath}' '${at("pkg/cli.mjs")}' validate --ids apex '${subtask}' | true`;
  const { status, stderr } = spawnSync("bash", ["-o", "pipefail", "-c", script], {
    encoding: "utf8",
  });
  assert.deepEqual([status, stderr], [1, ""]);
});

const full = { skip: existsSync("/dev/full") ? false : "there is no /dev/full here" };

/** Runs a command in a shell, with redirected output. */
const sh = (command, to) =>
  spawnSync("sh", ["-c", `'${process.execPath}' '${at("pkg/cli.mjs")}' ${command} ${to}`], {
    encoding: "utf8",
  });

test("output that cannot be written is reported in one sentence", full, () => {
  const long = file(
    "long.json",
    Buffer.concat([...generate({ format: "with-parts", bytes: 1e6 })]),
  );
  const deltas = file("full.ndjson", ndjson(DELTAS));
  for (const command of [
    "--help",
    `validate --ids apex '${subtask}'`,
    `inspect --json '${subtask}'`,
    `search --json '${long}' e`,
    `loops '${subtask}'`,
    `convert --to html '${long}'`,
    `convert --to ui-messages - < '${long}'`,
    `convert --to markdown -o - '${subtask}'`,
    `assemble '${deltas}'`,
    `assemble --deltas '${deltas}'`,
    `assemble --follow '${deltas}'`,
  ]) {
    const { status, stderr } = sh(command, "> /dev/full");
    assert.equal(status, 2, command);
    assert.match(stderr, /^standard output: .*no space left.*\n$/i, command);
  }
});

test("the exit code is right even if standard error cannot be written", full, () => {
  for (const [command, code] of [
    ["nonsense", 2],
    ["validate /no/such/file", 2],
    [`validate --ids apex '${subtask}'`, 1],
    [`search '${subtask}' e --limit 1`, 0],
  ]) {
    assert.equal(sh(command, "2> /dev/full").status, code, command);
    assert.equal(sh(command, "> /dev/full 2>&1").status, 2, command);
  }
});
