// Commands act on every session of a file, or on the one that is named; a file without a message is no success.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { file, folder, run } from "./command.mjs";

const KEY = "AKIAQ3EGRZ7XW5TPLM2K";

let lines = 0;
/** A line of Claude Code. */
const line = (uuid, parentUuid, type, message, more = {}) => ({
  ...{
    parentUuid,
    isSidechain: false,
    sessionId: "S",
    version: "2.1.200",
    cwd: "/w",
    type,
    message,
    uuid,
  },
  timestamp: new Date(1_785_578_400_000 + 1000 * ++lines).toISOString(),
  ...more,
});
const user = (uuid, parent, content, more) =>
  line(uuid, parent, "user", { role: "user", content }, more);
const answer = (uuid, parent, block, more) => {
  const message = { id: `msg_${uuid}`, role: "assistant", model: "m", content: [block] };
  const usage = { input_tokens: 3, output_tokens: 5 };
  return line(uuid, parent, "assistant", { ...message, stop_reason: "end_turn", usage }, more);
};
const text = (said) => ({ type: "text", text: said });
const call = (id, name, input) => ({ type: "tool_use", id, name, input });
const result = (id, content, isError = false) => [
  { type: "tool_result", tool_use_id: id, content, is_error: isError },
];
const jsonl = (all) => `${all.map((one) => JSON.stringify(one)).join("\n")}\n`;

const AGENT = { isSidechain: true, agentId: "ag77" };
const TASK = { description: "look", subagent_type: "Explore", prompt: "Find it" };
const SUB = [
  user("s1", null, "Find it", AGENT),
  answer("s2", "s1", call("t2", "Bash", { command: "cat key" }), AGENT),
  user("s3", "s2", result("t2", `AWS_ACCESS_KEY_ID=${KEY}`, true), AGENT),
  answer("s4", "s3", text("Found in the agent"), AGENT),
];
const MAIN = [
  user("u1", null, "Go"),
  answer("a1", "u1", text("Which way?")),
  user("u2", "a1", "Left"),
  answer("a2", "u2", text("Gone left")),
  user("u3", "a1", "Right"),
  answer("a3", "u3", call("t1", "Task", TASK)),
  user("r1", "a3", result("t1", "found"), { toolUseResult: { agentId: "ag77" } }),
  answer("a4", "r1", text("Gone right")),
];
const path = file("several.jsonl", jsonl([...MAIN, ...SUB]));
const IDS = ["S", "S/branch-1", "ag77"];

