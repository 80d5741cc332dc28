// pi: `pi -p`, its sessions in `~/.pi/agent/sessions`. It has no sub-agents.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const call = (id, name, input) => ({ id: `toolu_${id}`, name, input });
const bash = (id, command) => call(id, "bash", { command });

const MODEL = {
  ...{ id: "claude-sonnet-5", name: "Sonnet", reasoning: true, input: ["text"] },
  ...{ cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } },
  ...{ contextWindow: 200_000, maxTokens: 8_000 },
};

export const pi = {
  command: "pi",
  packages: { "@earendil-works/pi-coding-agent": "1.6.0" },
  setUp({ home, model }) {
    const folder = join(home, ".pi", "agent");
    mkdirSync(folder, { recursive: true });
    const script = { baseUrl: model.origin, api: "anthropic-messages", apiKey: "none" };
    const providers = { script: { ...script, models: [MODEL] } };
    writeFileSync(join(folder, "models.json"), JSON.stringify({ providers }));
    return {};
  },
  args(prompt, { session, forks } = {}) {
    const to = session ? [forks ? "--fork" : "--session", session] : [];
    return ["-p", "--offline", "--provider", "script", "--model", MODEL.id, ...to, prompt];
  },
  folder: (home) => join(home, ".pi", "agent", "sessions"),
  isKept: (path) => path.endsWith(".jsonl"),
  isTalk: ({ type, message }) => type === "message" && message.role !== "system",
  idOf: (_path, text) => JSON.parse(text.split("\n")[0]).id,
  sessions: {
    ordinary: {
      answers: (cwd) => [
        {
          ...{ reasoning: ["Look ", "first."], text: ["I look at ", "the greeting."] },
          calls: [bash("ls", "ls"), call("read", "read", { path: join(cwd, "hello.py") })],
          ...{ input: 2100, output: 60, cached: 1800, written: 200 },
        },
        {
          calls: [
            call("edit", "edit", {
              path: join(cwd, "hello.py"),
              edits: [
                {
                  oldText: 'return "Hello " + name',
                  newText: 'return f"Hello, {name}! 你好 😀"',
                },
              ],
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
            bash("exit", "echo half; echo broken >&2; exit 3"),
            call("missing", "read", { path: join(cwd, "missing.py") }),
            call("unknown", "teleport", { to: "the moon" }),
          ],
          ...{ input: 2000, output: 50 },
        },
        { status: 400, message: "this request is not understood" },
      ],
      play: ({ ask }) => ask("Read missing.py"),
    },
    interrupted: {
      answers: [
        {
          text: "This takes long.",
          calls: [bash("slow", "touch begun; sleep 30")],
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
