// A session of Qwen Code, which is recognised and not read: Claude Code's envelope around Gemini's parts.
import { clock, line } from "./clock.mjs";

function small() {
  const tick = clock("2026-03-14T08:00:00Z");
  const sessionId = "0199d000-0000-7000-8000-00000000c3e4";
  const said = [
    ["user", { message: { role: "user", parts: [{ text: "Which day is it?" }] } }],
    [
      "assistant",
      {
        model: "qwen-made-up",
        message: {
          role: "model",
          parts: [
            { text: "I look.", thought: true },
            { functionCall: { id: "call-1", name: "shell", args: { command: "date" } } },
          ],
        },
        usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 8, totalTokenCount: 48 },
      },
    ],
    [
      "tool_result",
      {
        message: {
          role: "user",
          parts: [
            {
              functionResponse: {
                ...{ id: "call-1", name: "shell" },
                response: { output: "Sat Mar 14" },
              },
            },
          ],
        },
        toolCallResult: { callId: "call-1", status: "success", resultDisplay: "Sat Mar 14" },
      },
    ],
    ["system", { subtype: "ui_telemetry", systemPayload: { uiEvent: { name: "made_up" } } }],
    [
      "assistant",
      { model: "qwen-made-up", message: { role: "model", parts: [{ text: "A Saturday." }] } },
    ],
  ];
  return said
    .map(([type, fields], at) => {
      const parentUuid = at === 0 ? null : `q-${at}`;
      const own = { uuid: `q-${at + 1}`, parentUuid, sessionId, timestamp: tick(), type };
      return line({ ...own, cwd: "/home/dev/tides", version: "0.5.0", ...fields });
    })
    .join("");
}

export const qwen = { "qwen.small.jsonl": small };