describe("all sessions of a file", () => {
  test("convert writes session after session, or one", () => {
    const made = JSON.parse(run(["convert", path, "--to", "with-parts"]).stdout);
    const ids = made.map(({ info }) => info.sessionID);
    assert.deepEqual([...new Set(ids)], IDS);
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => IDS.indexOf(a) - IDS.indexOf(b)),
    );
    const one = run(["convert", path, "--to", "with-parts", "--session", "ag77"]);
    // The first message of each copy has a note of it.
    const [first, ...others] = JSON.parse(one.stdout);
    const { apexTranscript, ...info } = first.info;
    assert.deepEqual(
      apexTranscript.sessions.map(({ id }) => id),
      ["ag77"],
    );
    assert.deepEqual(
      [{ ...first, info }, ...others],
      made.filter(({ info }) => info.sessionID === "ag77"),
    );
    for (const to of ["messages", "ui-messages"]) {
      const { stdout } = run(["convert", path, "--to", to]);
      for (const said of ["Gone left", "Gone right", "Found in the agent"]) {
        assert.ok(stdout.includes(said), `${to}: ${said}`);
      }
    }
  });

  test("a document has a heading for each session", () => {
    const { stdout } = run(["convert", path, "--to", "markdown"]);
    const headings = stdout.split("\n").filter((one) => one.startsWith("# Session "));
    assert.deepEqual(headings, ["# Session S", "# Session S/branch-1", "# Session ag77: look"]);
    assert.match(stdout, /^- 10 messages$/m);
    assert.match(stdout, /# Session S\/branch-1\n\n- branch of S\n/);
    assert.match(stdout, /# Session ag77: look\n\n- sub-agent of S\n/);
    const html = run(["convert", path, "--to", "html"]).stdout;
    assert.match(html, /<h1>Session ag77: look · sub-agent of S<\/h1>/);
    const alone = run(["convert", path, "--to", "markdown", "--session", "ag77"]).stdout;
    assert.ok(!alone.includes("# Session "));
  });

  test("what writes one session names the others", () => {
    for (const args of [
      ["convert", path, "--to", "opencode"],
      ["compact", path, "--context", "200000"],
    ]) {
      const { stderr } = run(args);
      assert.match(stderr, /2 other sessions are not in it: S\/branch-1, ag77 \(--session ID\)\n/);
    }
  });

  test("search finds what is in any of them, and says where", () => {
    const { stdout, status } = run(["search", path, "Gone"]);
    assert.equal(status, 0);
    const places = stdout
      .trim()
      .split("\n")
      .map((one) => one.replace(/ .text: .*/u, ""));
    assert.deepEqual(places, ["4:1", "S/branch-1 1:1"]);
    const hits = JSON.parse(run(["search", path, "Found in", "--json"]).stdout);
    assert.deepEqual(
      hits.map(({ session, message }) => [session, message]),
      [["ag77", 2]],
    );
    assert.equal(run(["search", path, "Gone", "--limit", "1"]).stdout.trim().split("\n").length, 1);
    assert.equal(run(["search", path, "Gone", "--session", "ag77"]).status, 1);
  });

  test("redact masks what is in any of them", () => {
    const { stdout } = run(["redact", path]);
    assert.ok(!stdout.includes(KEY) && stdout.includes("Found in the agent"));
    const found = JSON.parse(run(["redact", path, "--list", "--json"]).stdout);
    assert.deepEqual(
      found.map(({ kind, count }) => [kind, count]),
      [["aws-key", 1]],
    );
  });

  test("inspect has the figures of the file, and of each session", () => {
    const { stats, summary, sessions, messageCount } = JSON.parse(
      run(["inspect", path, "--json"]).stdout,
    );
    assert.deepEqual([messageCount, stats.tokens.output, summary.failed], [10, 30, 1]);
    const rows = sessions.map(({ id, parentID, kind, messages, failed, tokens }) => {
      return [id, parentID, kind, messages, failed, tokens.output];
    });
    assert.deepEqual(rows, [
      ["S", undefined, "main", 5, 0, 15],
      ["S/branch-1", "S", "branch", 2, 0, 5],
      ["ag77", "S", "task", 3, 1, 10],
    ]);
    const { stdout } = run(["inspect", path]);
    assert.match(
      stdout,
      /\n {2}ag77 \(sub-agent of S\): 3 messages, 1 failed, 16 tokens\n {4}look\n/,
    );
    const one = JSON.parse(run(["inspect", path, "--json", "--session", "ag77"]).stdout);
    assert.deepEqual([one.messageCount, one.summary.asked.text], [3, "Find it"]);
  });

  test("loops and validate too; a session that is not there is an error", () => {
    assert.match(run(["loops", path]).stdout, / in 10 messages\n$/);
    assert.match(run(["loops", path, "--session", "ag77"]).stdout, / in 3 messages\n$/);
    assert.match(run(["validate", path]).stdout, / in 10 messages\n$/);
    assert.match(run(["validate", path, "--session", "S/branch-1"]).stdout, / in 2 messages\n$/);
    for (const args of [
      ["search", path, "x"],
      ["inspect", path],
      ["loops", path],
      ["validate", path],
    ]) {
      const { status, stderr } = run([...args, "--session", "none"]);
      assert.equal(status, 1, args[0]);
      assert.match(stderr, /no session none; the sessions are S, S\/branch-1, ag77/);
    }
  });

  test("the problems of a session are its own", () => {
    const empty = (id, parent, more) => [
      answer(`e${id}`, parent, call(`c${id}`, "Bash", {}), more),
      user(`f${id}`, `e${id}`, result(`c${id}`, ""), more),
    ];
    const input = file(
      "problems.jsonl",
      jsonl([...MAIN, ...empty(1, "a4"), ...SUB, ...empty(2, "s4", AGENT)]),
    );
    const count = (...more) =>
      JSON.parse(run(["validate", input, "--json", ...more]).stdout).problems;
    assert.deepEqual(
      count().map(({ rule, severity }) => [rule, severity]),
      [
        ["BR-09", "warning"],
        ["BR-09", "warning"],
      ],
    );
    assert.equal(count("--session", "S").length, 1);
    assert.match(count("--session", "ag77")[0].path, /^\/sessions\/ag77\//);
    assert.equal(count("--session", "S/branch-1").length, 0);
  });
});

describe("sub-agents in files of their own", () => {
  const write = (name, content) => {
    const to = join(folder, name);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, content);
    return to;
  };
  const main = write("runs/S.jsonl", jsonl(MAIN));
  write("runs/S/subagents/agent-ag77.jsonl", jsonl(SUB));
  write("runs/S/subagents/agent-ag77.meta.json", JSON.stringify({ agentType: "Explore" }));

  test("a command on the one file says that they lie beside it", () => {
    const said = "1 sub-agent file lies beside it (S/subagents): give the folder for all\n";
    for (const args of [
      ["inspect", main],
      ["search", main, "Gone"],
      ["convert", main, "--to", "messages"],
    ]) {
      assert.ok(run(args).stderr.endsWith(said), args[0]);
    }
    assert.equal(run(["inspect", path]).stderr, "");
  });

  test("the list of a folder has them in the run that started them", () => {
    const { stdout, stderr } = run(["inspect", join(folder, "runs"), "--json"]);
    assert.equal(stderr, "");
    const { runs, others } = JSON.parse(stdout);
    assert.deepEqual([runs.length, others], [1, []]);
    const [{ file: name, messages, failed, tokens, sessions }] = runs;
    assert.deepEqual([name, messages, failed, tokens.output], ["S.jsonl", 10, 1, 30]);
    const child = sessions.at(-1);
    assert.deepEqual(
      [child.id, child.parentID, child.kind, child.agent, child.file],
      ["ag77", "S", "task", "Explore", join("S", "subagents", "agent-ag77.jsonl")],
    );
    assert.match(run(["inspect", join(folder, "runs")]).stdout, /\n {6}ag77 \(sub-agent of S\): /);
  });
});

