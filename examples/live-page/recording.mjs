// A recorded session as the deltas of one message, each with the time at which it came.
import { readFileSync } from "node:fs";

/** The number of characters in a delta: about one or two tokens. */
const DELTA = 12;

/**
 * The deltas of an exported session, in order: `[{ at, delta }]`. They are the same each time, which is what lets
 * another process go on in the middle of them.
 */
export function recordingOf(file, runId) {
  const { messages } = JSON.parse(readFileSync(file, "utf8"));
  const replies = messages.filter(({ info }) => info.role === "assistant");
  const recording = [];
  const toolResults = [];
  let now = replies[0].info.time.created;
  const say = (time, kind, payload) => {
    // The times of a recording may be out of order; the deltas are in order.
    now = Math.max(now, time ?? now);
    const timestamp = new Date(now).toISOString();
    const delta = { runId, seq: recording.length + 1, timestamp, kind, payload };
    recording.push({ at: now, delta });
  };
  say(now, "start", { modelId: replies[0].info.modelID ?? "", requestId: runId });
  for (const part of replies.flatMap(({ parts }) => parts)) {
    const { start, end } = part.state?.time ?? part.time ?? {};
    if (part.type === "tool") {
      const { callID: toolCallId, tool: toolName, state } = part;
      say(start, "tool_call_start", { toolCallId, toolName });
      say(start, "tool_call_args", { toolCallId, argsTextDelta: JSON.stringify(state.input) });
      say(end, "tool_call_end", { toolCallId });
      const isError = state.status === "error";
      toolResults.push({ toolCallId, isError, content: isError ? state.error : state.output });
    } else if (part.type === "text" || part.type === "reasoning") {
      const kind = part.type === "text" ? "text" : "thinking";
      const units = Array.from(part.text);
      for (let i = 0; i < units.length; i += DELTA) {
        const share = (i + DELTA) / units.length;
        const time =
          start === undefined ? now : start + Math.min(1, share) * ((end ?? now) - start);
        say(time, kind, { textDelta: units.slice(i, i + DELTA).join("") });
      }
    }
  }
  say(now, "done", { finishReason: "stop", meta: { toolResults } });
  return recording;
}
