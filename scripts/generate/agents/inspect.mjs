// A log of Inspect, as JSON.

import { between, endOf, iso, resultOf, sums, toolsOf } from "./parts.mjs";

/** How many messages a sample has at least, if another follows. */
const SAMPLE = 60;

export const inspect = {
  ids: "uuid",
  head(session, state) {
    const { model, time } = session.info();
    const own = { run_id: session.id, created: iso(time.created), task: "made-up" };
    const evaluation = { ...own, model: `${model.providerID}/${model.id}` };
    const fields = { version: 2, status: "success", eval: evaluation };
    return `${JSON.stringify(fields).slice(0, -1)},"samples":[${this.begin(state)}`;
  },
  begin(state) {
    state.samples = (state.samples ?? 0) + 1;
    state.count = 0;
    state.told = [];
    return `{"id":"sample-${state.samples}","epoch":1,"messages":[`;
  },
  end: (events) => `\n],"scores":{"match":{"value":"C"}},"events":${JSON.stringify(events)}}`,
  message({ info, parts }, state) {
    if (info.error) return "";
    const { id } = info;
    const content = parts.flatMap(({ type, text, url: image }) => {
      if (type === "text") return [{ type, text }];
      if (type === "reasoning") return [{ type, reasoning: text }];
      return type === "file" ? [{ type: "image", image }] : [];
    });
    const say = (message) => between(state) + JSON.stringify(message);
    if (info.role === "user") {
      if (content.length === 0) return "";
      let before = "";
      if (state.count > SAMPLE) before = `${this.end(state.told)},\n${this.begin(state)}`;
      return before + say({ role: "user", id, content, source: "input" });
    }
    const tools = toolsOf(parts);
    const calls = tools.map(({ callID, tool, state: { input } }) => ({
      ...{ id: callID, function: tool, arguments: input },
    }));
    const tool_calls = calls.length > 0 ? { tool_calls: calls } : {};
    let out = say({ role: "assistant", id, content, model: info.modelID, ...tool_calls });
    for (const part of tools) {
      const { text, failed, isOpen } = resultOf(part);
      const message = isOpen ? "It took too long." : text;
      const error = { type: isOpen ? "timeout" : "unknown", message };
      const own = { role: "tool", tool_call_id: part.callID, function: part.tool };
      const result = failed || isOpen ? { content: "", error } : { content: text };
      out += say({ ...own, ...result });
    }
    state.told = [...(state.told ?? []), this.event(info)];
    return out;
  },
  event({ id, time, tokens, finish, cost: total_cost }) {
    const { input: input_tokens, output: output_tokens } = sums(tokens);
    const choices = [{ message: { role: "assistant", id }, stop_reason: finish ?? "stop" }];
    const usage = {
      ...{ input_tokens, output_tokens, total_tokens: input_tokens + output_tokens, total_cost },
      ...{ input_tokens_cache_read: tokens.cache.read, reasoning_tokens: tokens.reasoning },
    };
    const times = { timestamp: iso(time.created), completed: iso(endOf(time)) };
    return { event: "model", ...times, output: { choices, usage } };
  },
  foot() {
    return `${this.end([])}]}\n`;
  },
};
