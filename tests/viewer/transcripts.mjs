/** Transcripts made for the tests, in the form of `opencode export`. */
import { readFileSync } from "node:fs";

const SAMPLES = new URL("../../www/public/samples/", import.meta.url);
const START = 1_795_293_000_000;

export function sample(name) {
  return readFileSync(new URL(name, SAMPLES), "utf8");
}

export function samplePath(name) {
  return new URL(name, SAMPLES);
}

let ids = 0;
const id = (kind) => `${kind}_${String(++ids).padStart(8, "0")}`;

/** One message with these parts; `parts` need only what makes them different. */
export function message(role, parts, info = {}) {
  const messageID = id("msg");
  const base = { sessionID: "ses_test", messageID };
  const common = { id: messageID, sessionID: "ses_test", role, agent: "build" };
  const time = {
    created: START + ids,
    ...(role === "assistant" ? { completed: START + ids } : {}),
  };
  return {
    info:
      role === "user"
        ? { ...common, time, model: { providerID: "mock", modelID: "script" }, ...info }
        : {
            ...common,
            time,
            parentID: "msg_parent",
            providerID: "mock",
            modelID: "script",
            path: { cwd: "/", root: "/" },
            cost: 0,
            tokens: { input: 1, output: 1, reasoning: 0, cache: { read: 0, write: 0 } },
            finish: "stop",
            ...info,
          },
    parts: parts.map((part) => ({ id: id("prt"), ...base, ...part })),
  };
}

/** A picture of one pixel. */
export const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

export const text = (words) => ({ type: "text", text: words });

export function tool(name, input, state = {}) {
  return {
    type: "tool",
    tool: name,
    callID: id("call"),
    state: {
      status: "completed",
      input,
      output: "done",
      title: name,
      metadata: {},
      time: { start: START, end: START + 1500 },
      ...state,
    },
  };
}

export function session(title, messages) {
  const info = { id: "ses_test", title, version: "1", time: { created: START, updated: START } };
  return JSON.stringify({ info, messages });
}

/**
 * What OpenCode's server tells of a session (`ses_root`) that gives a task to another (`ses_task`), which
 * gives one to a third (`ses_deep`).
 */
export function taskEvents() {
  const sessions = [
    { id: "ses_root", title: "Count the files" },
    { id: "ses_task", title: "Look around", parentID: "ses_root" },
    { id: "ses_deep", title: "Look deeper", parentID: "ses_task" },
  ];
  const created = (info) => {
    const time = { created: START, updated: START };
    return { type: "session.created", properties: { info: { version: "1", time, ...info } } };
  };
  const given = (sessionId) =>
    tool("task", { prompt: "Look", subagent_type: "general" }, { metadata: { sessionId } });
  const said = {
    ses_root: [
      message("user", [text("How many files are there?")]),
      message("assistant", [text("I will ask."), given("ses_task")]),
      message("assistant", [text("There are three.")]),
    ],
    ses_task: [
      message("user", [text("List the files of the harbour")]),
      message("assistant", [
        tool("bash", { command: "ls" }, { status: "error", error: "no such harbour" }),
        given("ses_deep"),
        text("Two lighthouses and a boat."),
      ]),
    ],
    ses_deep: [message("user", [text("Look under the boat")])],
  };
  const told = sessions.flatMap((info) => [
    created(info),
    ...said[info.id].flatMap(({ info: head, parts }) => [
      { type: "message.updated", properties: { info: { ...head, sessionID: info.id } } },
      ...parts.map((part) => ({
        type: "message.part.updated",
        properties: { part: { ...part, sessionID: info.id } },
      })),
    ]),
  ]);
  return told.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
}

/** Many turns of a question and an answer. */
/**
 * A session that was compacted twice, the first time with two messages that stayed verbatim, and has two
 * outputs that were cleared; a third compaction came to nothing. Cut after `count` messages.
 */