describe("a file without a message", () => {
  const commands = (input) => [
    ...[
      ["inspect", input],
      ["validate", input],
      ["search", input, "x"],
      ["redact", input],
    ],
    ...[
      ["convert", input, "--to", "messages"],
      ["loops", input],
      ["compact", input, "--context", "1000", "--plan"],
    ],
  ];
  const files = {
    "trace.json": { resourceSpans: [{ resource: {} }] },
    "none.json": [],
    "export.json": { info: { id: "ses_1", title: "t" }, messages: [] },
    "log.jsonl": '{"type":"error","message":"disk full"}\n{"type":"start","ms":1}\n',
    "summaries.jsonl": '{"type":"summary","summary":"Old","leafUuid":"x"}\n',
  };
  test("a session without messages says so", () => {
    for (const name of ["none.json", "export.json", "summaries.jsonl"]) {
      const input = file(name, files[name]);
      for (const args of commands(input)) {
        const said = `${input}: the session holds no messages (no-messages)\n`;
        assert.equal(run(args).stderr, said, args[0]);
      }
      const { status, stdout, stderr } = run(["validate", input, "--json"]);
      assert.equal(status, 1);
      assert.ok(stderr.endsWith("(no-messages)\n"), stderr);
      const { valid, problems } = JSON.parse(stdout);
      assert.equal(valid, false);
      assert.deepEqual(
        problems.map(({ rule, severity }) => [rule, severity]),
        [["no-messages", "error"]],
      );
    }
  });
  for (const [name, content] of Object.entries(files)) {
    test(`${name} is no success of any command`, () => {
      const input = file(name, content);
      for (const args of commands(input)) {
        const { status, stdout, stderr } = run(args);
        assert.deepEqual([status, stdout], [1, ""], args[0]);
        assert.ok(stderr.startsWith(`${input}: `), stderr);
      }
    });
  }

  test("what it looks like is said, and in JSON", () => {
    const input = file("trace.json", { resourceSpans: [{ resource: {} }] });
    assert.match(
      run(["inspect", input]).stderr,
      /This looks like an OpenTelemetry trace, which is not read/,
    );
    for (const name of ["inspect", "validate"]) {
      const { status, stdout } = run([name, input, "--json"]);
      assert.equal(status, 1);
      assert.equal(JSON.parse(stdout).looksLike, "an OpenTelemetry trace");
    }
  });
});
