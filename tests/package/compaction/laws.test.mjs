// The laws of compaction, over histories made of seeds.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  PartValidator,
  SessionCompaction,
  TRUNCATION_NOTICE,
  Transcript,
  toModelMessage,
} from "apex-parts";
import { idSource } from "./lib/cases.mjs";
import { frozen, madeHistory } from "./lib/histories.mjs";

const SEEDS = Array.from({ length: 60 }, (_, seed) => seed);
const model = { limit: { context: 24_000, output: 8_000 } };
const SUMMARY = "## Objective\n- go on";
const ids = (messages) => messages.map(({ info }) => info.id);
const json = (value) => JSON.parse(JSON.stringify(value));
const meta = (extra) => ({ id: idSource(), now: 1_800_000_000_000, ...extra });
const { filterCompacted, prune, applyPrune, plan, applySummary, applyTruncation, undo, estimate } =
  SessionCompaction;

const CONFIGS = [
  {},
  { tail_turns: 1 },
  { tail_turns: 0 },
  { preserve_recent_tokens: 800 },
  { preserve_recent_tokens: 3_000, estimator: "classes" },
  { pinUser: 0 },
  { pinUser: 100 },
];
const PRUNES = [
  { prune: true, protect: 500, minimum: 100 },
  { prune: true, protect: 0, minimum: 0, protectTurns: 0, protectedTools: [] },
  { prune: true, protect: 1_000, minimum: 200, protectTurns: 3, estimator: "classes" },
];

/** Runs over every history and setting. */
function each(configs, run) {
  for (const seed of SEEDS) {
    const messages = frozen(madeHistory(seed));
    for (const config of configs) {
      try {
        run(messages, config, seed);
      } catch (error) {
        error.message = `seed ${seed}, ${JSON.stringify(config)}: ${error.message}`;
        throw error;
      }
    }
  }
}

const hidesOf = (view) => {
  const good = new Set(
    view
      .filter(({ info }) => info.summary === true && info.finish && !info.error)
      .map(({ info }) => info.parentID),
  );
  const compactions = view.filter(
    ({ info, parts }) => good.has(info.id) && parts.some(({ type }) => type === "compaction"),
  );
  const hidden = new Set(ids(compactions));
  return ({ info }) => hidden.has(info.id) || (info.summary === true && hidden.has(info.parentID));
};

test("keep is a suffix of the view; keep, summarise, drop and hidden partition it", () => {
  each(CONFIGS, (messages, config) => {
    const view = filterCompacted(messages);
    const made = plan(messages, { model, config });
    const hides = hidesOf(view);
    const last = view.at(-1);
    const isOpen = last.parts.length > 0 && last.parts.every(({ type }) => type === "compaction");
    const shown = ids(view.filter((one) => !hides(one) && !(one === last && isOpen)));
    assert.deepEqual(made.keep, shown.slice(shown.length - made.keep.length));
    const all = [...made.summarise, ...made.drop, ...made.keep];
    assert.equal(new Set(all).size, all.length);
    assert.deepEqual(new Set(all), new Set(shown));
    assert.equal(made.tailStartID, made.keep[0]);
    assert.deepEqual(
      made.items.map(({ messageID }) => messageID),
      shown,
    );
    assert.ok(made.items.every(({ why, tokens }) => why.length > 10 && tokens >= 0));
  });
});

test("the tail is within its budget, and a larger budget never gives a shorter one", () => {
  each([{ estimator: "chars" }, { estimator: "classes" }], (messages, config) => {
    let longest = 0;
    for (const preserve_recent_tokens of [0, 50, 200, 800, 2_000, 6_000]) {
      const made = plan(messages, { model, config: { ...config, preserve_recent_tokens } });
      const kept = made.items.filter(({ action }) => action === "keep");
      const tokens = kept.reduce((sum, one) => sum + one.tokens, 0);
      assert.ok(
        config.estimator === "chars" || tokens <= preserve_recent_tokens,
        `${tokens} tokens of ${preserve_recent_tokens}`,
      );
      // With everything in it there is no tail at all.
      if (made.keep.length > 0) {
        assert.ok(made.keep.length >= longest);
        longest = made.keep.length;
      }
    }
  });
});

