// The kinds of loops that `DoomLoopDetector` and `findLoops` report: the `kind` of a verdict.
import type { Entry, Rule } from "./rule.ts";
import { looped } from "./values.ts";

const ENTRIES: Entry[] = [
  {
    code: "exact_repeat",
    action: "interrupt",
    says: "The same call is made three times in a row (`threshold`), with equal results as far as they are known.",
    cure: "Do not run the call; return `toErrorResponse()` to the model. List tools that are meant to be polled in `pollTools`.",
    example: ({ DoomLoopDetector }) =>
      looped(new DoomLoopDetector(), Array(3).fill({ input: { path: "a.txt" } })),
  },
  {
    code: "exact_error",
    action: "interrupt",
    says: "The same call fails three times in a row (`threshold`), whatever the errors.",
    cure: "Return `toErrorResponse()` to the model: the arguments, the path or the permissions have to change first.",
    example: ({ DoomLoopDetector }) => {
      const failing = { input: { path: "gone" }, result: "no such file", isError: true };
      return looped(new DoomLoopDetector(), Array(3).fill(failing));
    },
  },
  {
    code: "cycle",
    action: "interrupt",
    says: "A sequence of two to eight calls repeats: three times with equal results, or five times if results are not recorded.",
    cure: "Tell the model which calls form the cycle: send it `message`. List tools that change the situation in `boundaryTools`.",
    example: ({ DoomLoopDetector }) => {
      const turn = [
        { input: { path: "a.txt" }, result: "one" },
        { input: { path: "b.txt" }, result: "two" },
      ];
      return looped(new DoomLoopDetector(), [...turn, ...turn, ...turn]);
    },
  },
  {
    code: "interleaved_repeat",
    action: "warning",
    says: "The same call has returned the same result six times (four times if it failed), with other calls in between and no progress.",
    cure: "Send the model `message`: the answer is already in its history.",
    example: ({ DoomLoopDetector }) => {
      const calls = Array.from({ length: 6 }, (_, i) => [
        { input: { path: "a.txt" }, result: "the same" },
        { input: { path: `${i}.txt` }, result: `other ${i}` },
      ]);
      return looped(new DoomLoopDetector(), calls.flat().slice(0, -1));
    },
  },
  {
    code: "same_error",
    action: "warning",
    says: "A tool has failed five times with the same error, with different arguments. Parallel calls of one turn (`round` in `check`) count once. Times, process ids and addresses in the error are not compared.",
    cure: "The arguments are not the cause: check the tool's settings, or tell the model to do without it.",
    // biome-ignore format: it is shown in this form, without the type
    example: ({ DoomLoopDetector }) => {
      const failing = (i: number) => ({ input: { i }, result: "connection refused", isError: true });
      return looped(new DoomLoopDetector(), [1, 2, 3, 4, 5].map(failing));
    },
  },
  {
    code: "near_repeat",
    action: "warning",
    says: "Five calls in a row have nearly the same arguments and an identical result.",
    cure: "Send the model `message`: small changes to the arguments make no difference.",
    // biome-ignore format: it is shown in this form, without the type
    example: ({ DoomLoopDetector }) => {
      const words = "find all uses of the old name in the tests folder";
      const near = (i: number) => ({ input: { query: `${words} ${i}` }, result: "no matches were found" });
      return looped(new DoomLoopDetector(), [1, 2, 3, 4, 5].map(near));
    },
  },
  {
    code: "stagnation",
    action: "warning",
    says: "A tool returns an identical result of 64 bytes or more for six different arguments.",
    cure: "The result does not depend on the arguments: check the tool, or tell the model.",
    example: ({ DoomLoopDetector }) => {
      const page = "This page cannot be shown without an account. Please sign in first.";
      const asked = ["a", "b", "c", "d", "e", "f"].map((input) => ({ input, result: page }));
      return looped(new DoomLoopDetector(), asked);
    },
  },
  {
    code: "no_progress_read",
    action: "warning",
    says: "Eight reads in a row cover content that was read before, each at least nine tenths of it. Needs `range` in `check`.",
    cure: "Send the model `message`: the content is already in its history.",
    example: ({ DoomLoopDetector }) => {
      const reads = Array.from({ length: 9 }, (_, i) => ({
        input: { offset: i },
        range: { source: "a.txt", start: 0, end: 100 - i },
      }));
      return looped(new DoomLoopDetector(), reads);
    },
  },
  {
    code: "duplicate_fanout",
    action: "warning",
    says: "The same call is made eight times in one turn of the model. Needs `round` in `check`.",
    cure: "Run it once, and use its result for all of the calls.",
    example: ({ DoomLoopDetector }) =>
      looped(new DoomLoopDetector(), Array(8).fill({ input: { path: "a.txt" }, round: 1 })),
  },
  {
    code: "chanting",
    action: "interrupt",
    says: "Streamed text repeats a passage ten times in a row, or six times if the passage is longer than 64 characters. All repeats together have at least 48 characters, or 256 if they are all ASCII without white space. Fenced code and tables do not count.",
    cure: "Stop the request, and ask again with a different temperature or a repetition penalty.",
    example: ({ DoomLoopDetector }) => new DoomLoopDetector().text("I will try again. ".repeat(12)),
  },
  {
    code: "monologue",
    action: "warning",
    says: "The model gives the same answer three times with no call in between.",
    cure: "Ask the user, or end the run: the model is waiting for something.",
    example: ({ DoomLoopDetector }) => {
      const detector = new DoomLoopDetector();
      for (let turn = 0; turn < 3; turn++) {
        detector.text("The tests pass now.");
        detector.event("assistant");
      }
      return detector.detect();
    },
  },
  {
    code: "repeated_reasoning",
    action: "warning",
    says: "The model repeats the same reasoning three times with no call in between.",
    cure: "Send the model `message`, or less history: it does not notice that it is repeating itself.",
    example: ({ DoomLoopDetector }) => {
      const detector = new DoomLoopDetector();
      for (let turn = 0; turn < 3; turn++) {
        detector.text("I should look at the tests first.", "reasoning");
        detector.event("assistant");
      }
      return detector.detect();
    },
  },
  {
    code: "context_loop",
    action: "interrupt",
    says: "The context was compacted three times with nothing in between.",
    cure: "What remains does not fit: keep less (`preserve_recent_tokens`), clear outputs, or use a model with a larger context.",
    example: ({ DoomLoopDetector }) => {
      const detector = new DoomLoopDetector();
      for (let i = 0; i < 3; i++) detector.event("compaction");
      return detector.detect();
    },
  },
  {
    code: "max_iterations",
    action: "interrupt",
    says: "There are more calls since the last user message than `maxIterations` allows (50).",
    cure: "Set the number that your runs need; for finished sessions, `Number.MAX_SAFE_INTEGER`.",
    example: ({ DoomLoopDetector }) => {
      const calls = Array.from({ length: 3 }, (_, i) => ({ input: { i } }));
      return looped(new DoomLoopDetector({ maxIterations: 2 }), calls);
    },
  },
];

export const LOOPS: Rule[] = ENTRIES.map((kind) => ({ source: "loops", ...kind }));
