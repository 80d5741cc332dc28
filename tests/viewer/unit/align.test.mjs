/** Two transcripts aligned step by step: what holds for any two, and what is found in edited ones. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { workOf } from "../../work.mjs";
import { load } from "../typescript.mjs";

const USER = 1;
const ASSISTANT = 2;
const TEXT = 0;
const TOOL = 2;
const STEP_START = 3;

let align;
let states;
let fileName;
before(async () => {
  const {
    align: run,
    SAME,
    CHANGED,
    FIRST_ONLY,
    SECOND_ONLY,
  } = await load("../../ts/cli/comparison/align.ts");
  align = run;
  states = { SAME, CHANGED, FIRST_ONLY, SECOND_ONLY };
  ({ fileName } = await load("features/export/store/exporting.ts"));
});

const part = (type, says, kind = type * 1000, input = 0) => ({ type, says, kind, input });
const text = (says) => part(TEXT, says);
const call = (tool, input, output) => part(TOOL, tool * 7919 + input * 31 + output, tool, input);
const step = () => part(STEP_START, 4);

/** The digests of messages that are given as `[role, parts]`. */
function digests(messages) {
  const parts = messages.flatMap(([, all]) => all);
  const firstPart = [0];
  for (const [, all] of messages) firstPart.push(firstPart.at(-1) + all.length);
  return {
    firstPart: Uint32Array.from(firstPart),
    roles: Uint8Array.from(messages, ([role]) => role),
    types: Uint8Array.from(parts, ({ type }) => type),
    headers: Uint32Array.from(messages, ([role]) => role),
    parts: Uint32Array.from(parts, ({ says }) => says),
    kinds: Uint32Array.from(parts, ({ kind }) => kind),
    inputs: Uint32Array.from(parts, ({ input }) => input),
  };
}

const rowCount = ({ headers, parts }) => headers.length + parts.length;
const present = (rows) => Array.from(rows).filter((row) => row >= 0);
const upTo = (count) => Array.from({ length: count }, (_, i) => i);

/** Every row of both sides once and in order, and each state is what the pair is. */
function check(a, b) {
  const found = align(a, b);
  assert.deepEqual(present(found.left), upTo(rowCount(a)));
  assert.deepEqual(present(found.right), upTo(rowCount(b)));
  const digest = (of, row) => {
    for (let message = of.headers.length - 1; message >= 0; message--) {
      const header = of.firstPart[message] + message;
      if (row === header) return `header ${of.headers[message]}`;
      if (row > header) return `part ${of.parts[row - message - 1]}`;
    }
    return undefined;
  };
  found.states.forEach((state, pair) => {
    const [left, right] = [found.left[pair], found.right[pair]];
    if (left < 0) assert.equal(state, states.SECOND_ONLY);
    else if (right < 0) assert.equal(state, states.FIRST_ONLY);
    else assert.equal(state === states.SAME, digest(a, left) === digest(b, right));
  });
  const begins = upTo(found.states.length).filter(
    (pair) =>
      found.states[pair] !== states.SAME && found.states[pair] !== (found.states[pair - 1] ?? 0),
  );
  assert.deepEqual(Array.from(found.differences), begins);
  return found;
}

/** `n` turns, each unlike the others. */
function turns(n, seed = 0) {
  return upTo(n).flatMap((turn) => [
    [USER, [text(seed + turn * 10 + 1)]],
    [ASSISTANT, [step(), text(seed + turn * 10 + 2), call(turn % 5, seed + turn, 3)]],
  ]);
}

const notSame = ({ states: all }) => all.filter((state) => state !== states.SAME).length;

