// What is read of messages by a walk in JavaScript is what the module reads of them through handles. Messages that are
// out of the ordinary are read through handles alone: each history is compared with one that says the same, and in which
// every message is.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SessionCompaction } from "apex-parts";
import { madeHistory } from "./lib/histories.mjs";

const { check, estimate, plan, prune } = SessionCompaction;
const model = { limit: { context: 24_000, output: 8_000 } };
const CONFIGS = [
  { prune: true, protect: 0, minimum: 0, protectTurns: 0, protectedTools: [] },
  { prune: true, protect: 500, minimum: 100, tail_turns: 1, preserve_recent_tokens: 800 },
  { prune: true, protect: 0, minimum: 0, estimator: "classes" },
];

const json = (value) => JSON.parse(JSON.stringify(value));

/** What is asked of messages, or the error; lists that are made when they are read, too. */
function answers(messages, config) {
  const asked = [
    () => check({ messages, model, config }),
    () => estimate(messages, { estimator: config.estimator }),
    () => json(prune(messages, config)),
    () => json(plan(messages, { model, config })),
    () => json(plan(messages, { model, config, overflow: true })),
    () => json(plan(messages, { model, config, strategy: "truncate" })),
  ];
  return asked.map((ask) => {
    try {
      return ask();
    } catch ({ name, message }) {
      return { name, message };
    }
  });
}

/** The same of a message; one whose fields cannot be read stays as it is. */
const changed = (change) => (message) => {
  try {
    return change(message);
  } catch {
    return message;
  }
};

/** The message with a part that says nothing; it is out of the ordinary if `type` is no text. */
const withPart = (type) =>
  changed((message) => {
    if (!Array.isArray(message?.parts)) return message;
    const parts = Array.from(message.parts);
    parts.push({ id: "prt_of_nothing", type });
    return { ...message, parts };
  });

const withNothing = withPart("nothing");
const withNumber = withPart(5);

/** The same with a summary that is none. */
const withSummary = changed((message) => {
  const info = message?.info;
  const isPlain = Object.getPrototypeOf(info ?? 0) === Object.prototype;
  if (!isPlain || (info.summary !== undefined && info.summary !== false)) return message;
  return { ...message, info: { ...info, summary: null } };
});

function compare(messages, what) {
  const plain = messages.map(withNothing);
  const odd = messages.map((message) => withSummary(withNumber(message)));
  for (const config of CONFIGS) {
    assert.deepEqual(
      answers(plain, config),
      answers(odd, config),
      `${what}, ${JSON.stringify(config)}`,
    );
  }
}

test("histories made of seeds", () => {
  for (let seed = 0; seed < 60; seed++) compare(madeHistory(seed), `seed ${seed}`);
});

const fails = () => {
  throw new Error("unreadable");
};
/** A value whose fields cannot be read. */
const unreadable = () => new Proxy({}, { get: fails });
/** An object of a class, whose fields are those of its prototype too. */
class Inherited {
  get text() {
    return "from a getter of the prototype";
  }
}
Inherited.prototype.id = "prt_inherited";

const VALUES = {
  nothing: () => undefined,
  null: () => null,
  "an empty text": () => "",
  "a blank text": () => " \n",
  "a text": () => "some text, and more of it",
  "a long text": () => "x".repeat(100_000),
  "an id that is too long": () => "i".repeat(300),
  "a text outside ASCII": () => "é😀漢".repeat(20),
  "lone surrogates": () => "\ud800x\udc00".repeat(9),
  "not a number": () => Number.NaN,
  "a number": () => 17.5,
  true: () => true,
  false: () => false,
  "a BigInt": () => 3n,
  "a symbol": () => Symbol("s"),
  "a function": () => Object.assign(() => {}, { id: "f", type: "text", text: "of a function" }),
  "a list": () => [1, "two"],
  "an empty list": () => [],
  "a date": () => new Date(0),
  "a Map": () => new Map([["type", "text"]]),
  "an object": () => ({ a: [1, { b: "c" }], status: "completed", compacted: 4 }),
  "an object without a prototype": () => Object.assign(Object.create(null), { text: "x", id: "y" }),
  "an inherited field": () => new Inherited(),
  "a cycle": () => {
    const cycle = { type: "text" };
    cycle.cycle = cycle;
    return cycle;
  },
  "something unreadable": unreadable,
  "a revoked proxy": () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  "a proxy of an object": () => new Proxy({ type: "text", text: "through a proxy", id: "p" }, {}),
  "a proxy without a prototype": () =>
    new Proxy({ type: "text", text: "x", id: "p" }, { getPrototypeOf: fails }),
  "a proxy of a list": () => new Proxy([{ id: "q", type: "text", text: "in a list" }], {}),
  "a text that is an object": () => Object.setPrototypeOf(new String("ab"), Object.prototype),
  "an object with its own JSON": () => ({ a: "b", toJSON: () => "of its own" }),
  "an object of texts": () => ({ command: "ls", "": "", description: "é漢" }),
  "an object of texts with escapes": () => ({ 'a"b': "c\\d", line: "\n", half: "\ud800" }),
  "an object of many texts": () => ({ a: "1", b: "2", c: "3", d: "4", e: "5" }),
  "a frozen object": () => Object.freeze({ type: "text", text: "frozen", id: "z" }),
};