test("a larger protect never clears more", () => {
  each(PRUNES, (messages, config) => {
    let least = Number.POSITIVE_INFINITY;
    for (const protect of [0, 100, 500, 2_000, 10_000]) {
      const { partIDs, saved, items } = prune(messages, { ...config, protect });
      assert.ok(partIDs.length <= least);
      least = partIDs.length;
      assert.equal(
        items.reduce((sum, one) => sum + one.tokens, 0),
        saved,
      );
      assert.deepEqual(
        items.map(({ partID }) => partID),
        partIDs,
      );
    }
  });
});

test("pruning twice is pruning once; undone it is as it was; nothing but marks differs", () => {
  each(PRUNES, (messages, config) => {
    const made = prune(messages, config);
    const pruned = frozen(applyPrune(messages, made, 1_800_000_000_000));
    assert.deepEqual(json(applyPrune(pruned, made, 1_900_000_000_000)), json(pruned));
    assert.deepEqual(prune(pruned, config).partIDs, []);
    assert.deepEqual(json(undo(pruned, made)), json(messages));
    const cleared = new Set(made.partIDs);
    for (const [at, message] of pruned.entries()) {
      if (!message.parts.some(({ id }) => cleared.has(id))) assert.equal(message, messages[at]);
      assert.equal(message.info, messages[at].info);
      for (const [place, part] of message.parts.entries()) {
        const old = messages[at].parts[place];
        if (!cleared.has(part.id)) assert.equal(part, old);
        else {
          assert.equal(part.state.time.compacted, 1_800_000_000_000);
          assert.equal(part.state.output, old.state.output);
          assert.equal(part.state.input, old.state.input);
          assert.equal(part.state.attachments, old.state.attachments);
        }
      }
    }
    const outputs = toModelMessage(pruned).flatMap(({ parts }) => parts);
    const calls = outputs.filter(({ type }) => type.startsWith("tool-"));
    assert.ok(
      calls.every(({ output, errorText }) => output !== undefined || errorText !== undefined),
    );
  });
});

test("a summary keeps every old message, is undone exactly, and leaves each call its result", () => {
  each(CONFIGS, (messages, config, seed) => {
    for (const overflow of [false, true]) {
      const made = plan(messages, { model, config, overflow });
      const after = applySummary(messages, made, SUMMARY, meta({ overflow }));
      const last = messages.at(-1);
      const isOpen = last.parts.length > 0 && last.parts.every(({ type }) => type === "compaction");
      const kept = messages.length - (isOpen ? 1 : 0);
      for (let at = 0; at < kept; at++) assert.equal(after[at], messages[at]);
      const compaction = after.find(({ info }) => info.id === after[kept].info.id);
      assert.deepEqual(json(undo(after, { compactionID: compaction.info.id })), json(messages));
      const view = filterCompacted(after);
      assert.equal(view[0].info.id, compaction.info.id);
      assert.equal(view[1].info.summary, true);
      assert.ok(view[1].parts[0].text.startsWith(SUMMARY));
      const sent = toModelMessage(view);
      const calls = sent
        .flatMap(({ parts }) => parts)
        .filter(({ type }) => type.startsWith("tool-"));
      assert.ok(calls.every((one) => one.output !== undefined || one.errorText !== undefined));
      assert.equal(new Set(calls.map(({ toolCallId }) => toolCallId)).size, calls.length);
      // What the user said last is kept, pinned or asked again.
      const asked = messages.filter(
        ({ info, parts }) =>
          info.role === "user" && parts.every(({ type }) => type !== "compaction"),
      );
      const words = asked.at(-1)?.parts.find(({ type, synthetic, ignored }) => {
        return type === "text" && !synthetic && !ignored;
      });
      const shown = filterCompacted(messages).some(({ info }) => info.id === asked.at(-1)?.info.id);
      if (words?.text.trim() && shown && (config.pinUser ?? 2_000) >= 2_000) {
        assert.ok(
          JSON.stringify(sent).includes(JSON.stringify(words.text).slice(1, -1)),
          `the last words are lost (overflow ${overflow})`,
        );
      }
      const valid = validateOf(after, messages);
      assert.deepEqual(valid, [], `seed ${seed}`);
    }
  });
});

