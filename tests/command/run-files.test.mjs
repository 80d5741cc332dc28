// The files of one run are one run: of a session and its sub-agents, and of a session after a part of it was taken back.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { describe, test } from "node:test";
import { runFiles, Transcript } from "../../pkg/node.mjs";
import { files } from "../../scripts/lib.mjs";
import { at, folder, run } from "./command.mjs";

const RUNS = at("tests/fixtures/recorded/runs");

/** The recorded files of a run, as `openFiles` takes them. */
const filesOf = (name) =>
  files(join(RUNS, name)).map((path) => ({
    path: relative(join(RUNS, name), path).split(sep).join("/"),
    bytes: readFileSync(path),
  }));

const listed = (path) => {
  const { status, stdout, stderr } = run(["inspect", path, "--json"]);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
};

describe("openFiles", () => {
  test("has the sub-agents of recorded runs as sessions", () => {
    for (const program of ["claude-code", "codex", "gemini-cli"]) {
      const given = filesOf(`${program}.sub-agent`);
      const [paths] = runFiles(given);
      assert.equal(paths.length, given.length, program);
      const whole = Transcript.openFiles(given);
      const alone = Transcript.open(given.find(({ path }) => path === paths[0]).bytes);
      assert.deepEqual(
        whole.sessions.map(({ kind, parentID }) => [kind, parentID]),
        [
          ["main", undefined],
          ["task", whole.sessions[0].id],
        ],
        program,
      );
      assert.match(whole.sessions[1].file, /\.jsonl$/);
      assert.equal(whole.summary().asked.text, alone.summary().asked.text);
      assert.ok(whole.stats().messages > alone.stats().messages);
      // Claude Code's total is that of the run: its sub-agent is in it.
      const sums = [whole, alone].map((transcript) => transcript.stats().tokens.output);
      if (program === "claude-code") assert.equal(sums[0], sums[1]);
      else assert.ok(sums[0] > sums[1], program);
      // In any order.
      const reversed = Transcript.openFiles([...given].reverse());
      assert.deepEqual(reversed.summary(), whole.summary());
      assert.deepEqual(reversed.stats(), whole.stats());
      for (const transcript of [whole, alone, reversed]) transcript.free();
    }
  });

  test("a sub-agent of Claude Code has the title and the type of its description", () => {
    const whole = Transcript.openFiles(filesOf("claude-code.sub-agent"));
    const { title, agent, file } = whole.sessions[1];
    assert.deepEqual([title, agent], ["List the files", "general-purpose"]);
    assert.match(file, /^[^/]+\/subagents\/agent-[^/]+\.jsonl$/);
    // The call that started Codex's names it.
    const codex = Transcript.openFiles(filesOf("codex.sub-agent"));
    const calls = codex
      .messages()
      .flatMap(({ parts }) => parts.filter(({ type }) => type === "tool"));
    const started = calls.find(({ tool }) => tool === "spawn_agent");
    assert.equal(started.state.metadata.sessionId, codex.sessions[1].id);
  });

  test("refuses the files of several runs, and what is no list of files", () => {
    const error = (call) => {
      try {
        call();
      } catch (thrown) {
        return [thrown.name, thrown.message];
      }
      return undefined;
    };
    const forked = filesOf("codex.forked");
    assert.match(
      error(() => Transcript.openFiles(forked))[1],
      /^these are the files of 2 runs, as /,
    );
    for (const odd of [
      undefined,
      {},
      [7],
      [{ path: "x" }],
      [{ path: 7, bytes: new Uint8Array() }],
    ]) {
      for (const call of [() => Transcript.openFiles(odd), () => runFiles(odd)]) {
        assert.deepEqual(error(call), [
          "TranscriptError",
          "expected an array of files {path: string, bytes: Uint8Array} (schema)",
        ]);
      }
    }
    assert.match(error(() => Transcript.openFiles([]))[1], /^there is no file of a session/);
    assert.match(
      error(() => Transcript.openFiles(forked, { format: "none" }))[1],
      /unknown format/,
    );
    assert.deepEqual(runFiles([]), []);
  });
});

