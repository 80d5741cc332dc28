// Rules of parts and messages, and of compactions.
import type { Entry, Rule } from "./rule.ts";
import { answer, compacted, ID, IDS, prompt, summary, text, tool } from "./values.ts";

const SOURCE = "parts and messages";

const PART_ENTRIES: Entry[] = [
  {
    code: "BR-01",
    severity: "error",
    says: "A part has `id`, `sessionID` and `messageID`: strings that are not empty.",
    cure: "Give every part its three ids; `createTextPart` and the other `create…` functions generate the `id`.",
    example: ({ PartValidator }) => PartValidator.validatePart(text({ id: "" })),
  },
  {
    code: "BR-02",
    severity: "error",
    says: "Part ids are unique within a message.",
    cure: "Generate a new id for each part (`generatePartId`); a part that is sent again replaces the earlier one.",
    example: ({ PartValidator }) =>
      PartValidator.validateMessage({
        info: answer({}),
        parts: [text({ id: "a" }), text({ id: "a" })],
      }),
  },
  {
    code: "BR-03",
    severity: "error",
    says: "The `type` of a part is a string. A part of a type that the model does not define is a custom part, not an error.",
    cure: "Set `type` to a type of the model, or to your own name.",
    example: ({ PartValidator }) => PartValidator.validatePart({ ...IDS, type: 7 }),
  },
  {
    code: "BR-04",
    severity: "error",
    says: 'Session and message ids are UUIDs of any version; with `ids: "opencode"`, any string that is not empty.',
    cure: 'Use `generateMessageId`, or validate sessions from OpenCode and Claude Code with `ids: "opencode"`.',
    example: ({ PartValidator }) => PartValidator.validatePart(text({ sessionID: "ses_1" })),
  },
  {
    code: "BR-05",
    severity: "error",
    says: "A tool state goes from pending to running, and from there to completed or error; requesting the current status changes nothing.",
    cure: "Go through `running` first; do not change a state that has ended. `details.validTransitions` lists what is possible.",
    source: "tool states",
    example: ({ ToolStateTransition }) => {
      const pending = ToolStateTransition.createPending({}, "{}");
      return ToolStateTransition.runningToCompleted(pending, "done", 2);
    },
  },
  {
    code: "BR-06",
    severity: "error",
    says: "A pending state has the string `raw`: the arguments as they arrived.",
    cure: 'Store the argument text while it streams, `""` before the first piece.',
    example: ({ PartValidator }) =>
      PartValidator.validatePart(tool({ status: "pending", input: {} })),
  },
  {
    code: "BR-07",
    severity: "error",
    says: "A running state has `time.start`.",
    cure: "Set the time at which the tool started, in milliseconds since 1970.",
    example: ({ PartValidator }) =>
      PartValidator.validatePart(tool({ status: "running", input: {}, time: {} })),
  },
  {
    code: "BR-08",
    severity: "error; a warning if it ended before it started",
    says: "A completed or failed state has `time.end`, which is not before `time.start`.",
    cure: "Set the time at which the tool ended; check the clocks if it is before the start.",
    example: ({ PartValidator }) =>
      PartValidator.validatePart(
        tool({ status: "error", input: {}, error: "no", time: { start: 1 } }),
      ),
  },
  {
    code: "BR-09",
    severity: 'error; a warning with `ids: "opencode"`, and for a transcript',
    says: "The output of a completed tool is not empty.",
    cure: 'Say that there is no output, for example "(no output)": a model mistakes an empty result for an error.',
    example: ({ PartValidator }) => {
      const rest = { title: "", metadata: {}, time: { start: 1, end: 2 } };
      return PartValidator.validatePart(
        tool({ status: "completed", input: {}, output: "", ...rest }),
      );
    },
  },
  {
    code: "BR-10",
    severity: "error",
    says: "The error of a failed tool is not blank.",
    cure: "Say what failed and what to do, so that the model can act on it.",
    example: ({ PartValidator }) =>
      PartValidator.validatePart(
        tool({ status: "error", input: {}, error: " ", time: { start: 1, end: 2 } }),
      ),
  },
  {
    code: "BR-11",
    says: "The `summary` of a user message is written only when the context is compacted.",
    cure: "Nothing to do: the field is optional, and its presence is not checked.",
    never: "A message does not show when a field was written.",
  },
  {
    code: "BR-12",
    says: "The `cost` of an assistant message is the one that the provider reported, in US dollars.",
    cure: "Pass on the cost from the provider's answer, or 0 if it contains none.",
    never:
      "A message does not show where a number comes from; `schema` checks that it is a number.",
  },
  {
    code: "BR-13",
    severity: "error; a warning for the counts of a step",
    says: "The `tokens` of an assistant message have input, output, reasoning, cache.read and cache.write, none of them negative.",
    cure: "Set all five counts, with 0 for those that the provider does not report.",
    example: ({ PartValidator }) =>
      PartValidator.validateMessage({
        info: answer({ tokens: { input: 1, output: 1, reasoning: 0 } }),
        parts: [],
      }),
  },
  {
    code: "BR-14",
    severity: "warning",
    says: "An assistant message that has `finish` has `time.completed`.",
    cure: "Set `time.completed` when the message ends.",
    example: ({ PartValidator }) =>
      PartValidator.validateMessage({ info: answer({ finish: "stop" }), parts: [] }),
  },
  {
    code: "WP-1",
    severity: "error",
    says: "A part has the ids of the message and the session that contain it.",
    cure: "Set `messageID` and `sessionID` to those of the message, also when you copy a part to another message.",
    example: ({ PartValidator, generateMessageId }) =>
      PartValidator.validateMessage({
        info: answer({}),
        parts: [text({ messageID: generateMessageId() })],
      }),
  },
  {
    code: "WP-2",
    severity: "warning",
    says: "The step-start and step-finish parts of a message come in pairs, in order.",
    cure: "End each step before the next one starts. If a run was interrupted during a step, that step has no end.",
    example: ({ PartValidator }) =>
      PartValidator.validateMessage({
        info: answer({}),
        parts: [{ ...IDS, type: "step-start" }],
      }),
  },
  {
    code: "WP-3",
    severity: "warning",
    says: "A completed message has no pending or running tool.",
    cure: "End the remaining calls with `ToolStateTransition.abort` or `expire`.",
    example: ({ PartValidator }) =>
      PartValidator.validateMessage({
        info: answer({ time: { created: 1, completed: 2 } }),
        parts: [tool({ status: "running", input: {}, time: { start: 1 } })],
      }),
  },
];

