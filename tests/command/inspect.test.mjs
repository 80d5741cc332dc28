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
      /^ {2}ended {4}finished$/m,
      /^ {2}failed {3}1 call, 1 mended later$/m,
      /✗ bash cargo check \(exit 101\): error\[E0308\]: mismatched types \[prt_2; passed later: prt_3\]$/m,
      /^ {2}changed {2}0 files, \+0 −0$/m,
      /^ {4}1a2b3c4 fixed$/m,
      /^ {2}time {5}10\.0 s busy of 10\.0 s: model 8\.0 s, tools 2\.0 s$/m,
      /^ {2}cost {5}—$/m,
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
    assert.match(stdout, /^1970-01-01 00:16 {2}Fix the build$/m);
    assert.match(stdout, /with-parts big; finished; 1 failed, 0 loops; —, 10\.0 s busy/);
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
