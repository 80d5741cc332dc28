// The recorded compactions: limits, prompts, and what the model answers.
import { history } from "./histories.mjs";

let calls = 0;
const bash = (command) => ({
  ...{ id: `call_${++calls}`, name: "bash", input: { command, description: "Run" } },
});
const numbers = (from) => bash(`seq ${from} ${from + 899}`);
const FIRST = { text: "## Objective\n- first summary ALPHA" };
const SECOND = { text: "## Objective\n- second summary BETA" };

const DOT = {
  ...{ type: "file", mime: "image/png", filename: "dot.png" },
  url: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
};
const LOOK = { parts: [{ type: "text", text: "Look at this" }, DOT] };
const prompts = (...texts) => texts.map((prompt) => ({ prompt }));
const summarize = { summarize: 1 };
const refused = { status: 413, message: "request entity too large" };

/** A step at the threshold to the token is not over it, the next is. */
const edge = (threshold) => [
  { calls: [bash("echo a")], input: threshold - 11, output: 10 },
  { calls: [bash("echo b")], input: threshold - 10, output: 10 },
  FIRST,
  { text: "done", input: 100 },
];

/** Imported, then prompted; `made` are the prompts. */
const imported = (name, made = prompts("Go on"), answers = [{ text: "ok" }]) => ({
  ...{ context: 1_000_000, output: 8_000, history: history(name) },
  compaction: { prune: true, preserve_recent_tokens: 0 },
  ...{ steps: made, answers },
});

export const RUNS = {
  "auto-tail": {
    ...{ context: 14_000, output: 4_000, compaction: {} },
    steps: prompts("Read a lot", "And a last question"),
    answers: [
      { text: "Step 1.", calls: [numbers(1000)] },
      { text: "Step 2.", calls: [numbers(2000)] },
      { text: "Step 3.", calls: [numbers(3000)] },
      FIRST,
      { text: "Step 4.", calls: [numbers(4000)] },
      { text: "Read it all." },
      SECOND,
      { text: "Read it all, and no more." },
      { text: "That was it." },
    ],
  },
  "auto-off": {
    ...{ context: 24_000, output: 8_000, compaction: { auto: false } },
    steps: prompts("Never compact"),
    answers: [
      { calls: [bash("echo a")], input: 23_000 },
      { text: "done", input: 23_500 },
    ],
  },
  "edge-context": {
    ...{ context: 24_000, output: 8_000, compaction: {} },
    steps: prompts("Edge of the threshold"),
    answers: edge(16_000),
  },
  "auto-reserved": {
    ...{ context: 30_000, output: 8_000, input: 26_000 },
    compaction: { reserved: 12_000, preserve_recent_tokens: 0 },
    steps: prompts("Edge of the threshold"),
    answers: edge(14_000),
  },
  "manual-twice": {
    ...{ context: 200_000, output: 8_000, compaction: {} },
    steps: [
      ...[...prompts("Hello", "And now?"), summarize],
      ...[...prompts("Third"), summarize, ...prompts("Fourth")],
    ],
    answers: [
      { reasoning: "think one", calls: [bash("echo one")] },
      { text: "One." },
      { calls: [bash("echo two")] },
      ...[{ text: "Two." }, FIRST, { text: "Three." }, SECOND, { text: "Four." }],
    ],
  },
  "overflow-413-replay": {
    ...{ context: 200_000, output: 8_000, compaction: {} },
    steps: [...prompts("First question"), LOOK, ...prompts("More")],
    answers: [
      ...[{ text: "Earlier answer." }, refused, FIRST],
      ...[{ text: "After replay." }, { text: "Next." }],
    ],
  },
  "overflow-mid-turn": {
    ...{ context: 200_000, output: 8_000, compaction: {} },
    steps: prompts("First question", "Second question", "More"),
    answers: [
      ...[{ text: "Earlier answer." }, { calls: [bash("echo work")] }, refused, FIRST],
      ...[{ text: "After replay." }, { text: "Next." }],
    ],
  },
  "imp-tail": imported("imp-tail"),
  "imp-tail-missing": imported("imp-tail-missing"),
  "imp-tail-splits-turn": imported("imp-tail-splits-turn"),
  "imp-two-tail-over": imported("imp-two-tail-over"),
  "imp-summary-error": imported("imp-summary-error"),
  "imp-states": imported("imp-states"),
  "imp-compact-media": imported(
    "imp-compact-media",
    [summarize, ...prompts("Go on")],
    [{ text: "## Objective\n- fresh summary DELTA" }, { text: "ok" }],
  ),
  "imp-prune-below-minimum": imported("imp-prune-below-minimum", prompts("Go on", "Again"), [
    { text: "ok" },
    { text: "ok" },
  ]),
};