describe("two transcripts aligned", () => {
  test("any two: every row once and in order, and states that are true", () => {
    const anyPart = fc.oneof(
      fc.integer({ min: 1, max: 6 }).map(text),
      fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2)).map((all) => call(...all)),
      fc.constant(step()),
    );
    const messages = fc.array(
      fc.tuple(fc.constantFrom(USER, ASSISTANT), fc.array(anyPart, { maxLength: 6 })),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(messages, messages, (a, b) => void check(digests(a), digests(b))),
      {
        numRuns: 500,
      },
    );
  });

  test("identical ones give only pairs that are the same", () => {
    const all = digests(turns(200));
    const { states: found, left, right, differences } = check(all, all);
    assert.equal(found.length, rowCount(all));
    assert.ok(found.every((state) => state === states.SAME));
    assert.deepEqual(left, right);
    assert.equal(differences.length, 0);
  });

  for (const [what, edit, expected] of [
    ["inserted", (all) => all.splice(7, 0, [ASSISTANT, [step(), text(9999)]]), 3],
    ["removed", (all) => all.splice(7, 1), 4],
    ["changed", (all) => all[7][1].splice(2, 1, call(3, 3, 777)), 1],
  ]) {
    test(`one message ${what} is the one difference`, () => {
      const before = turns(10);
      const after = turns(10);
      edit(after);
      const found = check(digests(before), digests(after));
      assert.equal(notSame(found), expected);
      assert.equal(found.differences.length, 1);
    });
  }

  test("the same call with another output stands beside itself, not beside its neighbour", () => {
    const one = [[ASSISTANT, [step(), call(1, 5, 1), call(1, 6, 1), call(1, 7, 1)]]];
    const other = [[ASSISTANT, [step(), call(1, 6, 2), call(1, 7, 2)]]];
    const found = check(digests(one), digests(other));
    assert.deepEqual(Array.from(found.left), [0, 1, 2, 3, 4]);
    assert.deepEqual(Array.from(found.right), [0, 1, -1, 2, 3]);
  });

  test("steps in one message and steps in several belong together", () => {
    const steps = [
      [step(), text(1), call(1, 1, 1)],
      [step(), text(2)],
      [step(), text(3)],
    ];
    const one = digests([[ASSISTANT, steps.flat()]]);
    const several = digests(steps.map((parts) => [ASSISTANT, parts]));
    const found = check(one, several);
    // Only the headers that the one message has not are left over.
    assert.equal(notSame(found), 2);
    assert.ok(found.states.every((s) => s === states.SAME || s === states.SECOND_ONLY));
  });

  for (const [what, other] of [
    ["edited here and there", (all) => all.filter((_, i) => i % 97 !== 0)],
    ["with nothing in common", () => turns(25_000, 5_000_000)],
    ["all alike", (all) => all.map(([role]) => [role, [text(1)]])],
  ]) {
    test(`two of 50,000 messages, ${what}, in little time`, () => {
      const all = turns(25_000);
      const a = digests(what === "all alike" ? other(all) : all);
      const b = digests(other(all).slice(what === "all alike" ? 1001 : 0));
      let found;
      const work = workOf(() => {
        found = align(a, b);
      });
      assert.deepEqual(present(found.left).length, rowCount(a));
      assert.deepEqual(present(found.right).length, rowCount(b));
      assert.ok(work < 10_000, `${Math.round(work)} ms`);
    });
  }
});

describe("what a part says, as a number", () => {
  let says;
  before(async () => {
    const { digest, partMeaning } = await load(
      "../../ts/cli/comparison/digest-maker.ts",
      "../../ts/cli/comparison/meaning.ts",
    );
    says = (part) => digest(partMeaning(part));
  });
  const call = (state, more) => ({
    ...{ type: "tool", tool: "edit", id: "prt_1", callID: "call_1", ...more },
    state: { status: "completed", input: { a: 1, b: [2, { c: "x" }] }, output: "done", ...state },
  });

  test("has nothing of ids, times, costs, or the order of an object's keys", () => {
    const same = [
      call({}),
      call({ time: { start: 1, end: 2 } }, { id: "prt_2", messageID: "msg_9", callID: "call_7" }),
      call({ input: { b: [2, { c: "x" }], a: 1 } }),
    ];
    assert.equal(new Set(same.map(says)).size, 1);
    const ends = [1, 2].map((cost) => ({
      type: "step-finish",
      reason: "stop",
      cost,
      tokens: { cost },
    }));
    assert.equal(says(ends[0]), says(ends[1]));
  });

  test("is another for every other thing that it says", () => {
    const others = [
      call({}),
      call({}, { tool: "write" }),
      call({ status: "error" }),
      call({ input: { a: 1, b: [2, { c: "y" }] } }),
      call({ input: { a: "1", b: [2, { c: "x" }] } }),
      call({ input: { a: 1, b: [{ c: "x" }, 2] } }),
      call({ output: "done." }),
      call({ output: undefined, error: "done" }),
      call({ attachments: [{ mime: "text/plain", url: "a" }] }),
      ...["text", "reasoning"].map((type) => ({ type, text: "done" })),
      { type: "text", text: "" },
      { type: "text", text: "done\n" },
      { type: "step-start" },
      { type: "step-finish", reason: "stop" },
      { type: "step-finish", reason: "length" },
      { type: "subtask", prompt: "done" },
      { type: "from-the-future", anything: 1 },
      { type: "from-the-future", anything: 2 },
    ];
    assert.equal(new Set(others.map(says)).size, others.length);
  });

  test("of what is nested without end is told all the same", () => {
    const deep = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`);
    assert.equal(typeof says(call({ input: deep })), "number");
  });
});

test("titles become names that every system takes", () => {
  for (const [title, name] of [
    ["Fix the greeting", "Fix-the-greeting"],
    ["../../etc/passwd", "etc-passwd"],
    ['a\\b:c*d?e"f<g>h|i\u0000j\nk', "a-b-c-d-e-f-g-h-i-j-k"],
    ["Größe & Länge, 日本語", "Größe-Länge-日本語"],
    ["\u202egnp.exe", "gnp.exe"],
    ["...", "transcript"],
    ["", "transcript"],
    ["CON", "transcript-CON"],
    ["x".repeat(500), "x".repeat(80)],
  ]) {
    assert.equal(fileName(title), name);
  }
});