export const PARTS: Rule[] = PART_ENTRIES.map((rule) => ({ source: SOURCE, ...rule }));

const COMPACTION_ENTRIES: Entry[] = [
  {
    code: "CP-1",
    severity: "warning",
    says: "The tail that a compaction keeps begins at an earlier message (`tail_start_id`).",
    cure: "Name a message before the compaction, or leave the field out. A tail that does not exist counts as absent.",
    example: ({ PartValidator }) => {
      const history = [compacted({ tail_start_id: "gone" }), summary({}, "s")];
      return PartValidator.validateTranscript(history, { ids: "opencode" });
    },
  },
  {
    code: "CP-2",
    severity: "warning",
    says: "A compaction makes the history smaller: its summary is shorter than what it replaces.",
    cure: "Keep less (`preserve_recent_tokens`), ask for a shorter summary, or continue without a compaction.",
    example: ({ PartValidator }) => {
      const history = [compacted({}), summary({}, "long ".repeat(500))];
      return PartValidator.validateTranscript(history, { ids: "opencode" });
    },
  },
  {
    code: "CP-3",
    severity: "warning",
    says: "A compaction that is not the last message has a summary that completed without an error.",
    cure: "Ask for the summary again, or remove the compaction: without a summary it hides nothing.",
    example: ({ PartValidator }) => {
      const history = [compacted({}), prompt("m3", [{ type: "text", text: "go on" }])];
      return PartValidator.validateTranscript(history, { ids: "opencode" });
    },
  },
  {
    code: "CP-4",
    severity: "error",
    says: "The parent of a summary is the message of a compaction.",
    cure: "Set the `parentID` of the summary to the message with the compaction part.",
    example: ({ PartValidator }) =>
      PartValidator.validateTranscript([summary({ parentID: ID }, "s")], { ids: "opencode" }),
  },
  {
    code: "CP-5",
    severity: "warning",
    says: "Only the output of a completed call can be cleared (`time.compacted`).",
    cure: "Remove `time.compacted` from states that are not completed.",
    example: ({ PartValidator }) =>
      PartValidator.validateMessage({
        info: answer({}),
        parts: [tool({ status: "running", input: {}, time: { start: 1, compacted: 3 } })],
      }),
  },
  {
    code: "CP-6",
    severity: "warning",
    says: "The newest turn, which a truncation never leaves out, fits in the budget of what stays.",
    cure: "Clear old outputs first (`prune`), let a model summarise, or raise `preserve_recent_tokens`.",
    example: ({ SessionCompaction }) =>
      SessionCompaction.plan([prompt("m1", [{ type: "text", text: "long ".repeat(5000) }])], {
        model: { limit: { context: 1000, output: 100 } },
        strategy: "truncate",
      }).problems,
  },
];

export const COMPACTIONS: Rule[] = COMPACTION_ENTRIES.map((rule) => ({
  source: "compaction",
  ...rule,
}));
