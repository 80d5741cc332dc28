// Today's agents, driven with a scripted model: what is told of a run is what the script of its model says.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { before, describe, test } from "node:test";
import { at, consumer, files, requireFrom } from "./helper.mjs";

const FILES = files(at("tests", "fixtures", "recorded", "runs")).filter((path) =>
  path.endsWith(".jsonl"),
);

let Transcript;
before(async () => {
  ({ Transcript } = requireFrom(await consumer("agent-runs"))("apex-parts"));
});

/** The files of a run, by the name of their folder, as `codex.forked`. */
const filesOf = (run) => FILES.filter((path) => path.split(/[\\/]/).includes(run));
/** The file of a run that is no sub-agent's and no fork. */
function open(run) {
  const [path] = filesOf(run).sort((a, b) => a.split(/[\\/]/).length - b.split(/[\\/]/).length);
  return openFile(path);
}
const openFile = (path) => Transcript.open(readFileSync(path));

const PROGRAMS = ["claude-code", "codex", "copilot-cli", "gemini-cli", "pi"];

/** Input that was not cached, and the output without reasoning: of the scripts. */
const ORDINARY = {
  "claude-code": { input: 900, output: 160, reasoning: 0, cache: { read: 5900, write: 300 } },
  codex: { input: 1200, output: 156, reasoning: 4, cache: { read: 5900, write: 0 } },
  "copilot-cli": { input: 1200, output: 156, reasoning: 4, cache: { read: 5900, write: 0 } },
  "gemini-cli": { input: 1200, output: 160, reasoning: 4, cache: { read: 5900, write: 0 } },
  pi: { input: 900, output: 160, reasoning: 0, cache: { read: 5900, write: 300 } },
};

test("there are runs of each program", () => {
  for (const program of PROGRAMS) {
    for (const run of ["ordinary", "failing", "interrupted"]) {
      assert.ok(filesOf(`${program}.${run}`).length > 0, `${program}.${run}`);
    }
  }
});

describe("an ordinary run", () => {
  for (const program of PROGRAMS) {
    test(program, () => {
      const transcript = open(`${program}.ordinary`);
      const summary = transcript.summary();
      assert.equal(transcript.format, program);
      assert.equal(summary.asked.text, "Fix the greeting");
      assert.equal(summary.answered.text, "The greeting is an f-string now.");
      assert.deepEqual(
        { how: summary.ended.how, requests: summary.requests, failed: summary.failed },
        { how: "finished", requests: 1, failed: 0 },
      );
      assert.equal(summary.models.length, 1);
      assert.deepEqual(
        summary.files.map(({ path, added, removed }) => [basename(path), added, removed]),
        [["hello.py", 1, 1]],
      );
      assert.deepEqual(transcript.stats().tokens, ORDINARY[program]);
      assert.deepEqual(transcript.problems(), []);
    });
  }
});

describe("a failing run", () => {
  // The calls that failed, as the tool, the exit code, and what it said.
  const failures = {
    "claude-code": [
      ["Bash", 3, /^broken$/],
      ["Read", undefined, /^File does not exist/],
      ["Teleport", undefined, /No such tool available: Teleport/],
      ["Bash", 1, /No such file or directory/],
    ],
    codex: [
      ["exec_command", 3, /^broken$/],
      ["teleport", undefined, /^unsupported call: teleport$/],
    ],
    "copilot-cli": [
      ["bash", 3, /^half$/],
      ["view", undefined, /^Path does not exist/],
      ["teleport", undefined, /'teleport' does not exist/],
    ],
    "gemini-cli": [
      ["run_shell_command", 3, /./],
      ["read_file", undefined, /^File not found/],
      ["teleport", undefined, /"teleport" not found/],
    ],
    pi: [
      ["bash", 3, /exited with code 3/],
      ["read", undefined, /no such file or directory/],
      ["teleport", undefined, /Tool teleport not found/],
    ],
  };
  for (const program of PROGRAMS) {
    test(program, () => {
      const { failed, failureGroups, errors, ended } = open(`${program}.failing`).summary();
      assert.equal(failed, failures[program].length);
      for (const [i, [tool, exit, said]] of failures[program].entries()) {
        const group = failureGroups[i];
        assert.deepEqual([group.tool, group.exit, group.count], [tool, exit, 1]);
        assert.match(group.said, said);
      }
      // Gemini CLI does not write that the provider refused the last request.
      if (program === "gemini-cli") {
        assert.deepEqual([ended.how, errors], ["cut", []]);
        return;
      }
      assert.equal(ended.how, "failed");
      assert.match(ended.reason, /this request is not understood/);
      assert.equal(errors.length, 1);
      assert.match(errors[0].said, /this request is not understood/);
    });
  }
});

describe("an interrupted run", () => {
  // What a program writes when it is ended from outside: some of them nothing.
  const ends = {
    ...{ "claude-code": "aborted", codex: "aborted", "copilot-cli": "cut" },
    ...{ "gemini-cli": "finished", pi: "cut" },
  };
  for (const program of PROGRAMS) {
    test(program, () => {
      const summary = open(`${program}.interrupted`).summary();
      assert.deepEqual(
        [summary.asked.text, summary.answered.text, summary.ended.how],
        ["Wait for it", "This takes long.", ends[program]],
      );
    });
  }
});

describe("a run with a sub-agent", () => {
  for (const program of ["claude-code", "codex", "copilot-cli", "gemini-cli"]) {
    test(program, () => {
      const transcript = open(`${program}.sub-agent`);
      const { asked, answered, failed } = transcript.summary();
      assert.deepEqual(
        [asked.text, answered.text, failed],
        ["Delegate the list", "There are two files.", 0],
      );
      // Copilot CLI has it in the same file, the others in one of its own.
      const files = filesOf(`${program}.sub-agent`);
      const isOwnFile = files.length === 2;
      assert.equal(isOwnFile, program !== "copilot-cli");
      const agent = isOwnFile
        ? openFile(files.find((path) => openFile(path).summary().asked.text !== asked.text))
        : transcript;
      const session = isOwnFile ? undefined : transcript.sessions.at(-1).id;
      const summary = agent.summary({ session });
      assert.match(summary.asked.text, /^Which files are/);
      assert.equal(summary.failed, 0);
    });
  }
});

describe("a forked run", () => {
  for (const program of ["claude-code", "codex", "pi"]) {
    test(program, () => {
      const runs = filesOf(`${program}.forked`).map(openFile);
      const answers = runs.map((run) => run.summary().answered.text).sort();
      assert.deepEqual(answers, ["Green, then.", "Red, then."]);
      assert.ok(runs.every((run) => run.summary().ended.how === "finished"));
      if (program !== "codex") return;
      // A fork of Codex holds what was said after it, and names what it was forked from.
      const fork = runs.find((run) => run.session.forkOf);
      const parent = runs.find((run) => run !== fork);
      assert.equal(fork.session.forkOf, parent.session.id);
      assert.equal(fork.summary().requests, 1);
    });
  }
});

test("each file is read without an error", () => {
  for (const path of FILES) {
    const errors = openFile(path)
      .problems()
      .filter(({ severity }) => severity === "error");
    assert.deepEqual(errors, [], `${basename(dirname(path))}/${basename(path)}`);
  }
});
