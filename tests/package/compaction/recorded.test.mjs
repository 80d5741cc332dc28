// What the real OpenCode cut, asked to be summarised and cleared in its recorded sessions is what the package plans.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, test } from "node:test";
import { SessionCompaction, Transcript, toModelMessage } from "apex-parts";
import { isOthers, recorded, recordedFiles } from "../../recorded.mjs";

const EXPORT = /\.export\.json$/;
const sessions = recordedFiles("opencode", EXPORT);
const names = recordedFiles("compaction", /\.setup\.json$/).map((path) =>
  basename(path, ".setup.json"),
);

function recording(name) {
  const text = (ending) => readFileSync(recorded("compaction", name + ending), "utf8");
  const requests = text(".requests.jsonl").trim().split("\n");
  return {
    setup: JSON.parse(text(".setup.json")),
    messages: JSON.parse(text(".export.json")).messages,
    summaries: requests.map((line) => JSON.parse(line)).filter(({ kind }) => kind === "summary"),
  };
}

const within = (text) => /<conversation>\n([\s\S]*?)\n?<\/conversation>/.exec(text)[1];
/** Without the ends of long outputs: in four recordings a path was shortened after they had been cut. */
const shortened = (text) =>
  text.replaceAll(/(\[Tool result\]: [\s\S]{1900})[\s\S]{0,140}?(?=\n\[truncated\])/g, "$1");
const isCompaction = ({ parts }) => parts.some(({ type }) => type === "compaction");

/** The history with outputs as they were before they were cleared. */
const uncleared = (messages) =>
  messages.map(({ info, parts }) => ({
    info,
    parts: parts.map((part) => {
      if (part.state?.time?.compacted === undefined) return part;
      const { compacted: _, ...time } = part.state.time;
      return { ...part, state: { ...part.state, time } };
    }),
  }));

describe("recorded compactions", () => {
  for (const name of names) {
    const { setup, messages, summaries } = recording(name);
    const model = { limit: { context: setup.context, output: setup.output } };
    if (setup.input) model.limit.input = setup.input;
    const config = setup.compaction ?? {};
    const places = [...messages.keys()].filter((at) => isCompaction(messages[at]));
    // Of imported sessions the last compactions are those that were asked for.
    // (An unfinished one is not asked for: OpenCode answers the next prompt with a summary instead.)
    const isAsked = summaries.length > 0 && name !== "imp-unfinished-compaction";
    const asked = isAsked ? places.slice(-summaries.length) : [];
    for (const [at, place] of asked.entries()) {
      test(`${name}: compaction ${at + 1}`, () => {
        const [part] = messages[place].parts;
        const before = messages.slice(0, place);
        const overflow = part.overflow === true;
        const plan = SessionCompaction.plan(before, { model, config, overflow });
        assert.equal(plan.tailStartID, part.tail_start_id);
        const [{ parts }] = SessionCompaction.summaryRequest(before, plan, { config });
        const ours = within(parts[0].text);
        const content = summaries[at].messages.at(-1).content;
        const theirs = within(typeof content === "string" ? content : content[0].text);
        assert.equal(shortened(ours), shortened(theirs));
      });
    }
    if (config.prune && name.startsWith("imp-prune")) {
      test(`${name}: what was cleared`, () => {
        const marked = messages.flatMap(({ parts }) =>
          parts.filter(({ state }) => state?.time?.compacted !== undefined),
        );
        // OpenCode prunes when a prompt has been answered; marks that were there before stay.
        const prompts = setup.steps.map(({ prompt }) => prompt);
        const lastAsked = messages.findLastIndex(({ parts }) =>
          parts.some(({ text }) => text === prompts.at(-1)),
        );
        const old = new Set(
          marked.filter(
            ({ state }) => state.time.compacted < messages[lastAsked - 2].info.time.created,
          ),
        );
        const history = uncleared(messages.slice(0, lastAsked + 2)).map((message, at) => ({
          ...message,
          parts: message.parts.map((part, place) =>
            old.has(messages[at].parts[place]) ? messages[at].parts[place] : part,
          ),
        }));
        const first = SessionCompaction.prune(history.slice(0, lastAsked), config);
        const all = new Set(first.partIDs);
        const pruned = SessionCompaction.applyPrune(
          history,
          SessionCompaction.prune(history, config),
          1,
        );
        for (const { parts } of pruned) {
          for (const { id, state } of parts) if (state?.time?.compacted === 1) all.add(id);
        }
        const expected = marked.filter((part) => !old.has(part)).map(({ id }) => id);
        assert.deepEqual([...all].sort(), expected.sort());
      });
    }
  }
});

