// Sessions of Copilot CLI: its events, one a line.
import { clock, line } from "./clock.mjs";

/** Writes events, each with the one before as its parent. */
class Log {
  text = "";
  #count = 0;

  constructor(start) {
    this.tick = clock(start);
  }

  tell(type, data = {}, ms = 200) {
    const parentId = this.#count === 0 ? null : `event-${this.#count}`;
    const id = `event-${++this.#count}`;
    this.text += line({ type, data, id, timestamp: this.tick(ms), parentId });
    return this;
  }
  start(sessionId) {
    const startTime = this.tick(0);
    const own = { sessionId, version: 1, producer: "copilot-agent", copilotVersion: "1.0.7" };
    const context = { cwd: "/home/dev/tides", gitRoot: "/home/dev/tides", branch: "main" };
    return this.tell("session.start", {
      ...own,
      startTime,
      selectedModel: "made-up-sonnet",
      context,
    });
  }
  says(messageId, content, requests = [], more = {}) {
    const toolRequests = requests.map(([toolCallId, name, input]) => {
      return { toolCallId, name, arguments: input, type: "function" };
    });
    return this.tell("assistant.message", {
      messageId,
      content,
      outputTokens: 20,
      toolRequests,
      ...more,
    });
  }
  begins = (toolCallId, toolName, input, more) =>
    this.tell("tool.execution_start", { toolCallId, toolName, arguments: input, ...more });
  ends = (toolCallId, content, more) =>
    this.tell("tool.execution_complete", {
      toolCallId,
      success: true,
      result: { content },
      ...more,
    });
}

/** Every type of event, most of them once. */
function catalogue() {
  const agent = { parentToolCallId: "call-task" };
  return new Log("2026-03-08T08:00:00Z")
    .start("c0b11070-0000-4000-8000-0000000000ca")
    .tell("session.resume", { resumeTime: "2026-03-08T08:00:00.200Z", eventCount: 1 })
    .tell("session.info", { infoType: "mcp", message: "Servers: none" })
    .tell("session.error", { errorType: "authentication", message: "The sign-in has ended" })
    .tell("system.message", { content: "Answer briefly." })
    .tell("session.mode_changed", { previousMode: "ask", newMode: "agent" })
    .tell("hook.start", { hookInvocationId: "h-1", hookType: "sessionStart" })
    .tell("hook.end", { hookInvocationId: "h-1", hookType: "sessionStart", success: true })
    .tell("user.message", {
      content: "Which files are there?",
      attachments: [
        { type: "file", path: "/home/dev/tides/go.mod", displayName: "go.mod" },
        { type: "selection", text: "12.42" },
      ],
      source: "user",
    })
    .tell("assistant.turn_start", { turnId: "0" })
    .tell("assistant.intent", { intent: "Listing files" })
    .tell("assistant.reasoning", { reasoningId: "r-1", content: "A list, then." })
    .says("m-1", "I list them.", [["call-list", "bash", { command: "ls" }]], {
      reasoningText: "A list, then.",
    })
    .tell("permission.requested", { requestId: "p-1", permissionRequest: { kind: "shell" } })
    .tell("permission.completed", { requestId: "p-1", result: { kind: "approved" } })
    .begins("call-list", "bash", { command: "ls" })
    .tell("tool.execution_partial_result", { toolCallId: "call-list", partialOutput: "a.txt\n" })
    .tell("tool.execution_progress", { toolCallId: "call-list", progressMessage: "Listing" })
    .ends("call-list", "a.txt\nb.txt\n")
    .tell("assistant.usage", { model: "made-up-sonnet", inputTokens: 900, outputTokens: 20 })
    .tell("session.usage_info", { tokenLimit: 128_000, currentTokens: 920 })
    .tell("assistant.turn_end", { turnId: "0" })
    .tell("session.model_change", { previousModel: "made-up-sonnet", newModel: "made-up-opus" })
    .tell("subagent.selected", { agentName: "explore" })
    .says("m-2", "", [["call-task", "task", { prompt: "Who reads b.txt?" }]])
    .begins("call-task", "task", { prompt: "Who reads b.txt?" })
    .tell("subagent.started", {
      toolCallId: "call-task",
      agentName: "explore",
      agentDisplayName: "Explore",
    })
    .tell("user.message", { content: "Who reads b.txt?", source: "agent", ...agent })
    .says("m-3", "Nobody does.", [], agent)
    .tell("subagent.completed", { toolCallId: "call-task", agentName: "explore" })
    .ends("call-task", "Nobody does.")
    .tell("subagent.failed", {
      toolCallId: "call-none",
      agentName: "plan",
      error: "There is no such agent",
    })
    .tell("skill.invoked", { name: "tides", path: "/home/dev/.copilot/skills/tides/SKILL.md" })
    .tell("tool.user_requested", {
      toolCallId: "call-own",
      toolName: "bash",
      arguments: { command: "date" },
    })
    .tell("pending_messages.modified")
    .tell("system.notification", { content: "A file has changed" })
    .tell("session.warning", { warningType: "context", message: "The context is 80% full" })
    .tell("session.truncation", { tokenLimit: 128_000, messagesRemovedDuringTruncation: 2 })
    .tell("session.compaction_start")
    .tell("session.compaction_complete", {
      ...{ success: true, preCompactionTokens: 92_000, summaryContent: "There are two files." },
    })
    .tell("session.snapshot_rewind", { upToEventId: "event-40", eventsRemoved: 0 })
    .tell("session.handoff", { sourceType: "local", summary: "none" })
    .tell("session.task_complete", { summary: "done" })
    .tell("abort", { reason: "user initiated" })
    .tell("session.title_changed", { title: "Two files" })
    .tell("session.idle")
    .tell("made_up.event", { of: "tomorrow" })
    .tell("session.shutdown", {
      ...{ shutdownType: "routine", totalPremiumRequests: 2 },
      modelMetrics: {
        "made-up-opus": {
          requests: { count: 2, cost: 2 },
          usage: {
            inputTokens: 4000,
            outputTokens: 60,
            cacheReadTokens: 1000,
            cacheWriteTokens: 0,
          },
        },
      },
    });
}

/** A short session: parallel calls, one of which fails, and exit codes. */
function short() {
  const [test, read] = [{ command: "go test ./..." }, { path: "src/sea.go" }];
  return new Log("2026-03-09T09:00:00Z")
    .start("c0b11070-0000-4000-8000-00000000500e")
    .tell("user.message", { content: "Run the tests, and read src/sea.go.", attachments: [] })
    .says("m-1", "Both at once.", [
      ["call-test", "bash", test],
      ["call-read", "view", read],
    ])
    .begins("call-test", "bash", test)
    .begins("call-read", "view", read)
    .tell("tool.execution_complete", {
      ...{ toolCallId: "call-read", success: false },
      error: { message: "Path does not exist", code: "failure" },
    })
    .ends("call-test", "FAIL tides\n<exited with exit code 1>")
    .says("m-2", "There is no src/sea.go, and one test fails. 🌊");
}

export const copilotCli = {
  "copilot-cli.catalogue.jsonl": () => catalogue().text,
  "copilot-cli.short.jsonl": () => short().text,
};
