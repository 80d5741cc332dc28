// Histories that are imported before a prompt: what the parts of a session look like that OpenCode itself makes seldom.

const START = Date.UTC(2026, 0, 12, 9, 30);
const ZERO = { input: 100, output: 10, reasoning: 0, cache: { read: 0, write: 0 } };
const PLACE = { cwd: "/home/dev/demo", root: "/home/dev/demo" };
const DOT =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A session that grows; its ids are older than those that OpenCode gives. */
class Imported {
  messages = [];
  #parts = 0;

  constructor(number, name) {
    this.number = number;
    this.id = `ses_${this.#digits(number, 4)}${"a".repeat(22)}`;
    this.name = name;
  }

  #digits = (value, length) => String(value).padStart(length, "0");
  #id(prefix, value, letter) {
    const digits = this.#digits(this.number, 3) + this.#digits(value, 3);
    return `${prefix}_${digits}${letter.repeat(20)}`;
  }

  /** The id of the message with a number, from 1. */
  message = (number) => this.#id("msg", number, "c");

  #add(info, parts) {
    const id = this.message(this.messages.length + 1);
    const created = START + this.messages.length * 1000;
    const sessionID = this.id;
    const time =
      info.role === "user"
        ? { time: { created } }
        : { time: { created, completed: created + 500 } };
    this.messages.push({
      info: { id, sessionID, ...info, ...time },
      parts: parts.map((part) => ({
        ...{ id: this.#id("prt", ++this.#parts, "b"), sessionID, messageID: id },
        ...part,
      })),
    });
    return this;
  }

  user(...parts) {
    const model = { providerID: "mock", modelID: "script" };
    this.asked = this.message(this.messages.length + 1);
    return this.#add({ role: "user", agent: "build", model }, parts.map(textOr));
  }

  answer(parts, info = {}) {
    const { error } = info;
    const isOver = !parts.some(({ type }) => type === "tool");
    return this.#add(
      {
        ...{ role: "assistant", parentID: this.asked, modelID: "script", providerID: "mock" },
        ...{ mode: "build", agent: "build", path: PLACE, cost: 0, tokens: ZERO },
        ...(error ? {} : { finish: isOver ? "stop" : "tool-calls" }),
        ...info,
      },
      [{ type: "step-start" }, ...parts.map(textOr)],
    );
  }

  /** A compaction and its summary; the tail begins with the message of a number. */
  compaction(tail, summary, info = {}) {
    const from = tail === undefined ? {} : { tail_start_id: this.message(tail) };
    this.user({ type: "compaction", auto: false, ...from });
    const agent = { mode: "compaction", agent: "compaction", summary: true };
    return this.answer([summary], { ...agent, ...info });
  }

  /** A question and its answer. */
  turn(question, answer) {
    return this.user(question).answer([answer]);
  }

  /** What `opencode import` reads. */
  get session() {
    const time = { created: START, updated: START + this.messages.length * 1000 };
    return {
      info: { id: this.id, slug: "quiet-tiger", title: this.name, version: "1.18.33", time },
      messages: this.messages,
    };
  }
}

const textOr = (part) => (typeof part === "string" ? { type: "text", text: part } : part);
const thought = (text) => ({ type: "reasoning", text, time: { start: 1, end: 2 } });
const image = { type: "file", mime: "image/png", url: DOT };
const file = {
  type: "file",
  mime: "text/plain",
  filename: "a.txt",
  url: "data:text/plain;base64,aGk=",
};
const bash = (callID, state) => ({
  ...{ type: "tool", callID, tool: "bash" },
  state: { input: { command: `run ${callID}` }, ...state },
});
const done = (callID, output, { compacted, ...more } = {}) => {
  const time = { start: 1, end: 2, ...(compacted === undefined ? {} : { compacted }) };
  return bash(callID, { status: "completed", output, title: "t", metadata: {}, time, ...more });
};
const failed = (callID, error, metadata = {}) =>
  bash(callID, { status: "error", error, metadata, time: { start: 1, end: 2 } });
