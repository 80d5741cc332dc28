// Codex: `codex exec`, its sessions in `~/.codex/sessions`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const call = (id, name, input, more) => ({ id: `call_${id}`, name, input, ...more });
const run = (id, cmd) => call(id, "exec_command", { cmd });
const AGENTS = { namespace: "multi_agent_v1" };

/** The id that the last output of `spawn_agent` has. */
const spawned = (request) =>
  JSON.stringify(request.input).match(/agent_id[\\": ]+([0-9a-f-]{36})/)[1];

const PATCH = [
  "*** Begin Patch",
  "*** Update File: hello.py",
  "@@",
  '-    return "Hello " + name',
  '+    return f"Hello, {name}! 你好 😀"',
  "*** End Patch",
];

export const codex = {
  command: "codex",
  packages: { "@openai/codex": "0.171.0" },
  setUp({ home, model }) {
    mkdirSync(join(home, ".codex"));
    const lines = [
      ...[
        'model = "gpt-5.1-codex"',
        'model_provider = "script"',
        'model_reasoning_summary = "auto"',
      ],
      ...["[model_providers.script]", 'name = "script"', `base_url = "${model.url}"`],
      ...['wire_api = "responses"', "request_max_retries = 0", "stream_max_retries = 0", ""],
    ];
    writeFileSync(join(home, ".codex", "config.toml"), lines.join("\n"));
    return {};
  },
  args(prompt, { session, forks } = {}) {
    const to = session ? [forks ? "fork" : "resume", session] : [];
    const free = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
    return ["exec", ...free, ...to, prompt];
  },
  folder: (home) => join(home, ".codex", "sessions"),
  isKept: (path) => path.endsWith(".jsonl"),
  isTalk: ({ type, payload }) =>
    ["response_item", "event_msg"].includes(type) && payload.role !== "developer",
  idOf: (path) => /([0-9a-f-]{36})\.jsonl$/.exec(path)[1],
  sessions: {
    ordinary: {
      answers: [
        {
          ...{ reasoning: "Look first.", text: ["I look at ", "the greeting."] },
          ...{ calls: [run("ls", "ls"), run("cat", "cat hello.py")] },
          ...{ input: 2100, output: 60, cached: 1800 },
        },
        {
          calls: [run("patch", `apply_patch <<'EOF'\n${PATCH.join("\n")}\nEOF`)],
          ...{ input: 2400, output: 80, cached: 2000 },
        },
        { text: "The greeting is an f-string now.", input: 2600, output: 20, cached: 2100 },
      ],
      play: ({ ask }) => ask("Fix the greeting"),
    },
    failing: {
      fails: true,
      answers: [
        {
          text: "I try it.",
          calls: [
            run("exit", "echo half; echo broken >&2; exit 3"),
            call("unknown", "teleport", { to: "the moon" }),
          ],
          ...{ input: 2000, output: 50 },
        },
        { status: 400, message: "this request is not understood" },
      ],
      play: ({ ask }) => ask("Read missing.py"),
    },
    "sub-agent": {
      answers: {
        "Delegate the list": [
          {
            text: "I delegate it.",
            calls: [call("agent", "spawn_agent", { message: "Which files are here?" }, AGENTS)],
            ...{ input: 2000, output: 40 },
          },
          (request) => ({
            calls: [call("wait", "wait_agent", { targets: [spawned(request)] }, AGENTS)],
            ...{ input: 2100, output: 15 },
          }),
          { text: "There are two files.", input: 2200, output: 12 },
        ],
        "Which files are here?": [
          { text: "I list them.", calls: [run("sub", "ls")], input: 900, output: 25 },
          { text: "README.md and hello.py.", input: 950, output: 11 },
        ],
      },
      play: ({ ask }) => ask("Delegate the list"),
    },
    interrupted: {
      answers: [
        {
          text: "This takes long.",
          calls: [
            call("slow", "exec_command", { cmd: "touch begun; sleep 30", yield_time_ms: 30_000 }),
          ],
          ...{ input: 2000, output: 40 },
        },
      ],
      play: ({ interrupt }) => interrupt("Wait for it", "begun"),
    },
    forked: {
      answers: [
        { text: "Blue.", input: 2000, output: 3 },
        { text: "Green, then.", input: 2100, output: 5 },
        { text: "Red, then.", input: 2100, output: 5 },
      ],
      async play({ ask, id }) {
        await ask("Name a colour");
        const session = id();
        await ask("Another one", { session });
        await ask("A warm one", { session, forks: true });
      },
    },
  },
};