/** The errors of a history that are not those of the history before. */
function validateOf(after, before) {
  const errors = (messages) =>
    PartValidator.validateTranscript(messages).problems.filter(
      ({ severity }) => severity === "error",
    );
  const known = errors(before).length;
  return errors(after).slice(known);
}

test("every word of the user in what is summarised is in the summary's message", () => {
  each([{ pinUser: 100_000 }], (messages, config) => {
    const made = plan(messages, { model, config });
    const after = applySummary(messages, made, SUMMARY, meta());
    const [{ text }] = filterCompacted(after)[1].parts;
    const summarised = new Set(made.summarise);
    for (const { info, parts } of messages) {
      if (info.role !== "user" || !summarised.has(info.id)) continue;
      for (const part of parts) {
        if (part.type === "text" && !part.synthetic && !part.ignored && part.text.trim()) {
          assert.ok(text.includes(part.text));
        }
      }
    }
  });
});

test("the view of the view is the view, but where an older compaction stands inside the tail", () => {
  each([{}], (messages) => {
    const view = filterCompacted(messages);
    assert.ok(view.every((one) => messages.includes(one)));
    const finished = view.slice(2).some(({ info }) => info.summary && info.finish && !info.error);
    if (!finished) assert.deepEqual(ids(filterCompacted(view)), ids(view));
  });
});

test("the same plan over a transcript, and the same plan again", () => {
  each([...CONFIGS, ...PRUNES], (messages, config) => {
    const bytes = new TextEncoder().encode(JSON.stringify(messages));
    const transcript = Transcript.open(bytes);
    const input = { model, config };
    const made = plan(messages, input);
    assert.deepEqual(plan(messages, input), made);
    const over = plan(transcript, input);
    assert.deepEqual(over, made);
    assert.deepEqual(prune(transcript, config), prune(messages, config));
    assert.deepEqual(
      SessionCompaction.check({ messages: transcript, ...input }),
      SessionCompaction.check({ messages, ...input }),
    );
    assert.deepEqual(ids(filterCompacted(transcript)), ids(filterCompacted(messages)));
    assert.deepEqual(
      SessionCompaction.summaryRequest(transcript, over),
      SessionCompaction.summaryRequest(messages, made),
    );
    transcript.free();
  });
});

test("an id or a mark that differs makes a plan stale", () => {
  const messages = madeHistory(7, { marks: false });
  const made = plan(messages, { model });
  const stale = (change) => {
    const other = json(messages);
    change(other);
    assert.throws(
      () => applySummary(other, made, SUMMARY, meta()),
      (error) => error.name === "CompactionError" && error.details.reason === "stale_plan",
    );
  };
  stale((all) => all.pop());
  stale((all) => {
    all[3].info.id = "other";
  });
  stale((all) => {
    all[0].parts[0].id = "other";
  });
  stale((all) => {
    const [tool] = all
      .flatMap(({ parts }) => parts)
      .filter(({ state }) => state?.status === "completed");
    tool.state.time.compacted = 5;
  });
  assert.ok(applySummary(json(messages), json(made), SUMMARY, meta()).length > messages.length);
});

test("an estimate is a number, and never smaller with a message more", () => {
  each([{ estimator: "chars" }, { estimator: "classes" }], (messages, options) => {
    const plain = json(messages)
      .filter(
        ({ info, parts }) => !info.summary && parts.every(({ type }) => type !== "compaction"),
      )
      .map(({ info, parts }) => ({ info: { ...info, tokens: undefined }, parts }));
    let before = 0;
    let sum = 0;
    for (let end = 0; end <= plain.length; end++) {
      const { tokens, source } = estimate(plain.slice(0, end), options);
      assert.ok(Number.isFinite(tokens) && tokens >= before);
      assert.equal(source, "counted");
      before = tokens;
      if (end > 0) sum += estimate([plain[end - 1]], options).tokens;
      assert.equal(tokens, sum);
    }
    const { tokens, base, added, factor, media } = estimate(messages, options);
    assert.equal(tokens, base + added);
    assert.ok(factor >= 0.5 && factor <= 2 && media >= 0 && media <= added);
  });
});

