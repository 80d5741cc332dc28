// Copilot CLI: `copilot -p`, its sessions in `~/.copilot/session-state`.
import { join } from "node:path";

const call = (id, name, input) => ({ id: `call_${id}`, name, input });
const bash = (id, command, description) => call(id, "bash", { command, description });

const PATCH = [
  "*** Begin Patch",
  "*** Update File: hello.py",
  "@@",
  '-    return "Hello " + name',
  '+    return f"Hello, {name}! 你好 😀"',
  "*** End Patch",
];

export const copilotCli = {
  command: "copilot",
  packages: { "@github/copilot": "1.0.102" },
  setUp: ({ model }) => ({
    ...{ COPILOT_PROVIDER_BASE_URL: model.url, COPILOT_PROVIDER_WIRE_API: "responses" },
    ...{ COPILOT_MODEL: "gpt-5.4", COPILOT_PROVIDER_API_KEY: "none", COPILOT_OFFLINE: "true" },
  }),
  args(prompt, { session } = {}) {
    const to = session ? ["--resume", session] : [];
    return ["-p", prompt, "--allow-all-tools", "--disable-client-telemetry", ...to];
  },
  folder: (home) => join(home, ".copilot", "session-state"),
  isKept: (path) => path.endsWith("events.jsonl"),
  isTalk: ({ type }) => /^(user|assistant|tool|subagent)\./.test(type),
  idOf: (_path, text) => JSON.parse(text.split("\n")[0]).data.sessionId,
  sessions: {
    ordinary: {
      answers: (cwd) => [
        {
          ...{ reasoning: "Look first.", text: ["I look at ", "the greeting."] },
          calls: [
            bash("ls", "ls", "List files"),
            call("view", "view", { path: join(cwd, "hello.py") }),
          ],
          ...{ input: 2100, output: 60, cached: 1800 },
        },
        {
          calls: [call("patch", "apply_patch", PATCH.join("\n"))],
          ...{ input: 2400, output: 80, cached: 2000 },
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
            call("missing", "view", { path: join(cwd, "missing.py") }),
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
            calls: [
              call("agent", "task", {
                ...{ description: "List the files", prompt: "Which files are in the folder?" },
                ...{ agent_type: "general-purpose", name: "lister", mode: "sync" },
              }),
            ],
            ...{ input: 2000, output: 40 },
          },
          { text: "There are two files.", input: 2200, output: 12 },
        ],
        "Which files are in the folder?": [
          {
            ...{ text: "I list them.", calls: [bash("sub", "ls", "List")] },
            ...{ input: 900, output: 25 },
          },
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
  },
};