const aborted = { error: { name: "MessageAbortedError", data: { message: "Aborted" } } };

/** A picture that a tool returned. */
const shown = (session) => [
  {
    ...{ id: `prt_900001${"b".repeat(20)}`, sessionID: session.id, messageID: session.message(2) },
    ...image,
  },
];

function states(session) {
  return session
    .user(
      ...["look", { type: "text", text: "hidden", ignored: true }, ""],
      { type: "text", text: "synth", synthetic: true },
      ...[file, { ...image, filename: "d.png" }],
      { type: "subtask", prompt: "p", description: "d", agent: "general" },
    )
    .answer([
      ...[thought("thinking"), "calls", done("call_14008", "kept")],
      done("call_14009", "CLEARED", { compacted: 5 }),
      done("call_14010", "ZERO", { compacted: 0 }),
      done("call_14011", "with image", { attachments: shown(session) }),
      done("call_14012", "cleared image", { compacted: 7, attachments: shown(session) }),
      failed("call_14013", "boom"),
      failed("call_14014", "aborted", { interrupted: true, output: "partial output" }),
    ])
    .answer([
      bash("call_run", { status: "running", time: { start: 1 } }),
      bash("call_pend", { status: "pending", input: {}, raw: "" }),
    ])
    .answer([{ type: "reasoning", text: "lost", time: { start: 1 } }], aborted)
    .answer(["partial text"], aborted)
    .answer(["api failed text"], {
      error: { name: "APIError", data: { message: "x", isRetryable: false } },
    })
    .answer([thought("other model thought"), "other model text"], { modelID: "other" });
}

function media(session) {
  return session
    .user(
      ...["see", { type: "text", text: "hid", ignored: true }],
      ...[{ type: "text", text: "syn", synthetic: true }, image, file],
    )
    .answer([
      ...[thought("hm"), "go"],
      done("call_1", "o".repeat(2000)),
      done("call_2", "p".repeat(2001)),
      done("call_3", "q", { compacted: 4 }),
      done("call_4", "img", { attachments: shown(session) }),
      failed("call_5", "E".repeat(3000)),
      bash("call_6", { status: "running", time: { start: 1 } }),
    ])
    .answer(["done"]);
}

/** What is filled into each session. */
const HISTORIES = {
  "imp-tail": (s) =>
    s.turn("first", "one").turn("second", "two").compaction(3, "SUMMARY-1").turn("third", "three"),
  // The message with which the tail begins is not there.
  "imp-tail-missing": (s) =>
    s.turn("first", "one").compaction(999, "SUMMARY-1").turn("second", "two"),
  "imp-tail-splits-turn": (s) =>
    s
      .user("first")
      .answer(["step 1", done("call_1", "out 1")])
      .answer(["step 2", done("call_2", "out 2")])
      .answer(["done"])
      .compaction(3, "SUMMARY-1")
      .turn("third", "three"),
  "imp-two-tail-over": (s) =>
    s
      .turn("first", "one")
      .turn("second", "two")
      .compaction(3, "SUMMARY-1")
      .turn("third", "three")
      .compaction(4, "SUMMARY-2")
      .turn("fourth", "four"),
  "imp-summary-error": (s) =>
    s
      .turn("first", "one")
      .compaction(undefined, "FAILED", {
        error: { name: "ContextOverflowError", data: { message: "too large" } },
        finish: "error",
      })
      .turn("second", "two"),
  "imp-states": states,
  "imp-compact-media": media,
  // Old outputs, one of them cleared before: there is too little to clear more.
  "imp-prune-below-minimum": (s) =>
    s
      .user("t1")
      .answer([done("call_1", "x".repeat(40), { compacted: 5 })])
      .answer([done("call_2", "y".repeat(4000))])
      .answer(["end"])
      .turn("t2", "two"),
};

/** The session that is imported for a recording. */
export function history(name) {
  const number = Object.keys(HISTORIES).indexOf(name) + 1;
  return HISTORIES[name](new Imported(number, name)).session;
}
