// What `claude -p --output-format stream-json` prints.

import { bytesOf, filesOf, iso, line, resultOf, sums, textsOf, toolsOf } from "./parts.mjs";

export const claudeStream = {
  ids: "uuid",
  head(session, state) {
    const { id, directory: cwd, model } = session.info();
    state.session = id;
    const about = { cwd, model: model.id, claude_code_version: "2.1.197" };
    return this.record(state, { type: "system", subtype: "init", ...about });
  },
  record(state, fields) {
    state.events = (state.events ?? 0) + 1;
    return line({ ...fields, session_id: state.session, uuid: `record-${state.events}` });
  },
  user(state, time, content, more = {}) {
    const message = { role: "user", content };
    const of = { parent_tool_use_id: null, timestamp: iso(time), ...more };
    return this.record(state, { type: "user", message, ...of });
  },
  answer(state, id, content, usage, more = {}) {
    const message = { id, type: "message", role: "assistant", content, stop_reason: null, usage };
    return this.record(state, { type: "assistant", message, parent_tool_use_id: null, ...more });
  },
  message({ info, parts }, state) {
    const { created } = info.time;
    const texts = textsOf(parts).map(({ text }) => ({ type: "text", text }));
    if (info.error) {
      const about = { subtype: "api_retry", error: info.error.data.message };
      return this.record(state, { type: "system", ...about });
    }
    if (info.role === "user") {
      const images = filesOf(parts).map((file) => ({
        type: "image",
        source: { type: "base64", media_type: file.mime, data: bytesOf(file) },
      }));
      const content = [...texts, ...images];
      const said = content.length > 0 ? this.user(state, created, content, { isReplay: true }) : "";
      const subtask = parts.find(({ type }) => type === "subtask");
      return said + (subtask ? this.agent(state, subtask, created) : "");
    }
    if (info.summary) {
      const compact_metadata = { trigger: "auto", pre_tokens: 160_000 };
      const about = { subtype: "compact_boundary", compact_metadata };
      return this.record(state, { type: "system", ...about });
    }
    const { input, cache } = info.tokens;
    const usage = {
      ...{ input_tokens: input, output_tokens: sums(info.tokens).output },
      ...{ cache_read_input_tokens: cache.read, cache_creation_input_tokens: cache.write },
    };
    const thoughts = parts
      .filter(({ type }) => type === "reasoning")
      .map(({ text }) => ({ type: "thinking", thinking: text, signature: "c2ln" }));
    const tools = toolsOf(parts);
    const calls = tools.map(({ callID: id, tool: name, state: { input: given } }) => ({
      ...{ type: "tool_use", id, name, input: given },
    }));
    // A block a record, as the program prints them.
    const blocks = [...thoughts, ...texts, ...calls];
    let out = blocks.map((block) => this.answer(state, info.id, [block], usage)).join("");
    for (const part of tools) {
      const { text, exit, failed, isOpen } = resultOf(part);
      if (isOpen) continue;
      const { start, end = start } = part.state.time;
      const content = failed && exit !== undefined ? `Exit code ${exit}\n${text}` : text;
      const result = { type: "tool_result", tool_use_id: part.callID, content, is_error: failed };
      out += this.user(state, end, [result]);
    }
    return out;
  },
  /** A question whose answer begins with a sub-agent's. */
  agent(state, { id, prompt, agent: subagent_type }, time) {
    const usage = { input_tokens: 10, output_tokens: 1 };
    const inside = { parent_tool_use_id: id };
    const input = { description: "Look", prompt, subagent_type };
    const said = [{ type: "text", text: "It is as it should be." }];
    return (
      this.answer(state, `${id}-asks`, [{ type: "tool_use", id, name: "Task", input }], usage) +
      this.user(state, time, prompt, inside) +
      this.answer(state, `${id}-said`, said, usage, inside) +
      this.user(state, time, [{ type: "tool_result", tool_use_id: id, content: said }])
    );
  },
  foot(_session, state) {
    const about = { subtype: "success", is_error: false, result: "Done.", total_cost_usd: 0.5 };
    return this.record(state, { type: "result", ...about });
  },
};
