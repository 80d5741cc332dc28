// Claude Code: `claude -p`, its sessions in `~/.claude/projects`.

import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";

const call = (id, name, input) => ({ id: `toolu_${id}`, name, input });
const bash = (id, command, description) => call(id, "Bash", { command, description });

export const claudeCode = {
  command: "claude",
  packages: { "@anthropic-ai/claude-code": "2.1.332" },
  setUp({ home, model }) {
    mkdirSync(join(home, ".claude"));
    return {
      ...{ ANTHROPIC_BASE_URL: model.origin, ANTHROPIC_API_KEY: "none" },
      ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", DISABLE_TELEMETRY: "1" },
      // Who is root may otherwise not do without questions.
      IS_SANDBOX: "1",
    };
  },
  args(prompt, { session, forks } = {}) {
    const to = session ? ["--resume", session, ...(forks ? ["--fork-session"] : [])] : [];
    return ["-p", prompt, "--dangerously-skip-permissions", ...to];
  },
  folder: (home) => join(home, ".claude", "projects"),
  isKept: (path) => /\.(jsonl|meta\.json)$/.test(path),
  isTalk: ({ type, attachment }) => ["user", "assistant"].includes(type) && !attachment,
  idOf: (path) => basename(path, ".jsonl"),
  sessions: {
    ordinary: {
      answers: (cwd) => [
        {
          ...{ reasoning: ["Look ", "first."], text: ["I look at ", "the greeting."] },
          calls: [
            bash("ls", "ls", "List files"),
            call("read", "Read", { file_path: join(cwd, "hello.py") }),
          ],
          ...{ input: 2100, output: 60, cached: 1800, written: 200 },
        },
        {
          calls: [
            call("edit", "Edit", {
              file_path: join(cwd, "hello.py"),
              old_string: 'return "Hello " + name',
              new_string: 'return f"Hello, {name}! 你好 😀"',
            }),
          ],
          ...{ input: 2400, output: 80, cached: 2000, written: 100 },
        },
        { text: "The greeting is an f-string now.", input: 2600, output: 20, cached: 2100 },
      ],
      play: ({ ask }) => ask("Fix the greeting"),
    },
    failing: {
      fails: true,
      answers: (cwd) => [
        {
          text: "I try it.",
          calls: [
            bash("exit", "echo half; echo broken >&2; exit 3", "Fail"),
            call("missing", "Read", { file_path: join(cwd, "missing.py") }),
            call("unknown", "Teleport", { to: "the moon" }),
          ],
          ...{ input: 2000, output: 50 },
        },
        { calls: [bash("again", "cat missing.py", "Read it")], input: 2300, output: 30 },
        { status: 400, message: "this request is not understood" },
      ],
      play: ({ ask }) => ask("Read missing.py"),
    },
    "sub-agent": {
      answers: {
        "Delegate the list": [
          {
            text: "I delegate it.",
            calls: [
              call("agent", "Agent", {
                ...{ description: "List the files", prompt: "Which files are in the folder?" },
                ...{ subagent_type: "general-purpose", run_in_background: false },
              }),
            ],
            ...{ input: 2000, output: 40 },
          },
          { text: "There are two files.", input: 2200, output: 12 },
        ],
        "Which files are in the folder?": [
          { text: "I list them.", calls: [bash("sub", "ls", "List")], input: 900, output: 25 },
          { text: "README.md and hello.py.", input: 950, output: 11 },
        ],
      },
      play: ({ ask }) => ask("Delegate the list"),
    },
    interrupted: {
      answers: [
        {
          text: "This takes long.",
          calls: [bash("slow", "touch begun; sleep 30", "Wait")],
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
