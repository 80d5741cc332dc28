// Rules of streams of deltas and of the messages of a run.
import type { Entry, Rule } from "./rule.ts";
import { CALL, delta, START, said } from "./values.ts";

const ENTRIES: Entry[] = [
  {
    code: "DC-1",
    severity: "error",
    says: "`start` is the first delta of a stream and occurs once.",
    cure: "Send `start` before anything else; create a new assembler for the next answer.",
    example: ({ DeltaAssembler }) =>
      new DeltaAssembler().push(delta(1, "text", { textDelta: "hi" })),
  },
  {
    code: "DC-2",
    severity: "error",
    says: "Exactly one `done` or `error` ends a stream, and nothing follows it.",
    cure: "A stream without an end was truncated: repeat the request; `preview()` has what arrived. For a file with several answers, use `readDeltas` or `Transcript.open`.",
    example: ({ DeltaAssembler }) => {
      const assembler = new DeltaAssembler();
      assembler.push(START);
      assembler.end();
      return assembler.problems();
    },
  },
  {
    code: "DC-3",
    severity: "error",
    says: "`seq` strictly increases within a stream; gaps are fine.",
    cure: 'Number the deltas in the order in which they are sent; if the transport repeats deltas, use `onDuplicate: "ignore"`.',
    example: ({ DeltaAssembler }) => {
      const assembler = new DeltaAssembler();
      assembler.push(START);
      assembler.push(delta(1, "text", { textDelta: "hi" }));
    },
  },
  {
    code: "DC-4",
    severity: "error",
    says: "All deltas of a stream have the same `runId`.",
    cure: "Use one assembler for each run.",
    example: ({ DeltaAssembler }) => {
      const assembler = new DeltaAssembler();
      assembler.push(START);
      assembler.push({ ...delta(2, "text", { textDelta: "hi" }), runId: "other" });
    },
  },
  {
    code: "DC-5",
    says: "`text` and `thinking` are added to the part of their `block`, without one to the open part of their kind; only the start of another part closes that. Parts are in the order of their first deltas.",
    cure: "Nothing to do: the rule defines how a message is assembled.",
    never: "Text deltas are allowed in any order.",
  },
  {
    code: "DC-6",
    severity: "error",
    says: "Arguments and the end of a call belong to a call that has started and has not ended.",
    cure: "Send `tool_call_start` first, and nothing for a call after its `tool_call_end`.",
    example: ({ DeltaAssembler }) => {
      const assembler = new DeltaAssembler();
      assembler.push(START);
      assembler.push(delta(2, "tool_call_end", { toolCallId: "c1" }));
    },
  },
  {
    code: "DC-7",
    says: "`tool_call_end` parses the arguments; blank text becomes `{}`. If the text is not JSON, `arguments` is `{}`, `rawArgsText` keeps the text, and `meta.parseErrors` says what is wrong.",
    cure: "Check `meta.parseErrors` before you run a call, and tell the model what is wrong with its arguments.",
    never: "Arguments that are not JSON are reported in `meta`, because models do send them.",
  },
  {
    code: "DC-8",
    severity: "error",
    says: "The id of a tool call is unique in its run.",
    cure: "Give each call a different id, also across the answers of a run.",
    example: ({ DeltaAssembler }) => {
      const assembler = new DeltaAssembler();
      assembler.push(START);
      assembler.push(CALL);
      assembler.push({ ...CALL, seq: 3 });
    },
  },
  {
    code: "DC-9",
    severity: "error; a warning if a result is missing",
    says: "Each tool call has one result.",
    cure: "Answer each call once; a provider refuses a history that has a call without a result.",
    example: ({ checkRun }) => {
      const call = { toolCallId: "c1", toolName: "read", arguments: {} };
      const result = { toolCallId: "c1", isError: false, content: "ok" };
      return checkRun([
        said("assistant", "tool_call", call),
        said("tool", "tool_result", result),
        said("tool", "tool_result", result),
      ]);
    },
  },
  {
    code: "DC-10",
    severity: "error",
    says: "A tool result refers to a call that came before it.",
    cure: "Keep the message with the call; leave out results whose call was left out.",
    example: ({ checkRun }) => {
      const result = { toolCallId: "c1", isError: false, content: "ok" };
      return checkRun([said("tool", "tool_result", result)]);
    },
  },
  {
    code: "DC-11",
    severity: "warning",
    says: "Usage is summed over a stream, and the sum is not negative.",
    cure: "Send increments, not running totals; the providers' readers do that by themselves.",
    example: ({ DeltaAssembler }) => {
      const assembler = new DeltaAssembler();
      assembler.push(START);
      assembler.push(delta(2, "usage", { inputTokens: -5, outputTokens: 0, totalTokens: -5 }));
      return assembler.problems();
    },
  },
  {
    code: "DC-12",
    says: "After `error` there is no message: `message()` is undefined, and the `meta` of the preview has `error`.",
    cure: "Use `meta.error.retryable` to decide whether to ask again; `preview()` has what arrived before the error.",
    never: "The rule defines what an error in a stream means.",
  },
  {
    code: "DC-13",
    says: "`providerRaw` is for debugging and has no effect.",
    cure: "Put what a message needs into `payload`.",
    never: "The field is not read.",
  },
  {
    code: "DC-14",
    severity: "error; a warning for a part of an unknown kind",
    says: "A system message contains only text and thinking; a user message only text, image and file_ref; an assistant message only text, thinking and tool_call; a tool message only tool_result.",
    cure: "Move the part to a message whose role allows it, correct its kind, or update the package.",
    example: ({ checkRun }) => checkRun([said("user", "thinking", { text: "hm" })]),
  },
  {
    code: "DC-15",
    severity: "warning",
    says: "A delta of an unknown `kind` is skipped, so that newer producers do not break older readers.",
    cure: "Update the package, or correct the kind.",
    example: ({ DeltaAssembler }) => {
      const assembler = new DeltaAssembler();
      assembler.push(START);
      assembler.push(delta(2, "smell", {}));
      return assembler.problems();
    },
  },
];

export const DELTAS: Rule[] = ENTRIES.map((rule) => ({ source: "deltas", ...rule }));
