// The events of Copilot CLI.

import { bytesOf, filesOf, iso, line, resultOf, sums, textsOf, toolsOf } from "./parts.mjs";

export const copilotCli = {
  ids: "uuid",
  head(session, state) {
    const { id: sessionId, directory: cwd, model, time } = session.info();
    const own = { sessionId, copilotVersion: "1.0.7", startTime: iso(time.created) };
    const start = { ...own, selectedModel: model.id, context: { cwd } };
    return (
      this.event(state, "session.start", time.created, start) +
      this.event(state, "session.title_changed", time.created, { title: session.title })
    );
  },
  event(state, type, time, data) {
    const id = `event-${++state.events}`;
    return line({ type, data, id, timestamp: iso(time), parentId: null });
  },
  message({ info, parts }, state) {
    const { created } = info.time;
    const tell = (type, time, data) => this.event(state, type, time, data);
    const texts = textsOf(parts).map(({ text }) => text);
    if (info.error) return tell("session.error", created, { message: info.error.data.message });
    if (info.role === "user") {
      if (texts.length === 0) return tell("session.compaction_start", created, {});
      const attachments = filesOf(parts).map((file) => ({
        ...{ type: "image", data: bytesOf(file), mimeType: file.mime, displayName: file.filename },
      }));
      const subtask = parts.find(({ type }) => type === "subtask");
      const asked = { content: texts.join("\n"), attachments };
      return (
        tell("user.message", created, asked) + (subtask ? this.agent(subtask, created, tell) : "")
      );
    }
    if (info.summary) {
      const [success, preCompactionTokens] = [true, 160_000];
      const data = { success, preCompactionTokens, summaryContent: texts.join("\n") };
      return tell("session.compaction_complete", created, data);
    }
    const tools = toolsOf(parts);
    const thoughts = parts.filter(({ type }) => type === "reasoning").map(({ text }) => text);
    let out = tell("assistant.message", created, {
      ...{ messageId: info.id, content: texts.join("\n"), outputTokens: sums(info.tokens).output },
      ...(thoughts.length > 0 ? { reasoningText: thoughts.join("\n") } : {}),
      toolRequests: tools.map(({ callID: toolCallId, tool: name, state: { input } }) => ({
        ...{ toolCallId, name, arguments: input },
      })),
    });
    for (const part of tools) {
      const { callID: toolCallId, tool: toolName, state: reached } = part;
      const { text, exit, failed, isOpen } = resultOf(part);
      const { start, end = start } = reached.time;
      out += tell("tool.execution_start", start, { toolCallId, toolName });
      if (isOpen) {
        out += tell("abort", end + 1000, { reason: "user initiated" });
        continue;
      }
      const content = exit === undefined ? text : `${text}\n<exited with exit code ${exit}>`;
      const told = failed ? { error: { message: text } } : { result: { content } };
      out += tell("tool.execution_complete", end, { toolCallId, success: !failed, ...told });
    }
    return out;
  },
  /** A question whose answer begins with a sub-agent's. */
  agent({ id: toolCallId, prompt, agent: agentName }, time, tell) {
    const inside = { parentToolCallId: toolCallId };
    const request = { toolCallId, name: "task", arguments: { prompt } };
    const said = { messageId: `${toolCallId}-said`, content: "It is as it should be." };
    const result = { content: said.content };
    return (
      tell("assistant.message", time, {
        messageId: `${toolCallId}-asks`,
        toolRequests: [request],
      }) +
      tell("subagent.started", time, { toolCallId, agentName }) +
      tell("user.message", time, { content: prompt, source: "agent", ...inside }) +
      tell("assistant.message", time, { ...said, ...inside }) +
      tell("tool.execution_complete", time, { toolCallId, success: true, result })
    );
  },
  foot: () => "",
};