/** How well the next prompt is foretold in a session: the relative errors of each step after the first report. */
function errors(messages, estimateOf) {
  const found = [];
  let isReported = false;
  for (const [at, { info }] of messages.entries()) {
    if (info.role !== "assistant" || info.summary || info.error || !info.finish) continue;
    const { input, cache } = info.tokens;
    const prompt = input + cache.read + cache.write;
    if (prompt === 0) continue;
    const before = SessionCompaction.estimate(messages.slice(0, at));
    if (isReported && before.source !== "counted") {
      found.push(Math.abs(estimateOf(messages.slice(0, at), before) - prompt) / prompt);
    }
    isReported = true;
  }
  return found;
}

describe("recorded sessions over transcripts", () => {
  for (const file of [...recordedFiles("compaction", EXPORT), ...sessions]) {
    test(basename(file), () => {
      const bytes = readFileSync(file);
      const { messages } = JSON.parse(bytes);
      const transcript = Transcript.open(bytes);
      const input = {
        model: { limit: { context: 24_000, output: 8_000 } },
        config: { prune: true },
      };
      assert.deepEqual(transcript.plan(input), SessionCompaction.plan(messages, input));
      assert.deepEqual(
        transcript.prune(input.config),
        SessionCompaction.prune(messages, input.config),
      );
      assert.deepEqual(transcript.check(input), SessionCompaction.check({ messages, ...input }));
      const view = transcript.filterCompacted();
      assert.ok(Array.isArray(view));
      assert.deepEqual(Array.from(view), SessionCompaction.filterCompacted(messages));
      assert.deepEqual(
        toModelMessage(view).map(({ parts }) => parts),
        toModelMessage(SessionCompaction.filterCompacted(messages)).map(({ parts }) => parts),
      );
      for (const estimator of ["chars", "classes"]) {
        const theirs = SessionCompaction.estimate(messages, { estimator });
        assert.deepEqual(transcript.estimate({ estimator }), theirs);
      }
      transcript.free();
    });
  }
});

test("an estimate of the next prompt is nearer than a quarter of the whole history", () => {
  const all = sessions.map((path) => JSON.parse(readFileSync(path, "utf8")).messages);
  const ours = all.flatMap((one) => errors(one, (_, { tokens }) => tokens));
  const plain = all.flatMap((one) =>
    errors(one, (history) => JSON.stringify(toModelMessage(history)).length / 4),
  );
  const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
  console.log(
    `foretold: ${(100 * mean(ours)).toFixed(1)} %, plain ${(100 * mean(plain)).toFixed(1)} % of ${ours.length}`,
  );
  assert.ok(ours.length > 5);
  assert.ok(mean(ours) < mean(plain));
});

// In `npm test` the labelled cases are run over what decides the view; here over the whole sessions.
if (isOthers) {
  const file = new URL("../../fixtures/vectors/compaction.json", import.meta.url);
  const { cases } = JSON.parse(readFileSync(file, "utf8"));
  test("the labelled cases hold for the sessions that they name", () => {
    for (const { id, input, expect } of cases.filter(({ fn }) => fn === "recording")) {
      const path = recorded(...input.file.split("/").slice(1));
      const { messages } = JSON.parse(readFileSync(path, "utf8"));
      const at = messages.findIndex(({ info }) => info.id === input.before);
      const view = SessionCompaction.filterCompacted(messages.slice(0, at));
      const ids = view.map(({ info }) => info.id);
      assert.deepEqual(ids, expect.view, id);
    }
  });
}