/** Where in a message a value stands. */
const PLACES = {
  message: (value) => value,
  info: (value, message) => ({ ...message, info: value }),
  parts: (value, message) => ({ ...message, parts: value }),
  "a part": (value, message) => ({ ...message, parts: [value, ...message.parts] }),
};
for (const name of ["id", "role", "summary", "finish", "error", "tokens", "time", "modelID"]) {
  PLACES[`info.${name}`] = (value, { info, parts }) => ({
    info: { ...info, [name]: value },
    parts,
  });
}
for (const name of ["input", "output", "cache"]) {
  PLACES[`info.tokens.${name}`] = (value, { info, parts }) => ({
    info: { ...info, tokens: { input: 900, output: 50, ...info.tokens, [name]: value } },
    parts,
  });
}
for (const name of ["id", "type", "text", "tool", "state", "ignored", "synthetic"]) {
  PLACES[`part.${name}`] = (value, { info, parts }) => ({
    info,
    parts: parts.map((part) => ({ ...part, [name]: value })),
  });
}
for (const name of ["status", "input", "output", "error", "time", "attachments"]) {
  PLACES[`state.${name}`] = (value, { info, parts }) => ({
    info,
    parts: parts.map((part) => ({ ...part, state: { ...part.state, [name]: value } })),
  });
}

const HISTORY = [
  { info: { id: "m1", role: "user" }, parts: [{ id: "p1", type: "text", text: "Do it." }] },
  {
    info: { id: "m2", role: "assistant", finish: "tool-calls", modelID: "m" },
    parts: [
      { id: "p2", type: "step-start" },
      { id: "p3", type: "reasoning", text: "First, look." },
      ...["completed", "error", "running", "pending"].map((status) => ({
        id: `p-${status}`,
        type: "tool",
        tool: "read",
        state: {
          status,
          input: { a: 1 },
          output: "out ".repeat(40),
          error: "bad",
          time: { start: 1 },
        },
      })),
    ],
  },
  { info: { id: "m3", role: "user" }, parts: [{ id: "p4", type: "text", text: "And now?" }] },
];

test("any value in any place", () => {
  for (const [place, put] of Object.entries(PLACES)) {
    for (const [name, value] of Object.entries(VALUES)) {
      for (const at of HISTORY.keys()) {
        const messages = HISTORY.slice();
        messages[at] = put(value(), HISTORY[at]);
        compare(messages, `${name} as ${place} of message ${at}`);
      }
    }
  }
});

test("more tools and models than are read at a time", () => {
  const messages = Array.from({ length: 100 }, (_, at) => {
    const { info, parts } = HISTORY[at % 5 === 0 ? 0 : 1];
    const tokens = { input: 1000 + at * 50, output: 20, cache: { read: 5, write: 0 } };
    return {
      info: { ...info, id: `m${at}`, modelID: `model ${at % 70}`, tokens, time: { created: at } },
      parts: Array.from({ length: 10 }, (_, n) => parts[n % parts.length]).map((part, n) => {
        const isCall = part.type === "tool";
        return { ...part, id: `p${at}-${n}`, ...(isCall && { tool: `tool ${at}-${n}` }) };
      }),
    };
  });
  compare(messages, "many names");
});

test("what has changed since the last call is seen", () => {
  const messages = madeHistory(7).map(json);
  const config = CONFIGS[0];
  const fresh = () => answers(json(messages), config);
  assert.deepEqual(answers(messages, config), fresh());
  for (const { info, parts } of messages) {
    info.id += "x";
    assert.deepEqual(answers(messages, config), fresh());
    for (const part of parts) {
      part.id += "y";
      if (typeof part.text === "string") part.text += " and more of it, which counts";
      if (part.state?.status === "completed") part.state.output += "more ".repeat(30);
    }
    assert.deepEqual(answers(messages, config), fresh());
  }
});

test("a getter that asks for a plan while one is made", () => {
  const other = madeHistory(3);
  const messages = HISTORY.map((message) => ({
    info: message.info,
    get parts() {
      plan(other, { model });
      estimate(other);
      return message.parts;
    },
  }));
  for (const config of CONFIGS) {
    assert.deepEqual(answers(messages, config), answers(HISTORY, config));
  }
});
