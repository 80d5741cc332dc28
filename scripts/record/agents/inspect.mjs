// Logs of Inspect: JSON, and archives of it.
import { archive } from "./archive.mjs";
import { clock, DOT } from "./clock.mjs";

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const MODEL = "openai/gpt-made-up-2";

const evaluation = (run_id, task, samples) => ({
  ...{ run_id, created: "2026-03-13T13:00:00+00:00", task, task_version: 0, model: MODEL },
  dataset: { name: task, samples },
});
const stats = {
  started_at: "2026-03-13T13:00:00+00:00",
  completed_at: "2026-03-13T13:02:00+00:00",
};

const user = (id, content) => ({ id, role: "user", content, source: "input" });
const answer = (id, content, calls) => ({
  ...{ id, role: "assistant", content, source: "generate", model: "gpt-made-up-2" },
  ...(calls ? { tool_calls: calls } : {}),
});
const call = (id, name, input) => ({ id, function: name, arguments: input });
const result = (tool_call_id, name, content, error) => ({
  ...{ id: `r-${tool_call_id}`, role: "tool", content, tool_call_id, function: name },
  ...(error ? { error } : {}),
});

/** The events of a model's answers: times and tokens. */
function modelEvents(messages, start) {
  const tick = clock(start);
  return messages
    .filter(({ role }) => role === "assistant")
    .map(({ id, tool_calls }, at) => {
      const [input_tokens, output_tokens] = [100 + at * 40, 20 + at];
      const choices = [
        { message: { role: "assistant", id }, stop_reason: tool_calls ? "tool_calls" : "stop" },
      ];
      const usage = { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens };
      const times = { timestamp: tick(1000), completed: tick(1500) };
      return { event: "model", ...times, model: MODEL, output: { model: MODEL, choices, usage } };
    });
}

/** A sample with events of its answers. */
function sample(id, epoch, messages, { score = "C", ...more } = {}) {
  const events = modelEvents(messages, `2026-03-13T13:00:${10 + epoch}Z`);
  return {
    ...{ id, epoch, input: "see messages", target: "12.42", messages },
    ...{ scores: { match: { value: score, answer: "12.42", explanation: "compared" } }, events },
    ...more,
  };
}

/** One sample of a question and its answer. */
const short = () => {
  const messages = [user("u1", "How long is a tide?"), answer("a1", "12.42 hours.")];
  return {
    ...{ version: 2, status: "success", eval: evaluation("run-short", "tides", 1) },
    ...{ plan: { name: "plan", steps: [] }, stats, samples: [sample("tide", 1, messages)] },
  };
};

const noSamples = () => ({
  ...{ version: 2, status: "cancelled", eval: evaluation("run-none", "tides", 0) },
  ...{ stats, results: { total_samples: 0, completed_samples: 0, scores: [] } },
});

/** Results that are errors of each kind, an error of the sample, and a limit. */
function toolErrors() {
  const kinds = ["parsing", "timeout", "unicode_decode", "permission", "file_not_found", "limit"];
  const calls = kinds.map((kind, at) => call(`c${at}`, "bash", { cmd: `try ${kind}` }));
  const results = kinds.map((type, at) =>
    result(`c${at}`, "bash", "", { type, message: `It went wrong: ${type}` }),
  );
  const messages = [user("u1", "Try all of them."), answer("a1", "I try.", calls), ...results];
  return {
    ...{ version: 2, status: "error", eval: evaluation("run-errors", "errors", 1), stats },
    samples: [
      sample("errors", 1, messages, {
        ...{ score: "I", error: { message: "The sandbox was gone.", traceback: "…" } },
        limit: { type: "token", limit: 120 },
      }),
    ],
    error: { message: "A sample failed", traceback: "…" },
  };
}

/** A game of questions; texts that stand in attachments. */
function guesses(epoch) {
  const [first, second] = [`c${epoch}-1`, `c${epoch}-2`];
  const picture = { type: "image", image: `data:image/png;base64,${DOT}` };
  const messages = [
    { id: `s${epoch}`, role: "system", content: "Guess the number." },
    user(`u${epoch}`, [{ type: "text", text: "attachment://0f0e" }, picture]),
    answer(
      `a${epoch}-1`,
      [
        { type: "reasoning", reasoning: "The middle first.", signature: "bWFkZSB1cA==" },
        { type: "text", text: "Fifty?" },
      ],
      [call(first, "guess", { number: 50 })],
    ),
    result(first, "guess", "too high"),
    answer(`a${epoch}-2`, "Twelve?", [call(second, "guess", { number: 12 })]),
    result(second, "guess", "right"),
    answer(`a${epoch}-3`, `It was 12, in epoch ${epoch}.`),
  ];
  const attachments = { "0f0e": "I have a number between 1 and 100 in mind." };
  return sample("guess", epoch, messages, { attachments });
}

/** The entries of an archive: a start, samples, and what the run came to. */
const entries = (log, samples) => [
  ["_journal/start.json", JSON.stringify({ version: 2, eval: log.eval })],
  ...samples.map((one) => [`samples/${one.id}_epoch_${one.epoch}.json`, JSON.stringify(one)]),
  ["summaries.json", "[]"],
  ["header.json", JSON.stringify({ ...log, samples: undefined })],
];

const guessing = {
  ...{ version: 2, status: "success", eval: evaluation("run-guess", "guess", 2), stats },
};

export const inspect = {
  "inspect.short.json": () => json(short()),
  "inspect.no-samples.json": () => json(noSamples()),
  "inspect.tool-errors.json": () => json(toolErrors()),
  "inspect.short.eval": () => archive(entries(short(), short().samples), { isStored: true }),
  "inspect.guesses.eval": () => archive(entries(guessing, [guesses(1), guesses(2)])),
};