describe("inspect of a folder", () => {
  test("each recorded run is one row, and a fork another", () => {
    const { runs, others } = listed(RUNS);
    assert.deepEqual(others, []);
    const count = new Map();
    for (const { file } of runs) {
      const [name] = file.split(sep);
      count.set(name, (count.get(name) ?? 0) + 1);
    }
    for (const [name, rows] of count) assert.equal(rows, name.endsWith(".forked") ? 2 : 1, name);
    assert.equal(
      count.size,
      new Set(files(RUNS).map((path) => relative(RUNS, path).split(sep)[0])).size,
    );
    const forks = runs.filter(({ forkOf }) => forkOf !== undefined);
    assert.equal(forks.length, 1);
    const parent = runs.find(({ sessions }) => sessions[0].id === forks[0].forkOf);
    assert.equal(parent.format, "codex");
    assert.match(run(["inspect", RUNS]).stdout, new RegExp(`\n    fork of ${forks[0].forkOf}\n`));
  });

  test("the row of a run has the figures of its sub-agents, and the session's line its own", () => {
    const [row] = listed(join(RUNS, "codex.sub-agent")).runs;
    assert.deepEqual([row.tokens.input, row.tokens.output], [6300 + 1850, 67 + 36]);
    assert.deepEqual(
      row.sessions.map(({ kind, tokens }) => [kind, tokens.input]),
      [
        ["main", 6300],
        ["task", 1850],
      ],
    );
    // The total that Claude Code counted itself holds the sub-agent.
    const [claude] = listed(join(RUNS, "claude-code.sub-agent")).runs;
    assert.deepEqual([claude.tokens.input, claude.tokens.output], [6050, 88]);
    assert.deepEqual(
      claude.sessions.map(({ tokens }) => tokens.input),
      [6050 - 1850, 1850],
    );
  });

  test("a sub-agent whose session is not there is a run", () => {
    const here = join(folder, "alone");
    mkdirSync(here);
    const [, agent] = runFiles(filesOf("codex.sub-agent"))[0];
    cpSync(join(RUNS, "codex.sub-agent", agent), join(here, agent));
    assert.equal(listed(here).runs[0].title, "Which files are here?");
    const { stderr } = run(["inspect", join(here, agent)]);
    assert.match(stderr, /^this is a sub-agent's file: .* give the folder for all\n$/);
  });

  test("where the file of the session cannot be read, those of its sub-agents are", () => {
    const here = join(folder, "unread");
    const [main, agent] = runFiles(filesOf("codex.sub-agent"))[0];
    mkdirSync(here);
    cpSync(join(RUNS, "codex.sub-agent", agent), join(here, agent));
    const [head] = readFileSync(join(RUNS, "codex.sub-agent", main), "utf8").split("\n");
    writeFileSync(join(here, main), `${head}\n`);
    const { runs, others } = listed(here);
    assert.deepEqual(
      [runs.map(({ file }) => file), others.map(({ file }) => file)],
      [[agent], [main]],
    );
  });

  test("what was taken back in a session of Codex is a branch of it", () => {
    const here = join(folder, "reverted");
    mkdirSync(here);
    const line = (second, ordinal, type, payload) =>
      JSON.stringify({ timestamp: `2026-01-01T00:00:${second}.000Z`, ordinal, type, payload });
    const said = (second, ordinal, role, text) =>
      line(second, ordinal, "response_item", {
        ...{ type: "message", role },
        content: [{ type: role === "user" ? "input_text" : "output_text", text }],
      });
    const meta = (second, more) =>
      line(second, 0, "session_meta", {
        ...{ id: "a", timestamp: `2026-01-01T00:00:${second}.000Z`, cwd: "/w" },
        ...{ cli_version: "0.171.0", ...more },
      });
    const base = { thread_id: "a", end_ordinal_exclusive: 3 };
    const first = [
      meta("10"),
      ...[said("11", 1, "user", "One"), said("12", 2, "assistant", "First.")],
      ...[said("13", 3, "user", "Two"), said("14", 4, "assistant", "Wrong.")],
    ];
    const later = [
      meta("20", { history_mode: "paginated", history_base: base }),
      ...[said("21", 3, "user", "Three"), said("22", 4, "assistant", "Third.")],
    ];
    writeFileSync(join(here, "rollout-1-a.jsonl"), first.join("\n"));
    writeFileSync(join(here, "rollout-2-a_b.jsonl"), later.join("\n"));
    const { runs } = listed(here);
    assert.deepEqual(
      runs.map(({ messages, sessions }) => [messages, sessions.map(({ id, kind }) => [id, kind])]),
      [
        [
          6,
          [
            ["a", "main"],
            ["a/branch-1", "branch"],
          ],
        ],
      ],
    );
    const { stdout } = run(["validate", join(here, "rollout-2-a_b.jsonl")]);
    assert.match(stdout, /this file begins after ordinal 3 of a: open the folder/);
  });
});
