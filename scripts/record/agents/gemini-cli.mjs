// Sessions of Gemini CLI: one record a line, and older ones of one object.
import { clock, DOT, line } from "./clock.mjs";

const MODEL = "gemini-made-up";
const tokens = (input, output, cached = 0, thoughts = 0) => ({
  ...{ input, output, cached, thoughts, tool: 0, total: input + output + thoughts },
});

/** A call of the shell and its output. */
const shell = (id, command, status, output, timestamp) => ({
  ...{
    id,
    name: "run_shell_command",
    args: { command, description: "Runs it" },
    status,
    timestamp,
  },
  ...{ description: command, displayName: "Shell", resultDisplay: output },
  result: [
    {
      functionResponse: {
        ...{ id, name: "run_shell_command" },
        response: status === "success" ? { output } : { error: output },
      },
    },
  ],
});
const printed = (output, code) => `Output: ${output}\nExit Code: ${code}`;

/** Each message is written again when there is more of it; in the end the user cancels the request. */
function session() {
  const tick = clock("2026-03-05T10:00:00Z");
  const startTime = tick(0);
  const header = {
    ...{ sessionId: "7d3f0c52-0000-4000-8000-00000000feed", projectHash: "a".repeat(64) },
    ...{ startTime, lastUpdated: startTime, kind: "main", directories: ["/home/dev/tides"] },
  };
  let text = line(header);
  const add = (record) => {
    text += line(record);
  };
  const user = (id, content) => add({ id, timestamp: tick(), type: "user", content });

  /** An answer as it grows: empty, with its thoughts and text, with its tokens and calls. */
  function answer(id, content, counted, { thoughts = [], toolCalls } = {}) {
    const begun = { id, timestamp: tick(2000), type: "gemini", content: "", model: MODEL };
    add({ ...begun, thoughts: [] });
    add({ ...begun, content, thoughts });
    add({ ...begun, content, thoughts, tokens: counted, ...(toolCalls ? { toolCalls } : {}) });
    add({ $set: { lastUpdated: tick(10) } });
  }
  user("u-1", [{ text: "Why do the tests of the tides fail?" }]);
  answer("g-1", "I run them.", tokens(3000, 40, 0, 25), {
    thoughts: [{ subject: "The tests", description: "They are in Go.", timestamp: tick(0) }],
    toolCalls: [shell("call-1", "go test ./...", "success", printed("FAIL tides", 1), tick(500))],
  });
  answer("g-2", "", tokens(3200, 30, 3000), {
    toolCalls: [
      shell("call-2", "cat src/tide.go", "success", printed("return h * 12", 0), tick(300)),
    ],
  });
  answer("g-3", "The hours of a tide are 12.42, not 12.", tokens(3400, 25, 3200));
  user("u-2", [{ text: "Mend it." }, { inlineData: { mimeType: "image/png", data: DOT } }]);
  answer("g-4", "I replace the number.", tokens(3600, 35, 3400), {
    toolCalls: [
      {
        ...{ id: "call-3", name: "replace", status: "error", timestamp: tick(200) },
        args: { file_path: "src/tide.go", old_string: "12.0", new_string: "12.42" },
        result: [
          {
            functionResponse: {
              ...{ id: "call-3", name: "replace" },
              response: { error: "0 occurrences found" },
            },
          },
        ],
      },
    ],
  });
  answer("g-5", "Then with its neighbours.", tokens(3700, 30, 3600));
  user("u-3", "Go on.");
  answer("g-6", "", tokens(3800, 20, 3700), {
    toolCalls: [
      shell(
        "call-4",
        "go test -watch",
        "cancelled",
        "[Operation Cancelled] by the user",
        tick(9000),
      ),
    ],
  });
  add({ id: "i-1", timestamp: tick(), type: "info", content: "Request cancelled." });
  return text;
}

const object = (sessionId, start, messages) =>
  `${JSON.stringify({ sessionId, projectHash: "b".repeat(64), startTime: start, lastUpdated: start, messages }, null, 2)}\n`;

/** A session of one object: calls that ended with 0 and with 1, and a request that the user cancelled. */
function exitCodes() {
  const tick = clock("2026-03-06T11:00:00Z");
  const answer = (id, toolCalls, counted) => ({
    ...{
      id,
      timestamp: tick(),
      type: "gemini",
      content: "",
      model: MODEL,
      tokens: counted,
      toolCalls,
    },
  });
  return object("7d3f0c52-0000-4000-8000-00000000c0de", tick(0), [
    { id: "1", timestamp: tick(), type: "user", content: "Is the port open?" },
    answer(
      "2",
      [shell("c-1", "nc -z localhost 80", "success", printed("(empty)", 0), tick())],
      tokens(500, 12),
    ),
    answer(
      "3",
      [shell("c-2", "nc -z localhost 81", "success", printed("refused", 1), tick())],
      tokens(540, 12),
    ),
    { id: "4", timestamp: tick(), type: "info", content: "Request cancelled." },
    { id: "5", timestamp: tick(), type: "model", parts: [{ text: "A record of another kind." }] },
  ]);
}

/** A plain session of one object. */
function plain() {
  const tick = clock("2026-03-07T12:00:00Z");
  return object("7d3f0c52-0000-4000-8000-0000000b1a17", tick(0), [
    { id: "1", timestamp: tick(), type: "user", content: [{ text: "What is a neap tide?" }] },
    {
      ...{ id: "2", timestamp: tick(), type: "gemini", model: MODEL, tokens: tokens(60, 30, 0, 9) },
      content: "A weak one: sun and moon stand at right angles, ☀️ and 🌗.",
      thoughts: [{ subject: "Tides", description: "Spring and neap.", timestamp: tick(0) }],
    },
    { id: "3", timestamp: tick(), type: "error", content: "[API Error: capacity is exhausted]" },
  ]);
}

export const geminiCli = {
  "gemini-cli.session.jsonl": session,
  "gemini-cli.exit-code.json": exitCodes,
  "gemini-cli.plain.json": plain,
};
