import type { UIMessage } from "ai";

export const chat: UIMessage[] = [
  { id: "msg_1", role: "user", parts: [{ type: "text", text: "What is in a.txt?" }] },
  {
    id: "msg_2",
    role: "assistant",
    parts: [
      { type: "step-start" },
      { type: "reasoning", text: "I read it." },
      {
        type: "tool-read",
        toolCallId: "call_1",
        state: "output-available",
        input: { path: "a.txt" },
        output: { lines: 3 },
      },
      { type: "source-url", sourceId: "s1", url: "https://example.com/" },
      { type: "step-start" },
      { type: "text", text: "Three lines.", state: "done" },
    ],
  },
];
export const api = process.env.AI_SDK_URL ?? "";
export const url = process.env.MODEL_URL ?? "";
export const body = "{}";
