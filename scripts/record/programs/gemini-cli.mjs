// Gemini CLI: `gemini -p`, its sessions in `~/.gemini/tmp`.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const call = (name, input) => ({ name, input });
const shell = (command, description) => call("run_shell_command", { command, description });

export const geminiCli = {
  command: "gemini",
  packages: { "@google/gemini-cli": "0.61.0" },
  setUp({ home, model }) {
    mkdirSync(join(home, ".gemini"));
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" } },
      ...{ privacy: { usageStatisticsEnabled: false }, general: { disableAutoUpdate: true } },
    };
    writeFileSync(join(home, ".gemini", "settings.json"), JSON.stringify(settings));
    return { GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: model.origin };
  },
  args(prompt, { session } = {}) {
    const to = session ? ["--resume", session] : [];
    return ["-p", prompt, "-m", "gemini-2.5-pro", "--yolo", "--skip-trust", ...to];
  },
  folder: (home) => join(home, ".gemini", "tmp"),
  isKept: (path) => /(^|\/)chats\/.*\.jsonl?$/.test(path),
  isTalk: ({ $set }) => !$set,
  idOf: (_path, text) => JSON.parse(text.split("\n")[0]).sessionId,
  sessions: {
    ordinary: {
      answers: (cwd) => [
        {
          ...{ reasoning: "Look first.", text: ["I look at ", "the greeting."] },
          calls: [
            shell("ls", "List files"),
            call("read_file", { file_path: join(cwd, "hello.py") }),
          ],
          ...{ input: 2100, output: 60, cached: 1800 },
        },
        {
          calls: [
            call("replace", {
              ...{ file_path: join(cwd, "hello.py"), instruction: "Use an f-string" },
              old_string: '    return "Hello " + name',
              new_string: '    return f"Hello, {name}! 你好 😀"',
            }),
          ],
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
            shell("echo half; echo broken >&2; exit 3", "Fail"),
            call("read_file", { file_path: join(cwd, "missing.py") }),
            call("teleport", { to: "the moon" }),
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
              call("invoke_agent", {
                ...{ agent_name: "generalist", prompt: "Which files are in the folder?" },
              }),
            ],
            ...{ input: 2000, output: 40 },
          },
          { text: "There are two files.", input: 2200, output: 12 },
        ],
        "Which files are in the folder?": [
          { text: "I list them.", calls: [shell("ls", "List")], input: 900, output: 25 },
          {
            calls: [call("complete_task", { result: { response: "README.md and hello.py." } })],
            ...{ input: 950, output: 11 },
          },
        ],
      },
      play: ({ ask }) => ask("Delegate the list"),
    },
    interrupted: {
      answers: [
        {
          text: "This takes long.",
          calls: [shell("touch begun; sleep 30", "Wait")],
          ...{ input: 2000, output: 40 },
        },
      ],
      play: ({ interrupt }) => interrupt("Wait for it", "begun"),
    },
  },
};
