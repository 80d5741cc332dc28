// A session of Gemini CLI, one record a line.

import {
  bytesOf,
  filesOf,
  iso,
  isTakenBack,
  line,
  resultOf,
  sums,
  textsOf,
  toolsOf,
} from "./parts.mjs";

export const geminiCli = {
  ids: "uuid",
  head(session) {
    const { id: sessionId, directory, title: summary, time } = session.info();
    const [startTime, lastUpdated] = [iso(time.created), iso(time.updated)];
    const own = { sessionId, projectHash: "0".repeat(64), startTime, lastUpdated };
    return line({ ...own, directories: [directory], summary });
  },
  message({ info, parts }, state) {
    const [{ id }, timestamp] = [info, iso(info.time.created)];
    if (info.error) {
      return line({ id, timestamp, type: "error", content: info.error.data.message });
    }
    if (info.role === "user") {
      const content = [
        ...textsOf(parts).map(({ text }) => ({ text })),
        ...filesOf(parts).map((file) => ({
          inlineData: { mimeType: file.mime, data: bytesOf(file), displayName: file.filename },
        })),
      ];
      if (content.length === 0) {
        return line({ id, timestamp, type: "info", content: "The context was compressed." });
      }
      const back = isTakenBack(state) ? line({ $rewindTo: state.last }) : "";
      state.last = id;
      return back + line({ id, timestamp, type: "user", content });
    }
    const { input, output } = sums(info.tokens);
    const { reasoning: thoughts, cache, output: said } = info.tokens;
    const tokens = { input, output: said, cached: cache.read, thoughts, tool: 0 };
    const thought = ({ text: description, time }) => ({
      ...{ subject: "A thought", description, timestamp: iso(time.start) },
    });
    const begun = { id, timestamp, type: "gemini", content: "", model: info.modelID };
    const all = {
      ...begun,
      content: textsOf(parts)
        .map(({ text }) => text)
        .join("\n"),
      thoughts: parts.filter(({ type }) => type === "reasoning").map(thought),
      tokens: { ...tokens, total: input + output },
      toolCalls: toolsOf(parts).map((part) => this.call(part)),
    };
    // Each message is written again when it is complete.
    return line(begun) + line(all);
  },
  call(part) {
    const { callID: id, tool: name, state } = part;
    const { text, exit, failed, isOpen } = resultOf(part);
    const shown = exit === undefined ? text : `Output: ${text}\nExit Code: ${exit}`;
    const response = failed ? { error: text } : { output: shown };
    return {
      ...{ id, name, args: state.input, timestamp: iso(state.time.end ?? state.time.start) },
      status: isOpen ? "cancelled" : failed ? "error" : "success",
      ...(state.title ? { description: state.title } : {}),
      result: isOpen ? [] : [{ functionResponse: { id, name, response } }],
    };
  },
  foot: () => "",
};