export function compactedSession(count = 15) {
  const messages = [];
  /** A message every ten seconds; its parts are made of when it was. */
  const say = (role, parts, info = {}) => {
    const created = START + messages.length * 10_000;
    const time = role === "user" ? { created } : { created, completed: created + 5000 };
    messages.push(message(role, parts(created), { time, ...info }));
    return messages.at(-1).info.id;
  };
  const step = (input) => ({
    type: "step-finish",
    reason: "stop",
    cost: 0.01,
    tokens: { input, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
  });
  const user = (words) => say("user", () => [text(words)]);
  const begin = { type: "step-start" };
  const answer = (words, input) => say("assistant", () => [begin, text(words), step(input)]);
  const call = (command, output, input, compacted) =>
    say("assistant", (created) => {
      const time = { start: created + 1000, end: created + 2000 };
      const state = { output, time: compacted ? { ...time, compacted } : time };
      return [begin, tool("bash", { command }, state), step(input)];
    });
  const asked = (part) => say("user", () => [{ type: "compaction", ...part }]);
  const summary = (parentID, words, input) =>
    say("assistant", () => [begin, text(words), step(input)], {
      ...{ parentID, summary: true, mode: "compaction", agent: "compaction" },
    });
  user("Where is the leak?");
  call("find leak", "a drip below", 9000, START + 60_000);
  user("How much is it?");
  call("weigh", "two buckets", 16_000, START + 60_000);
  const kept = user("Do not touch the pump.");
  answer("I will not.", 17_000);
  const first = asked({ auto: true, overflow: true, tail_start_id: kept });
  summary(first, "## Goal\nFind the leak.", 1200);
  user("Go on.");
  call("seal", "dry", 5000);
  const second = asked({ auto: false });
  summary(second, "## Goal\nIt is sealed.", 700);
  user("What now?");
  answer("Nothing.", 900);
  asked({ auto: true });
  return session("Compacted", messages.slice(0, count));
}

export function longSession(turns) {
  const messages = [];
  for (let turn = 0; turn < turns; turn++) {
    messages.push(message("user", [text(`Question ${turn}`)]));
    messages.push(
      message("assistant", [text(`Answer ${turn}\n\n${"More words. ".repeat(turn % 7)}`)]),
    );
  }
  return session("A long one", messages);
}

/** A session in which the validator finds four things. */
export function faultySession() {
  const unnamed = { ...text("This part has no id."), id: "" };
  return session("Faults", [
    message("user", [text("Look for faults")]),
    message(
      "assistant",
      Array.from({ length: 60 }, (_, i) => text(`Paragraph ${i}`)),
    ),
    message("assistant", [
      unnamed,
      tool("bash", { command: "date" }, { time: { start: START + 10, end: START } }),
      tool(
        "bash",
        { command: "false" },
        { status: "error", error: "It failed.", output: undefined },
      ),
    ]),
  ]);
}

/**
 * A session with two loops: one call made four times in a row, to be interrupted at the third
 * (messages 2 to 5), and six searches with the very same answer (messages 7 to 12), worth a warning.
 */
export function loopingSession() {
  const again = () => tool("bash", { command: "cat nope.txt" }, { output: "cat: no such file" });
  const output = "0 of 4,096 files match; 12 folders could not be searched, for lack of rights.";
  const words = ["apple", "river", "copper", "window", "violin", "summit"];
  return session("Loops", [
    message("user", [text("Look into nope.txt")]),
    message("assistant", [text("I will look."), tool("bash", { command: "ls" }, { output: "a" })]),
    ...Array.from({ length: 4 }, () => message("assistant", [again()])),
    message("user", [text("Then search for it")]),
    ...words.map((word) =>
      message("assistant", [tool("search", { [`${word}s`]: word }, { output })]),
    ),
    message("assistant", [text("It is not there.")]),
  ]);
}

/** Every kind of tool card, and the states that a call can be in. */
export function toolSession() {
  const code = "export function greet(name: string): string {\n  return greeting + name;\n}\n";
  const diff =
    "@@ -1,3 +1,3 @@\n function greet(name) {\n-  return 'Hello';\n+  return greeting + name;\n }";
  const patch = `*** Begin Patch\n*** Update File: src/greet.ts\n${diff}\n*** End Patch`;
  const colours =
    "\u001b[32m✓\u001b[0m greets\n\u001b[31m✗\u001b[0m says \u001b[1mgoodbye\u001b[0m";
  const running = { status: "running", output: undefined, time: { start: START } };
  const raw = '{"pattern": "gree';
  const todos = ["completed", "in_progress", "pending", "cancelled"].map((status, i) => ({
    content: ["Read the code", "Mend the greeting", "Run the tests", "Write a poem"][i],
    status,
    priority: i === 1 ? "high" : "low",
  }));
  const lines = Array.from({ length: 120 }, (_, i) => `test ${i + 1} passed`).join("\n");
  return session("Every kind of tool", [
    message("user", [text("Use every tool once")]),
    message("assistant", [
      { type: "reasoning", text: "One after the other, then.", time: { start: START, end: START } },
      tool(
        "bash",
        { command: "npm test", description: "Run the tests" },
        { output: colours, metadata: { exit: 1 } },
      ),
      tool("bash", { command: "npm run all" }, { output: lines, metadata: { exit: 0 } }),
      tool("read", { filePath: "/home/dev/src/greet.ts" }, { output: code }),
      tool("write", { filePath: "/home/dev/src/greet.ts", content: code }, { output: "Written." }),
      tool(
        "edit",
        { filePath: "/home/dev/src/greet.ts" },
        { output: "Edited.", metadata: { diff } },
      ),
      tool("apply_patch", { patchText: patch }, { output: "Done." }),
      tool("todowrite", { todos }, { title: "4 todos" }),
      tool(
        "lookup",
        { query: "greeting", where: ["src", "tests"] },
        { output: '{"found": [{"file": "src/greet.ts", "line": 2}], "more": false}' },
      ),
    ]),
    message("assistant", [
      tool(
        "fetch",
        { url: "https://example.com" },
        { status: "error", error: "The address could not be reached.", output: undefined },
      ),
      tool("grep", {}, { status: "pending", raw, output: undefined, time: undefined }),
      tool("bash", { command: "sleep 60" }, running),
      { type: "file", mime: "image/png", filename: "dot.png", url: PIXEL },
      {
        type: "subtask",
        agent: "explore",
        description: "Look for greetings",
        prompt: "Find **every** greeting.",
      },
      { type: "from-the-future", anything: { goes: 1 } },
    ]),
  ]);
}

/** Calls whose metadata says more of them, as the built-in tools and their registry write it. */
export function notedCalls() {
  const before = "def greet(name):\n    return 'Hello'";
  const after = "def greet(name):\n    return greeting + name";
  const permission = { id: "per_1", permission: "edit", patterns: ["src/greet.py"] };
  const running = { status: "running", output: undefined, time: { start: START } };
  const failed = { status: "error", output: undefined };
  const edit = { filePath: "/home/dev/src/greet.py", oldString: before, newString: after };
  return [
    tool("edit", edit, { metadata: { match: { level: 4, line: 12, endLine: 13, count: 1 } } }),
    tool("edit", edit, { ...running, metadata: { permission } }),
    tool("bash", { command: "npm start &" }, { metadata: { exit: 0, detached: true } }),
    tool("bash", { command: "make" }, { metadata: { signal: "SIGTERM", timedOut: true } }),
    tool(
      "bash",
      { command: "seq 1 9" },
      {
        output: "9",
        metadata: {
          exit: 0,
          truncated: true,
          omitted: { lines: 8, bytes: 16 },
          outputPath: "/tmp/outputs/call_1.txt",
        },
      },
    ),
    tool(
      "grep",
      { pattern: "greet", limit: "20" },
      {
        metadata: {
          matches: 12,
          files: 3,
          engine: "rg",
          repaired: ["limit: read as a number"],
          loop: { message: "grep was asked the same four times. Use its answer." },
        },
      },
    ),
    tool(
      "web-fetch",
      { url: "https://example.com/old" },
      { metadata: { url: "https://example.com/new", status: 200, type: "text/html", bytes: 2600 } },
    ),
    tool(
      "bash",
      { command: "rm -rf build" },
      { ...failed, error: "The rules deny it.", metadata: { kind: "permission" } },
    ),
  ];
}

/** The sample fix-greeting as it might go a second time: three calls another, one turn more, one less. */
export function secondAttempt() {
  const { info, messages } = JSON.parse(sample("fix-greeting.json"));
  const tools = messages.flatMap(({ parts }) => parts.filter(({ type }) => type === "tool"));
  const edit = tools.find((part) => part.tool === "edit");
  edit.state.input.newString = String(edit.state.input.newString).replace("Hello", "Good morning");
  const shell = tools.find((part) => part.tool === "bash");
  shell.state.output = shell.state.output.replace("hello.py", "greeting.py");
  const words = messages.flatMap(({ parts }) => parts.filter(({ type }) => type === "text"));
  const last = words.at(-1);
  last.text = `${last.text.replace(/\w+/, "Finally")}\n\nAnd the tests pass.`;
  messages.splice(4, 0, message("assistant", [text("Let me look once more.")]));
  messages.splice(5, 1);
  return JSON.stringify({ info: { ...info, title: "fix-greeting, again" }, messages });
}

/**
 * A run that mends a file, and one that after seven steps only runs the same command again and again: what
 * it ends with is the difference between a good run and a bad one.
 */
export function mendingRun(isGood) {
  let at = START;
  const took = (ms) => {
    const start = at;
    at += ms;
    return { created: start, completed: at, start, end: at };
  };
  const call = (name, input, state = {}) => {
    const { created, completed, start, end } = took(1000);
    const parts = [
      { type: "step-start" },
      tool(name, input, { ...state, time: { start, end } }),
      finish("tool-calls"),
    ];
    return message("assistant", parts, { time: { created, completed } });
  };
  const finish = (reason) => ({
    ...{ type: "step-finish", reason, cost: 0 },
    tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
  });
  const failing = { status: "error", output: undefined, error: "error[E0308]: mismatched types" };
  const check = (state) => call("bash", { command: "cargo check" }, state);
  const edit = { filePath: "/w/src/main.rs", oldString: "1", newString: "2" };
  const looked = Array.from({ length: 6 }, (_, i) => call("read", { filePath: `/w/src/${i}.rs` }));
  return session(isGood ? "Good" : "Bad", [
    message("user", [text("Make it compile")]),
    ...looked,
    check(failing),
    ...(isGood
      ? [call("edit", edit), check({})]
      : [check(failing), check(failing), check(failing), check(failing)]),
    message(
      "assistant",
      [{ type: "step-start" }, text(isGood ? "Done." : "I give up."), finish("stop")],
      { time: took(500) },
    ),
  ]);
}

/** What would run, load or take over something if any of it were treated as more than text. */
export const PAYLOADS = [
  "<script>window.hacked = 1</script>",
  '<img src="x" onerror="window.hacked = 2">',
  '<svg onload="window.hacked = 3"><script>window.hacked = 4</script></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror="window.hacked = 5"></style></mglyph></table></mtext></math>',
  '<a href="javascript:window.hacked = 6">click</a> [click](javascript:window.hacked=7)',
  "[click](  JaVaScRiPt:window.hacked=8) [click](data:text/html,<script>window.hacked=9</script>)",
  '![picture](http://127.0.0.1:9/remote.png) ![picture](x" onerror="window.hacked=10)',
  '<form id="app" name="body"><input name="attributes"><input id="documentElement"></form>',
  '<iframe srcdoc="<script>parent.hacked = 11</script>"></iframe><object data="javascript:1"></object>',
  '<div style="position:fixed;inset:0" onclick="window.hacked = 12" id="root">cover</div>',
  '<details open ontoggle="window.hacked = 13"><style>* { display: none }</style></details>',
  '<base href="http://127.0.0.1:9/"><meta http-equiv="refresh" content="0;url=javascript:1">',
  '"><script>window.hacked = 14</script>',
  "`</code><script>window.hacked = 15</script>`",
  "```html\n</code></pre><script>window.hacked = 16</script>\n```",
  "| a |\n|--:|\n| <b onmouseover=alert(1)>x</b> |",
  "<http://127.0.0.1:9/auto> http://127.0.0.1:9/bare",
  "\u001b]8;;javascript:window.hacked=17\u0007link\u001b]8;;\u0007",
];

/** A payload in every field of the metadata that cards show. */
function hostileMetadata(bad) {
  return {
    ...{ url: bad, type: bad, engine: bad, eol: bad, encoding: bad, signal: bad, outputPath: bad },
    permission: { permission: bad, patterns: [bad] },
    repaired: [bad],
    loop: { message: bad },
  };
}

/** The payloads in every place of a transcript that holds text. */
export function hostileSession() {
  const all = PAYLOADS.join("\n\n");
  const messages = PAYLOADS.map((bad) =>
    message(
      "assistant",
      [
        text(bad),
        { type: "reasoning", text: bad, time: { start: START, end: START } },
        tool(bad, { [bad]: bad, nested: [bad, { [bad]: null }] }, { output: bad, title: bad }),
        tool("bash", { command: bad, description: bad }, { output: bad }),
        tool("read", { filePath: bad }, { output: bad }),
        tool("write", { filePath: `${bad}.html`, content: bad }),
        tool(
          "edit",
          { filePath: bad, oldString: bad, newString: `${bad}!` },
          { metadata: { diff: bad } },
        ),
        tool("todowrite", { todos: [{ content: bad, status: bad, priority: bad }] }),
        tool("grep", { pattern: bad }, { status: "error", error: bad, output: undefined }),
        tool(bad, {}, { status: "running", metadata: hostileMetadata(bad) }),
        tool("web-fetch", { url: bad }, { metadata: hostileMetadata(bad) }),
        { type: "file", mime: bad, filename: bad, url: bad },
        {
          type: "file",
          mime: "image/svg+xml",
          filename: "a.svg",
          url: `data:image/svg+xml,${encodeURIComponent(bad)}`,
        },
        { type: "subtask", agent: bad, description: bad, prompt: bad },
        { type: "agent", name: bad },
        {
          type: "retry",
          attempt: 1,
          error: { message: bad, isRetryable: true },
          time: { created: START },
        },
        { type: "snapshot", snapshot: bad },
        { type: "patch", hash: bad, files: [bad] },
        { type: bad, payload: bad },
        { type: "step-finish", reason: bad, cost: 1, tokens: {} },
      ],
      { agent: bad, modelID: bad, error: { name: bad, data: { message: bad, responseBody: bad } } },
    ),
  );
  return session(all, [message("user", [text(all)], { agent: all }), ...messages]);
}
