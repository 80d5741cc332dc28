// `inspect`: what a run did, and the runs in a folder.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { at, file, folder, run } from "./command.mjs";

const subtask = at("tests/fixtures/subtask.export.json");
const aborted = at("tests/fixtures/aborted.export.json");

const shell = (id, command, exit, output) => ({
  ...{
    id,
    sessionID: "ses_1",
    messageID: "msg_2",
    type: "tool",
    tool: "bash",
    callID: `call_${id}`,
  },
  state: {
    ...{ status: "completed", input: { command }, output, title: "", metadata: { exit } },
    time: { start: 1_000_000, end: 1_002_000 },
  },
});

/** A run whose check fails and passes later. */
const mended = [
  {
    info: { id: "msg_1", sessionID: "ses_1", role: "user", time: { created: 1_000_000 } },
    parts: [
      { id: "prt_1", sessionID: "ses_1", messageID: "msg_1", type: "text", text: "Fix the build" },
    ],
  },
  {
    info: {
      ...{ id: "msg_2", sessionID: "ses_1", role: "assistant", finish: "stop" },
      ...{ time: { created: 1_000_000, completed: 1_010_000 }, modelID: "big" },
    },
    parts: [
      shell("prt_2", "cargo check", 101, "   Compiling\nerror[E0308]: mismatched types\n"),
      shell("prt_3", "cargo check", 0, "ok\n"),
      shell("prt_4", "git commit -am fixed", 0, "[main 1a2b3c4] fixed\n"),
    ],
  },
];

describe("inspect", () => {
  test("prints what the run did", () => {
    const { status, stdout } = run(["inspect", "--ids", "opencode", file("mended.json", mended)]);
    assert.equal(status, 0);
    for (const line of [
      /^ {2}asked {4}Fix the build$/m,
      /^ {2}requests 1$/m,
      /^ {2}model {4}big$/m,
      /^ {2}ended {4}finished$/m,
      /^ {2}failed {3}1 call, 1 fixed later$/m,
      /✗ bash cargo check \(exit 101\): error\[E0308\]: mismatched types \[prt_2; passed later: prt_3\]$/m,
      /^ {2}changed {2}0 files, \+0 −0$/m,
      /^ {4}1a2b3c4 fixed$/m,
      /^ {2}time {5}10 s busy of 10 s: model 8\.0 s, tools 2\.0 s$/m,
      /^ {2}cost {5}—$/m,
      /^\d+ steps?, —$/m,
    ]) {
      assert.match(stdout, line);
    }
  });

  test("--json has the same as `summary()`", () => {
    const { stdout } = run(["inspect", "--json", aborted]);
    const { summary } = JSON.parse(stdout);
    assert.equal(summary.ended.how, "aborted");
    assert.equal(summary.failed, 1);
  });

  test("a folder is the list of its runs, the latest first; other files are counted", () => {
    const here = mkdtempSync(join(folder, "runs-"));
    mkdirSync(join(here, "deep", "deeper"), { recursive: true });
    cpSync(subtask, join(here, "deep", "deeper", "subtask.json"));
    writeFileSync(join(here, "mended.jsonl"), mended.map((m) => JSON.stringify(m)).join("\n"));
    writeFileSync(join(here, "no.json"), "{}");
    writeFileSync(join(here, "picture.png"), "x");
    // Links in a circle, one that leads nowhere, and a second name for a file.
    symlinkSync(here, join(here, "deep", "up"));
    symlinkSync(join(here, "gone"), join(here, "gone.json"));
    symlinkSync(join(here, "mended.jsonl"), join(here, "same.jsonl"));
    const { status, stdout } = run(["inspect", here]);
    assert.equal(status, 0);
    assert.match(stdout, /^2 runs; 1 other file not read$/m);
    assert.match(stdout, /^— {2}Fix the build$/m);
    assert.match(stdout, /with-parts big; finished; 1 failed, 0 loops; —, 10 s busy/);
    const json = JSON.parse(run(["inspect", "--json", here]).stdout);
    assert.deepEqual(
      json.runs.map(({ file }) => file),
      ["deep/deeper/subtask.json", "mended.jsonl"],
    );
    assert.deepEqual(
      json.others.map(({ file }) => file),
      ["no.json"],
    );
  });

  test("a folder without a run", () => {
    const here = mkdtempSync(join(folder, "none-"));
    const { status, stdout } = run(["inspect", here]);
    assert.deepEqual([status, stdout], [1, "0 runs\n"]);
  });
});

describe("what is recognised but not read", () => {
  const database = file("state.vscdb", Buffer.from("SQLite format 3\0cursorDiskKV"));
  const event = { id: 1, timestamp: "t", source: "agent", message: "m", action: "run", args: {} };
  const log = file("openhands.json", [event]);
  const says = (path, what) =>
    new RegExp(`^${path}: This looks like ${what}, which is not read yet; read are: opencode-`);
  const found = [
    [database, "an SQLite database"],
    [log, "an OpenHands event log"],
  ];

  for (const command of [
    ...["inspect", "validate", "loops", "loops --json", "redact", "redact --list"],
    ...["compact --context 1000", "compact --context 1000 --json", "validate --for opencode"],
    ...["convert --to markdown", "convert --to opencode", "convert --to messages"],
  ]) {
    test(`${command} says what it is`, () => {
      const [name, ...options] = command.split(" ");
      for (const [path, what] of found) {
        const { status, stdout, stderr } = run([name, path, ...options]);
        assert.deepEqual([status, stdout], [1, ""]);
        assert.match(stderr, says(path, what));
      }
    });
  }

  test("search, and standard input", () => {
    for (const [path, what] of found) {
      const { status, stdout, stderr } = run(["search", path, "run"]);
      assert.deepEqual([status, stdout], [1, ""]);
      assert.match(stderr, says(path, what));
    }
    const { status, stderr } = run(["inspect", "-"], JSON.stringify([event]));
    assert.equal(status, 1);
    assert.match(stderr, says("standard input", "an OpenHands event log"));
  });

  test("with --json it is a problem of the file, and named", () => {
    for (const name of ["validate", "inspect"]) {
      const { status, stdout, stderr } = run([name, "--json", log]);
      assert.equal(status, 1);
      assert.match(stderr, says(log, "an OpenHands event log"));
      assert.equal(JSON.parse(stdout).looksLike, "an OpenHands event log");
    }
    const { valid, problems } = JSON.parse(run(["validate", "--json", log]).stdout);
    assert.deepEqual([valid, problems[0].rule], [false, "schema"]);
    assert.match(problems[0].message, /^This looks like an OpenHands event log/);
  });

  test("in a folder it is no run, with the reason", () => {
    const here = mkdtempSync(join(folder, "unread-"));
    writeFileSync(join(here, "log.json"), JSON.stringify([event]));
    cpSync(subtask, join(here, "run.json"));
    const { runs, others } = JSON.parse(run(["inspect", "--json", here]).stdout);
    assert.deepEqual([runs.length, others.length], [1, 1]);
    assert.equal(others[0].file, "log.json");
    assert.match(others[0].reason, /^This looks like an OpenHands event log/);
  });
});
