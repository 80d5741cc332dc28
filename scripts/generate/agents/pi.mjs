// A session of pi.

import {
  bytesOf,
  endOf,
  filesOf,
  iso,
  isTakenBack,
  line,
  resultOf,
  textsOf,
  toolsOf,
} from "./parts.mjs";

export const pi = {
  ids: "uuid",
  head(session) {
    const { id, directory: cwd, time } = session.info();
    return line({ type: "session", version: 3, id, timestamp: iso(time.created), cwd });
  },
  entry(state, type, id, time, rest) {
    const parentId = state.last;
    state.last = id;
    return line({ type, id, parentId, timestamp: iso(time), ...rest });
  },
  message({ info, parts }, state) {
    const { id } = info;
    const { created } = info.time;
    const say = (own, time, message) => this.entry(state, "message", own, time, { message });
    const texts = textsOf(parts).map(({ text }) => ({ type: "text", text }));
    if (info.role === "user") {
      if (texts.length === 0) return "";
      if (isTakenBack(state)) state.last = state.before;
      state.before = state.last;
      const images = filesOf(parts).map((file) => ({
        ...{ type: "image", data: bytesOf(file), mimeType: file.mime },
      }));
      return say(id, created, { role: "user", content: [...texts, ...images], timestamp: created });
    }
    if (info.summary) {
      const [tokensBefore, summary] = [160_000, texts.map(({ text }) => text).join("\n")];
      return this.entry(state, "compaction", id, created, { summary, tokensBefore });
    }
    const content = parts.flatMap((part) => this.content(part));
    const { input, output, reasoning, cache, total } = info.tokens;
    const usage = { input, output: output + reasoning, cacheRead: cache.read };
    const stopped = toolsOf(parts).some((part) => resultOf(part).isOpen) ? "aborted" : undefined;
    const error = info.error ? "error" : stopped;
    const own = { api: "made-up", provider: info.providerID, model: info.modelID };
    const costs = { totalTokens: total ?? 0, cost: { total: info.cost } };
    let out = say(id, endOf(info.time), {
      ...{ role: "assistant", content, ...own, timestamp: created },
      usage: { ...usage, cacheWrite: cache.write, ...costs },
      stopReason: error ?? (info.finish === "stop" ? "stop" : "toolUse"),
      ...(error ? { errorMessage: info.error?.data.message ?? "Request was aborted" } : {}),
    });
    for (const part of toolsOf(parts)) {
      const { text, exit, failed: isError, isOpen } = resultOf(part);
      if (isOpen) continue;
      const said = exit ? `${text}\n\nCommand exited with code ${exit}` : text;
      const result = { toolCallId: part.callID, toolName: part.tool, isError };
      const blocks = [{ type: "text", text: said }];
      const message = { role: "toolResult", ...result, content: blocks };
      out += say(part.id, part.state.time.end, message);
    }
    return out;
  },
  content({ type, text, callID: id, tool: name, state }) {
    if (type === "text") return [{ type, text }];
    if (type === "reasoning") return [{ type: "thinking", thinking: text }];
    return type === "tool" ? [{ type: "toolCall", id, name, arguments: state.input }] : [];
  },
  foot: () => "",
};
