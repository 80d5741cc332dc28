// The recorded sessions: what the model answers, and what the user does.

let calls = 0;
const call = (name, input) => ({ id: `call_${++calls}`, name, input });
const bash = (command, description) => call("bash", { command, description });
/** A text in pieces of a few words. */
const pieces = (text) => text.match(/\S+\s*\S*\s*/g) ?? [text];

const todo = (content, status, priority) => ({ content, status, priority });
/** Numbers, four or five characters a line. */
const numbers = (from) => bash(`seq ${from} ${from + 899}`, "Numbers");

const SUMMARY = "## Objective\n- read the numbers\n\n## Work State\n### Completed\n- some steps";

const greeting = [
  {
    reasoning: pieces("The user wants the greeting fixed. Let me look at the project first."),
    text: pieces("I'll look at the files."),
    calls: [bash("ls && git log --oneline", "Look around"), call("read", { filePath: "hello.py" })],
  },
  {
    reasoning: ["Now edit ", "with an f-string."],
    calls: [
      call("edit", {
        filePath: "hello.py",
        oldString: '    return "Hello " + name',
        newString: '    return f"Hello, {name}! 你好 😀"',
      }),
    ],
  },
  {
    calls: [
      call("todowrite", {
        todos: [
          todo("Fix the greeting", "completed", "high"),
          todo("Look at the result", "in_progress", "medium"),
          todo("Write notes", "pending", "low"),
        ],
      }),
    ],
  },
  { calls: [bash("cat hello.py", "Look at the result")] },
  { calls: [call("read", { filePath: "missing.py" })] },
  {
    calls: [
      call("write", { filePath: "notes.md", content: "# Notes\n\n- the greeting is fixed\n" }),
      bash("cat README.md", "Read the README"),
    ],
  },
  {
    reasoning: "Done.",
    text: pieces(
      'The greeting now uses an **f-string**:\n\n```python\nreturn f"Hello, {name}! 你好 😀"\n```\n\n| file | change |\n| --- | --- |\n| `hello.py` | the greeting |\n| `notes.md` | new |\n',
    ),
  },
];

/** Waits until a tool runs that has printed something. */
const running = (server) =>
  server.events.find(
    ({ type, properties: { part } }) =>
      type === "message.part.updated" &&
      part.state?.status === "running" &&
      part.state.metadata?.output,
  );

export const SESSIONS = {
  "fix-greeting": { answers: greeting, play: ({ ask }) => ask("Fix the greeting") },
  "doom-loop": {
    answers: [
      ...Array.from({ length: 6 }, (_, at) => ({
        ...(at === 0 ? { text: "Reading it." } : {}),
        calls: [bash("cat nope.txt", "Read nope.txt")],
      })),
      { text: "I could not find nope.txt." },
    ],
    play: ({ ask }) => ask("Find out what is in nope.txt"),
  },
  "many-steps": {
    answers: [
      ...Array.from({ length: 24 }, (_, item) => ({
        reasoning: ["Consider ", `item ${item}.`],
        text: ["Item ", `${item}:`],
        calls: [bash(`echo item-${item}; seq 1 ${20 + item}`, `Item ${item}`)],
      })),
      { text: "All items are done." },
    ],
    play: ({ ask }) => ask("Work through the list"),
  },
  "long-compaction": {
    limit: { context: 14_000, output: 4_000 },
    answers: [
      { text: "Step 1.", calls: [numbers(1000)] },
      { text: "Step 2.", calls: [numbers(2000)] },
      { text: "Step 3.", calls: [numbers(3000)] },
      { text: SUMMARY },
      { text: "Step 4.", calls: [numbers(4000)] },
      { text: "Step 5.", calls: [numbers(5000)] },
      { text: SUMMARY },
      { text: pieces("I have read all of the numbers.") },
    ],
    play: ({ ask }) => ask("Read a lot"),
  },
  "provider-errors": {
    answers: [
      { status: 500, message: "the model is overloaded" },
      { status: 500, message: "the model is overloaded" },
      { text: "Hi after two failures." },
      { status: 400, message: "this request is not understood" },
    ],
    play: async ({ ask }) => {
      await ask("Say hi");
      await ask("Say hi again");
    },
  },
  aborted: {
    answers: [
      {
        reasoning: "This takes long.",
        text: "Starting.",
        calls: [bash("echo begun; sleep 30; echo done", "Slow")],
      },
    ],
    play: async ({ server, id, ask }) => {
      const over = ask("Run something slow");
      await running(server);
      await server.abort(id);
      await over;
    },
  },
  subtask: {
    answers: [
      {
        text: "Delegating.",
        calls: [
          call("task", {
            description: "Look around",
            prompt: "List the files and report",
            subagent_type: "general",
          }),
        ],
      },
      { text: "Listing.", calls: [bash("ls", "List the files")] },
      { text: "There are README.md and hello.py." },
      { text: "The sub-agent found hello.py." },
    ],
    play: ({ ask }) => ask("Delegate it"),
  },
};
