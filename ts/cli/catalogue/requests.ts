// Rules of the calls in messages that are read from other programs.
import type { Entry, Rule } from "./rule.ts";

/** What `fromMessages` says of an answer with these calls, and of what follows. */
type ReadHistory = { fromMessages(format: string, messages: unknown[]): unknown };
const called = (...calls: object[]) => ({ role: "assistant", content: null, tool_calls: calls });
const call = (text: string) => ({
  ...{ id: "a", type: "function", function: { name: "read", arguments: text } },
});
const result = { role: "tool", tool_call_id: "a", content: "3 lines" };

const ENTRIES: Entry[] = [
  {
    code: "RP-1",
    severity: "warning",
    says: "The arguments of a call are complete JSON.",
    cure: "The input of the call is `{}`; the text is in `metadata.openaiCompatible.arguments`. Repair it there, or ask the model again.",
    example: ({ fromMessages }: ReadHistory) =>
      fromMessages("openai-chat", [called(call('{"path": "a'))]),
  },
  {
    code: "RP-2",
    severity: "warning",
    says: "A result answers a call before it, and each call has one result.",
    cure: "Add the message with the call, or remove the result; it is left out. Of two results the first counts.",
    example: ({ fromMessages }: ReadHistory) => fromMessages("openai-chat", [result]),
  },
  {
    code: "RP-3",
    severity: "warning",
    says: "Each call has an id that no other call has.",
    cure: "Nothing, if the results stand behind their calls: the call gets another id, and its result with it.",
    example: ({ fromMessages }: ReadHistory) =>
      fromMessages("openai-chat", [called(call("{}")), result, called(call("{}"))]),
  },
  {
    code: "RP-8",
    severity: "warning",
    says: "The arguments of a call are an object.",
    cure: 'Write an object. Anything else becomes `{"value": …}`, because providers accept only objects.',
    example: ({ fromMessages }: ReadHistory) => fromMessages("openai-chat", [called(call("[1]"))]),
  },
];

export const REQUESTS: Rule[] = ENTRIES.map((rule) => ({
  source: "messages of other programs",
  ...rule,
}));
