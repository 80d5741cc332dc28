// Sessions of pi, one entry a line.
import { clock, DOT, line } from "./clock.mjs";

const CWD = "/home/dev/tides";
const MODEL = { api: "anthropic-messages", provider: "anthropic", model: "claude-made-up" };

/** What a request cost; the amounts are sums of eighths, so that they add up without rest. */
const usage = (input, output, total) => ({
  ...{ input, output, cacheRead: 0, cacheWrite: 0, totalTokens: input + output },
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total },
});
const call = (id, name, input) => ({ type: "toolCall", id, name, arguments: input });
const said = (text) => ({ type: "text", text });
const exited = (text, code) => `${text}\n\nCommand exited with code ${code}`;

/** Entries with ids, each after the one before; those of version 1 have none. */
class Entries {
  text = "";
  #count = 0;

  constructor(id, start, version) {
    this.tick = clock(start);
    this.isOld = version === 1;
    const timestamp = this.tick(0);
    const own = this.isOld ? { provider: "anthropic", modelId: MODEL.model } : { version };
    this.text = line({ type: "session", id, timestamp, cwd: CWD, ...own });
  }

  add(type, fields, { parent = this.last } = {}) {
    const ids = this.isOld ? {} : { id: `e${++this.#count}`, parentId: parent ?? null };
    this.last = ids.id;
    this.text += line({ type, ...ids, timestamp: this.tick(), ...fields });
    return this;
  }
  message(message, options) {
    this.tick(500);
    return this.add("message", { message: { ...message, timestamp: this.tick.ms() } }, options);
  }
  user = (content, options) => this.message({ role: "user", content }, options);
  answer = (content, counted, stopReason, more) =>
    this.message({ role: "assistant", content, ...MODEL, usage: counted, stopReason, ...more });
  result = (toolCallId, toolName, text, isError = false, more = {}) =>
    this.message({
      role: "toolResult",
      toolCallId,
      toolName,
      content: [said(text)],
      isError,
      ...more,
    });
}

const PORTS = ["Delft", "Ghent", "Lübeck", "Malmö", "Turku", "Riga"];
const QUESTIONS = ["depth", "tide", "wind", "harbour dues", "pilot"];

/** Many turns of version 1: results that are errors, exit codes, and calls that the user ended. */
function large() {
  const entries = new Entries("0199c000-0000-7000-8000-000000001a49", "2026-03-10T08:00:00Z", 1);
  for (let turn = 0; turn < 30; turn++) {
    const port = PORTS[turn % PORTS.length];
    const question = QUESTIONS[Math.floor(turn / PORTS.length)];
    const look = { command: `tides ${question} --port ${port}` };
    const note = { path: `notes/${port}-${turn}.md` };
    entries.user([said(`What is the ${question} of ${port}?`)]);
    entries.answer(
      [
        { type: "thinking", thinking: `The ${question} stands in the tables of ${port}.` },
        said(`I look up ${port}.`),
        call(`a-${turn}`, "bash", look),
        call(`b-${turn}`, "read", note),
      ],
      usage(900 + turn * 40, 60 + turn, 0.125),
      "toolUse",
    );
    const hasFailed = turn % 2 === 1;
    const line = `${port}: ${question} ${(turn * 37) % 90}`;
    entries.result(`a-${turn}`, "bash", hasFailed ? exited(line, 1 + (turn % 3)) : line, hasFailed);
    entries.result(`b-${turn}`, "read", `There is no ${note.path}`, true);
    if (turn % 3 === 0) {
      entries.answer([said(`${line}.`)], usage(1000 + turn * 40, 20, 0.25), "stop");
    } else {
      const wait = call(`c-${turn}`, "bash", { command: `tides watch ${port} --from ${turn}` });
      entries.answer([wait], usage(1000 + turn * 40, 15, 0.5), "aborted", {
        errorMessage: "Request was aborted",
      });
    }
  }
  return entries.text;
}

/** A short session of version 1. */
function small() {
  const entries = new Entries("0199c000-0000-7000-8000-00000000511a", "2026-03-11T08:00:00Z", 1);
  entries.user("What day is it?");
  entries.answer([call("t-1", "bash", { command: "date" })], usage(300, 12, 0.125), "toolUse");
  entries.result("t-1", "bash", "Wed Mar 11");
  return entries.answer([said("A Wednesday. 📅")], usage(330, 6, 0.125), "stop").text;
}

/** A tree: a branch that was left, a compaction, commands of the user, an error of the provider. */
function tree() {
  const entries = new Entries("0199c000-0000-7000-8000-000000007133", "2026-03-12T08:00:00Z", 3);
  entries
    .add("model_change", { provider: "anthropic", modelId: MODEL.model })
    .add("thinking_level_change", { thinkingLevel: "low" })
    .user([said("Draw the tide."), { type: "image", data: DOT, mimeType: "image/png" }]);
  const asked = entries.last;
  entries
    .answer([said("I draw a line.")], usage(500, 20, 0.125), "stop")
    .user("No, a curve.")
    .answer(
      [call("t-1", "write", { path: "curve.svg", content: "<svg/>" })],
      usage(560, 30, 0.125),
      "toolUse",
    )
    .result("t-1", "write", "Wrote 6 bytes", false, { details: { bytes: 6 } });
  const left = entries.last;
  entries
    .add("branch_summary", { fromId: left, summary: "A curve was begun." }, { parent: asked })
    .message({
      ...{ role: "bashExecution", command: "ls", output: "curve.svg", exitCode: 0 },
      ...{ cancelled: false, truncated: false },
    })
    .message({
      ...{ role: "bashExecution", command: "sleep 100", output: "", exitCode: null },
      ...{ cancelled: true, truncated: false },
    })
    .user("Then as text.")
    .answer([], usage(0, 0, 0), "error", { errorMessage: "529 overloaded" })
    .add("compaction", {
      ...{ summary: "The user wants a tide as text.", tokensBefore: 12_000 },
      firstKeptEntryId: asked,
    })
    .add("custom_message", { customType: "hint", content: "Lines are short here.", display: false })
    .add("custom", { customType: "state", data: { n: 1 } })
    .answer([said("```\n~~~~\n```")], usage(200, 14, 0.125), "stop")
    .add("session_info", { name: "A tide as text" })
    .add("label", { targetId: asked, label: "start" });
  return entries.text;
}

export const pi = {
  "pi.large-session.jsonl": large,
  "pi.small.jsonl": small,
  "pi.tree.jsonl": tree,
};
