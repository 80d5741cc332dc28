// Warnings about a session, whose code is the name of the session's format (`SessionLog::new` in the crate of transcripts).
// A test names a format without an entry.
import type { Entry, Rule } from "./rule.ts";
import { bytes } from "./values.ts";

const SHOWN =
  "Nothing to correct. A result without its call is shown as a call without arguments; a second result is left out.";
const NOTICE = "A notice without a message is only in the warning.";

const FORMAT_ENTRIES: Entry[] = [
  {
    code: "claude-code",
    says: "In a Claude Code session each result has its call, each call has one result, and each notice has a message.",
    cure: "Nothing to correct. A result without its call, or a second one, is shown as text; a notice without a message is only in the warning.",
    example: ({ Transcript }) => {
      const content = [{ type: "tool_result", tool_use_id: "gone", content: "ok" }];
      const line = { type: "user", uuid: "u", sessionId: "s", timestamp: "2025-02-17T08:30:00Z" };
      const file = JSON.stringify({ ...line, message: { role: "user", content } });
      return Transcript.open(bytes(file), { format: "claude-code" });
    },
  },
  {
    code: "codex",
    says: "In a Codex session each result has its call, each call has one result, and each notice has a message.",
    cure: `${SHOWN} ${NOTICE}`,
    example: ({ Transcript }) => {
      const payload = { type: "function_call_output", call_id: "gone", output: "ok" };
      const line = { timestamp: "2025-02-17T08:30:00Z", type: "response_item", payload };
      return Transcript.open(bytes(JSON.stringify(line)), { format: "codex" });
    },
  },
  {
    code: "gemini-cli",
    says: "In a Gemini CLI session each notice has a message before or after it.",
    cure: "Nothing to correct: the warning contains the notice, because no message can show it.",
    example: ({ Transcript }) => {
      const session = { sessionId: "s", projectHash: "h" };
      const notice = { id: "i", type: "info", timestamp: "2025-02-17T08:30:00Z", content: "hi" };
      const file = `${JSON.stringify(session)}\n${JSON.stringify(notice)}`;
      return Transcript.open(bytes(file), { format: "gemini-cli" });
    },
  },
  {
    code: "claude-stream",
    says: "In what Claude Code prints as `stream-json` each result has its call, each call has one result, and each notice has a message.",
    cure: `${SHOWN} ${NOTICE}`,
    example: ({ Transcript }) => {
      const content = [{ type: "tool_result", tool_use_id: "gone", content: "ok" }];
      const record = { type: "user", session_id: "s", message: { role: "user", content } };
      return Transcript.open(bytes(JSON.stringify(record)), { format: "claude-stream" });
    },
  },
  {
    code: "copilot-cli",
    says: "In a Copilot CLI session each result has its call, each call has one result, and each notice has a message.",
    cure: `${SHOWN} ${NOTICE}`,
    example: ({ Transcript }) => {
      const data = { toolCallId: "gone", success: true, result: { content: "ok" } };
      const event = { type: "tool.execution_complete", id: "e", parentId: null, data };
      const file = JSON.stringify({ ...event, timestamp: "2025-02-17T08:30:00Z" });
      return Transcript.open(bytes(file), { format: "copilot-cli" });
    },
  },
  {
    code: "pi",
    says: "In a session of pi or OpenClaw each result has its call, and each call has one result.",
    cure: SHOWN,
    example: ({ Transcript }) => {
      const content = [{ type: "text", text: "ok" }];
      const message = { role: "toolResult", toolCallId: "gone", toolName: "read", content };
      const entry = { type: "message", id: "e", parentId: null, message };
      const file = JSON.stringify({ ...entry, timestamp: "2025-02-17T08:30:00Z" });
      return Transcript.open(bytes(file), { format: "pi" });
    },
  },
  {
    code: "swe-agent",
    says: "In a trajectory of SWE-agent each observation has its action.",
    cure: "There is nothing to correct.",
    never: "a step contains its action and its observation, so neither can be without the other.",
  },
  {
    code: "inspect",
    says: "A log of Inspect has samples; in each of them each result has its call, each call has one result, and scores and notices have a message.",
    cure: "Check that the evaluation ran. A result without its call is shown as a call without arguments; a second result is left out.",
    example: ({ Transcript }) => {
      const log = { version: 2, status: "error", eval: { run_id: "r", task: "t" }, samples: [] };
      return Transcript.open(bytes(JSON.stringify(log)), { format: "inspect" });
    },
  },
];

export const FORMATS: Rule[] = FORMAT_ENTRIES.map((rule) => ({
  severity: "warning",
  source: "formats, transcripts",
  ...rule,
}));
