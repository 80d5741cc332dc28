// The labelled cases of compaction, over arrays and over transcripts.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SessionCompaction, Transcript, toModelMessage } from "apex-parts";
import { idSource, resolved } from "./lib/cases.mjs";

const vectors = (name) =>
  JSON.parse(readFileSync(new URL(`../../fixtures/vectors/${name}`, import.meta.url), "utf8"));
const { cases } = vectors("compaction.json");
/** Of the sessions that cases name: what decides the view. */
const histories = vectors("compaction-histories.json");

const conversationOf = (messages, plan) => {
  const [{ parts }] = SessionCompaction.summaryRequest(messages, plan);
  const [{ text }] = parts;
  return text.slice("<conversation>\n".length, text.indexOf("\n</conversation>"));
};

const kindOf = ({ info, parts }) => {
  if (info.role === "assistant") return `assistant:${info.summary ? "summary" : "answer"}`;
  if (parts[0].type === "compaction") return "user:compaction";
  return `user:${parts[0].metadata?.compaction_continue ? "continue" : "replay"}`;
};

const RUN = {
  usable: (input) => SessionCompaction.usable(input),
  isOverflow: (input) => SessionCompaction.isOverflow(input),
  prune: ({ messages, config }) => SessionCompaction.prune(messages, config),
  filterCompacted: ({ messages }) =>
    SessionCompaction.filterCompacted(messages).map(({ info }) => info.id),
  plan: ({ messages, ...input }) => SessionCompaction.plan(messages, input),
  summaryRequest: ({ messages, ...input }) => SessionCompaction.plan(messages, input),
  toModelMessage: ({ messages }) => {
    const all = toModelMessage(messages).flatMap(({ parts }) => parts);
    const calls = all.filter(({ type }) => type.startsWith("tool-"));
    return { outputs: calls.map(({ output, errorText }) => output ?? errorText) };
  },
  estimate: ({ messages }) => SessionCompaction.estimate(messages),
  check: (input) => {
    const { used, ...check } = SessionCompaction.check(input);
    return { ...check, used: used.tokens };
  },
  applySummary: ({ messages, text, meta, ...input }) => {
    const before = JSON.stringify(messages);
    const plan = SessionCompaction.plan(messages, { ...input, overflow: meta.overflow });
    const now = 1_900_000_000_000;
    const made = SessionCompaction.applySummary(messages, plan, text, {
      id: idSource(),
      now,
      ...meta,
    });
    const added = made.slice(messages.length);
    return {
      added: added.map(kindOf),
      inputUntouched: JSON.stringify(messages) === before,
      filtered: SessionCompaction.filterCompacted(made)[0] === added[0],
      lastTexts: added.at(-1).parts.map(({ text }) => text),
    };
  },
  undo: ({ messages, target }) => SessionCompaction.undo(messages, target),
  recording: ({ file, before }) => {
    const messages = histories[file];
    const at = messages.findIndex(({ info }) => info.id === before);
    assert.ok(at >= 0, before);
    const view = SessionCompaction.filterCompacted(messages.slice(0, at));
    return { view: view.map(({ info }) => info.id) };
  },
};

function compare(made, expected, { input }) {
  if (typeof expected !== "object" || Array.isArray(expected)) {
    assert.deepEqual(made, expected);
    return;
  }
  for (const [name, value] of Object.entries(expected)) {
    const within = /^(min|max)(\w+)$/.exec(name);
    if (within) {
      const number = made[within[2].toLowerCase()];
      const holds = within[1] === "min" ? number >= value : number <= value;
      assert.ok(holds, `${name} is ${value}, got ${number}`);
    } else if (name === "conversation") {
      assert.equal(conversationOf(input.messages, made), value);
    } else {
      assert.deepEqual(made[name] ?? null, value, name);
    }
  }
}

for (const one of cases) {
  test(one.id, () => {
    const { fn, input, expect } = resolved(one);
    if (expect?.throws) {
      assert.throws(
        () => RUN[fn](input),
        (error) => {
          assert.equal(error.name, expect.throws);
          assert.equal(error.details.reason, expect.reason);
          if (expect.field) assert.equal(error.details.field, expect.field);
          return true;
        },
      );
      return;
    }
    compare(RUN[fn](input), expect, { input });
    // The same over a transcript.
    if (
      input.messages?.length > 0 &&
      ["prune", "plan", "estimate", "check", "filterCompacted"].includes(fn)
    ) {
      const bytes = new TextEncoder().encode(JSON.stringify(input.messages));
      const transcript = Transcript.open(bytes);
      const made = RUN[fn]({ ...input, messages: transcript });
      assert.deepEqual(made, RUN[fn](input));
      if (fn === "plan") {
        assert.deepEqual(
          SessionCompaction.summaryRequest(transcript, made),
          SessionCompaction.summaryRequest(input.messages, made),
        );
      }
      transcript.free();
    }
  });
}

test("the labelled cases are there", () => {
  assert.ok(cases.length > 100);
});
