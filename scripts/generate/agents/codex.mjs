// A rollout of Codex CLI.

import { endOf, filesOf, iso, isTakenBack, line, resultOf, sums, textsOf } from "./parts.mjs";

export const codex = {
  ids: "uuid",
  head(session) {
    const { id, directory: cwd, model, time } = session.info();
    const own = { id, timestamp: iso(time.created), originator: "made_up", cli_version: "0.77.0" };
    const meta = { ...own, cwd, model_provider: model.providerID };
    const rules = { type: "input_text", text: `# AGENTS.md instructions for ${cwd}\n\nBe brief.` };
    return (
      this.tell(time.created, "session_meta", meta) +
      this.tell(time.created, "turn_context", { cwd, model: model.id }) +
      this.item(time.created, { type: "message", role: "user", content: [rules] })
    );
  },
  tell: (time, type, payload) => line({ timestamp: iso(time), type, payload }),
  item(time, payload) {
    return this.tell(time, "response_item", payload);
  },
  event(time, payload) {
    return this.tell(time, "event_msg", payload);
  },
  message({ info, parts }, state) {
    const { created } = info.time;
    if (info.error) {
      return this.event(created, { type: "error", message: info.error.data.message });
    }
    if (info.role === "user") return this.question(created, parts, state);
    if (info.summary) {
      const message = textsOf(parts).map(({ text }) => text);
      return this.tell(created, "compacted", { message: message.join("\n") });
    }
    let [calls, results] = ["", ""];
    let isOpen = false;
    for (const { type, text, time, callID: call_id, tool, state: reached } of parts) {
      if (type === "text") {
        const content = [{ type: "output_text", text }];
        calls += this.item(time.end, { type: "message", role: "assistant", content });
      } else if (type === "reasoning") {
        const summary = [{ type: "summary_text", text }];
        calls += this.item(time.end, { type, summary, encrypted_content: null });
      } else if (type === "tool") {
        const own = { name: tool, arguments: JSON.stringify(reached.input), call_id };
        calls += this.item(reached.time.start, { type: "function_call", ...own });
        const { text: said, exit, failed, ...result } = resultOf({ state: reached });
        isOpen ||= result.isOpen;
        if (result.isOpen) continue;
        const shown =
          exit === undefined
            ? said
            : `Exit code: ${exit}\nWall time: 0.1 seconds\nOutput:\n${said}`;
        const output = failed ? { content: said, success: false } : shown;
        results += this.item(reached.time.end, { type: "function_call_output", call_id, output });
      }
    }
    const count = isOpen ? "" : this.count(endOf(info.time), info.tokens, state);
    const end = isOpen
      ? this.event(endOf(info.time) + 1000, { type: "turn_aborted", reason: "interrupted" })
      : "";
    return calls + count + results + end;
  },
  question(created, parts, state) {
    const content = [
      ...textsOf(parts).map(({ text }) => ({ type: "input_text", text })),
      ...filesOf(parts).map(({ url }) => ({ type: "input_image", image_url: url })),
    ];
    if (content.length === 0) return "";
    const back = isTakenBack(state)
      ? this.event(created, { type: "thread_rolled_back", num_turns: 1 })
      : "";
    return back + this.item(created, { type: "message", role: "user", content });
  },
  count(time, tokens, state) {
    const { input, output } = sums(tokens);
    const usage = (all) => ({
      ...{ input_tokens: all.input, cached_input_tokens: all.cached, output_tokens: all.output },
      ...{ reasoning_output_tokens: all.reasoning, total_tokens: all.input + all.output },
    });
    const last = { input, output, cached: tokens.cache.read, reasoning: tokens.reasoning };
    const total = { ...last };
    for (const name of Object.keys(last)) total[name] += state.total?.[name] ?? 0;
    state.total = total;
    const info = { total_token_usage: usage(total), last_token_usage: usage(last) };
    return this.event(time, { type: "token_count", info });
  },
  foot: () => "",
};