const TRUNCATIONS = [
  {},
  { tail_turns: 1 },
  { tail_turns: 0, estimator: "classes" },
  { preserve_recent_tokens: 300 },
  { preserve_recent_tokens: 2_000 },
  { preserve_recent_tokens: 2_000, estimator: "classes" },
];
const callsOf = (messages) =>
  messages.flatMap(({ parts }) =>
    parts.filter(({ type }) => type === "tool").map(({ id, state }) => `${id} ${state?.status}`),
  );

test("a truncation deletes nothing, keeps whole turns, fits or says why not, and is undone", () => {
  let dropped = 0;
  for (const overflow of [false, true]) {
    each(TRUNCATIONS, (messages, config) => {
      const input = { model, config, overflow, strategy: "truncate" };
      const made = plan(messages, input);
      assert.deepEqual(made, plan(messages, input));
      assert.deepEqual(made.summarise, []);
      assert.deepEqual(made.pinned, []);
      const view = filterCompacted(messages);
      // What stays is the end of what was shown, and begins with a turn.
      const shown = made.items.map(({ messageID }) => messageID);
      assert.deepEqual([...made.drop, ...made.keep], shown);
      const first = view.find(({ info }) => info.id === made.keep[0]);
      const rules = made.problems.map(({ rule }) => rule);
      if (made.drop.length === 0) {
        assert.ok(rules.includes("CP-2"));
        assert.equal(made.tailStartID, undefined);
        assert.deepEqual(applyTruncation(messages, made, meta()), messages);
      } else {
        dropped++;
        assert.equal(first.info.role, "user");
        assert.equal(made.tailStartID, first.info.id);
      }
      const budget = config.preserve_recent_tokens ?? 8_000;
      const kept = made.items.filter(({ action }) => action === "keep");
      const tokens = kept.reduce((sum, one) => sum + one.tokens, 0);
      assert.ok((tokens <= budget && made.fits) || rules.includes("CP-6"), `${tokens}: ${rules}`);
      // Only the newest turn may be larger.
      if (rules.includes("CP-6"))
        assert.ok(
          kept.length === 0 || !kept.slice(1).some(({ messageID }) => isTurn(view, messageID)),
        );

      const after = frozen(applyTruncation(messages, made, meta()));
      const isOpen = made.drop.length > 0 && after.length === messages.length + 1;
      const old = messages.slice(0, messages.length - (isOpen ? 1 : 0));
      assert.ok(old.every((message, at) => after[at] === message));
      if (made.drop.length === 0) return;
      const [compaction, notice, ...rest] = filterCompacted(after);
      assert.equal(notice.parts[0].text, TRUNCATION_NOTICE);
      assert.equal(notice.parts[1]?.text, made.previousSummary);
      const hides = hidesOf(rest);
      assert.deepEqual(ids(rest.filter((one) => !hides(one))), made.keep);
      assert.deepEqual(
        callsOf(rest),
        callsOf(messages.filter(({ info }) => ids(rest).includes(info.id))),
      );
      const sent = toModelMessage(filterCompacted(after));
      assert.equal(sent[1].parts[0].text, TRUNCATION_NOTICE);
      assert.deepEqual(json(undo(after, { compactionID: compaction.info.id })), json(messages));
      assert.deepEqual(validateOf(after, messages), []);
      const transcript = Transcript.open(new TextEncoder().encode(JSON.stringify(messages)));
      assert.deepEqual(json(transcript.plan(input)), json(made));
      transcript.free();
    });
  }
  assert.ok(dropped > 200, `${dropped}`);
});

const isTurn = (view, id) =>
  view.some(
    ({ info, parts }) =>
      info.id === id && info.role === "user" && parts.every(({ type }) => type !== "compaction"),
  );

test("a strategy that does not exist is refused, and so is the plan of another", () => {
  const messages = madeHistory(7, { marks: false });
  assert.throws(
    () => plan(messages, { model, strategy: "forget" }),
    ({ name, details }) => name === "CompactionError" && details.field === "strategy",
  );
  const made = plan(messages, { model, strategy: "summary" });
  assert.deepEqual(made, plan(messages, { model }));
  assert.throws(
    () => applyTruncation(messages, made, meta()),
    ({ name, details }) => name === "CompactionError" && details.field === "strategy",
  );
});
