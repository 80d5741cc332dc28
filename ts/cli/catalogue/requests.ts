// Rules of requests: what of a history is repaired, and what a provider does not get.
import type { Message, Problem } from "apex-parts";
import type { Entry, Rule } from "./rule.ts";
import { answer, prompt, text, told, tool } from "./values.ts";

/** What the examples import. */
type Exports = typeof import("apex-parts");

/** A history of the user's request and an answer with these parts. */
const history = (...parts: object[]) =>
  // A cast: some parts break what the types say.
  [prompt("m1", [text({})]), { info: answer({}), parts }] as unknown as Parameters<
    Exports["repair"]
  >[0];
const repaired = ({ repair }: Exports, ...parts: object[]) => repair(history(...parts));
/** What `toRequest` says of an answer with these parts. */
const asked = (
  { toRequest }: Exports,
  format: Parameters<Exports["toRequest"]>[0],
  ...parts: object[]
): Problem[] =>
  told((onProblem) =>
    toRequest(format, { model: "gemini-3-pro", messages: history(...parts), onProblem }),
  );
const done = { status: "completed", input: {}, output: "3 lines", title: "", metadata: {} };
const reasoning = text({ type: "reasoning", time: { start: 1 } });

const ENTRIES: Entry[] = [
  {
    code: "RP-1",
    says: "A call has a result, and its arguments are complete JSON.",
    cure: "Nothing: a call without a result gets the error `[Tool execution was interrupted]`, and half an input becomes `{}`; `fromMessages` keeps its text in the metadata.",
    example: (exports: Exports) => repaired(exports, tool({ status: "running", input: {} })),
  },
  {
    code: "RP-2",
    says: "A result answers a call before it, and each call has one result.",
    cure: "Add the message with the call, or remove the result; it is left out. Of two results the first counts.",
    example: ({ toRequest }: Exports) => {
      const payload = { toolCallId: "c1", isError: false, content: "3 lines" };
      const parts = [{ kind: "tool_result" as const, payload }];
      const messages = [{ runId: "r", role: "tool" as const, parts, timestamp: "" }];
      return told((onProblem) => toRequest("anthropic", { model: "m", messages, onProblem }));
    },
  },
  {
    code: "RP-3",
    says: "Each call has an id that no other call has.",
    cure: "Nothing, if the results stand behind their calls: the call gets another id, and its result with it.",
    example: (exports: Exports) => repaired(exports, tool(done), tool(done)),
  },
  {
    code: "RP-4",
    says: "A message says something.",
    cure: "Nothing: blank text and messages that say nothing are left out.",
    example: (exports: Exports) => repaired(exports, text({ text: " " })),
  },
  {
    code: "RP-5",
    says: "For Anthropic and Gemini, the first message is the user's; for Anthropic, a message of the model does not end in thinking, nor the last one in blanks.",
    cure: "Nothing: the user says `(continued)` first; what stands at the end is left out.",
    example: ({ repair }: Exports) => repair(history(text({})).slice(1), { format: "anthropic" }),
  },
  {
    code: "RP-6",
    says: "The provider takes the ids of calls.",
    cure: "Nothing: another id is sent, in the call and its result alike.",
    example: ({ repair }: Exports) =>
      repair(history({ ...tool(done), callID: "call.1" }), { format: "anthropic" }),
  },
  {
    code: "RP-7",
    says: "A result stands right behind its call.",
    cure: "Nothing: it is moved there.",
    example: ({ toRequest }: Exports) => {
      const message = (role: string, kind: string, payload: object) => ({
        ...{ runId: "r", role, timestamp: "", parts: [{ kind, payload }] },
      });
      const messages = [
        message("assistant", "tool_call", { toolCallId: "c1", toolName: "read", arguments: {} }),
        message("user", "text", { text: "Well?" }),
        message("tool", "tool_result", { toolCallId: "c1", isError: false, content: "3 lines" }),
        // A cast: each kind has its payload.
      ] as unknown as Message[];
      return told((onProblem) => toRequest("anthropic", { model: "m", messages, onProblem }));
    },
  },
  {
    code: "RP-8",
    says: "Messages and parts have their shape, inputs are objects, and text has no lone surrogates and no NUL.",
    cure: 'Nothing: an input becomes `{"value": …}`, lone surrogates become U+FFFD, NUL and what has no shape are left out.',
    example: (exports: Exports) => repaired(exports, tool({ ...done, input: "ls" })),
  },
  {
    code: "RP-9",
    says: "An output and an error say something.",
    cure: "Nothing: `(no output)` or `error` is sent.",
    example: (exports: Exports) => repaired(exports, tool({ ...done, output: "" })),
  },
  {
    code: "RP-10",
    says: "For Responses, something of the answer follows its reasoning.",
    cure: "Nothing: the reasoning is left out.",
    example: ({ repair }: Exports) =>
      repair(history(text({}), reasoning), { format: "openai-responses" }),
  },
  {
    code: "RQ-1",
    says: "The provider takes the file.",
    cure: "Send it in a form that the provider takes, such as an image or a PDF: `[Attached MIME: NAME]` is sent in its place.",
    example: ({ toRequest }: Exports) => {
      const file = { type: "file", mime: "video/mp4", url: "file:///a.mp4" };
      // A cast: the message is made of fields.
      const messages = [prompt("m1", [file])] as unknown as Parameters<Exports["repair"]>[0];
      return told((onProblem) => toRequest("anthropic", { model: "m", messages, onProblem }));
    },
  },
  {
    code: "RQ-2",
    says: "The provider can read the reasoning: it is its own, signed, of this model, and nothing before it has changed.",
    cure: '`foreignReasoning: "text"` sends it as text; else it is left out.',
    example: (exports: Exports) => asked(exports, "anthropic", reasoning, text({})),
  },
  {
    code: "RQ-3",
    says: "Custom parts, and calls that a provider ran, are this provider's own.",
    cure: "Nothing: they are left out, with their results.",
    example: (exports: Exports) =>
      asked(exports, "gemini", { ...tool(done), metadata: { providerExecuted: true } }),
  },
  {
    code: "RQ-4",
    says: "For Gemini 3, the first call of a step has a signature.",
    cure: "Nothing: a signature that is not checked is sent, as documented for histories of other models.",
    example: (exports: Exports) => asked(exports, "gemini", tool(done)),
  },
  {
    code: "RQ-5",
    says: "The provider takes the names of tools.",
    cure: "Choose a name of at most 64 letters, digits, `_` and `-`; until then it is mapped in tools and calls alike, so that the model calls it by the other name.",
    example: (exports: Exports) =>
      asked(exports, "openai-chat", { ...tool(done), tool: "read file" }),
  },
  {
    code: "RQ-6",
    says: "The provider takes the annotations of text, and files of the model.",
    cure: "Nothing: they are left out.",
    example: (exports: Exports) =>
      asked(exports, "anthropic", text({}), text({ type: "file", mime: "image/png", url: "" })),
  },
];

export const REQUESTS: Rule[] = ENTRIES.map((rule) => ({
  ...{ source: "requests", severity: "warning" },
  ...rule,
}));
