// Sessions of Codex CLI, one record a line.
import { clock, DOT, line } from "./clock.mjs";

const CWD = "/home/dev/tides";

/** Writes records; tokens are counted up as Codex does. */
class Rollout {
  text = "";
  #total = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, total_tokens: 0 };

  constructor(id, start, meta = {}) {
    this.tick = clock(start);
    const timestamp = this.tick(0);
    const own = { id, timestamp, cwd: CWD, cli_version: "0.77.0", instructions: null };
    this.tell("session_meta", { ...own, originator: "codex_cli_rs", ...meta }, 10);
  }

  tell(type, payload, ms) {
    this.text += line({ timestamp: this.tick(ms), type, payload });
    return this;
  }
  item = (payload, ms) => this.tell("response_item", payload, ms);
  event = (payload, ms) => this.tell("event_msg", payload, ms);
  context = (model = "gpt-made-up-2") =>
    this.tell("turn_context", { cwd: CWD, approval_policy: "on-request", model }, 5);

  user(...content) {
    const items = content.map((one) =>
      typeof one === "string" ? { type: "input_text", text: one } : one,
    );
    return this.item({ type: "message", role: "user", content: items });
  }
  says(text) {
    const content = [{ type: "output_text", text }];
    return this.item({ type: "message", role: "assistant", content });
  }
  thinks(...texts) {
    const summary = texts.map((text) => ({ type: "summary_text", text }));
    return this.item({ type: "reasoning", summary, encrypted_content: null });
  }
  calls(call_id, name, input) {
    return this.item({ type: "function_call", name, arguments: JSON.stringify(input), call_id });
  }
  output(call_id, output) {
    return this.item({ type: "function_call_output", call_id, output }, 400);
  }
  shell(call_id, command, code, output) {
    this.calls(call_id, "shell", { command });
    const head = `Exit code: ${code}\nWall time: 0.2 seconds\nOutput:\n`;
    return this.output(call_id, head + output);
  }
  count(input, output, cached = 0) {
    const last = {
      ...{ input_tokens: input, cached_input_tokens: cached, output_tokens: output },
      total_tokens: input + output,
    };
    for (const name of Object.keys(last)) this.#total[name] += last[name];
    const info = { total_token_usage: { ...this.#total }, last_token_usage: last };
    return this.event({ type: "token_count", info }, 20);
  }
}

/** A session of an editor: what is open there stands before the request. It ends before its answer. */
function editor() {
  const meta = { originator: "codex_vscode", source: "vscode", model_provider: "openai" };
  const rollout = new Rollout("0199b000-0000-7000-8000-00000000ed17", "2026-03-02T08:00:00Z", meta);
  return rollout
    .user(
      `<environment_context>\n  <cwd>${CWD}</cwd>\n  <shell>bash</shell>\n</environment_context>`,
    )
    .context()
    .event({ type: "task_started", model_context_window: 200_000 })
    .user(
      "# Context from my IDE setup:\n\n## Active file: go.mod\n\n## Open tabs:\n- go.mod: go.mod\n- tide.go: src/tide.go\n\n## My request for Codex:\nLook at go.mod: which modules are never used? 潮汐\n",
    )
    .event({ type: "user_message", message: "Look at go.mod", kind: "plain" }, 5)
    .thinks("**Reading the list of modules**", "Then their uses.")
    .says("I read the list and look for uses.")
    .calls("call_mod", "shell", { command: ["cat", "go.mod"], workdir: CWD })
    .calls("call_uses", "shell", { command: ["grep", "-rn", "example.com", "src"] })
    .count(4100, 160, 2048)
    .output(
      "call_mod",
      "Exit code: 0\nWall time: 0.1 seconds\nOutput:\nmodule tides\n\ngo 1.24\n\nrequire example.com/moon v1.2.0\nrequire example.com/sun v0.3.0\n",
    )
    .output(
      "call_uses",
      'Exit code: 0\nWall time: 0.2 seconds\nOutput:\nsrc/tide.go:5:\t"example.com/moon"\n',
    )
    .says("`example.com/sun` is not imported. I remove it.")
    .calls("call_tidy", "shell", { command: ["go", "mod", "tidy"] })
    .count(4600, 60, 4096);
}

/** Compacted, taken back, stopped; a picture, a patch, a call of a server. */
function compaction() {
  const rollout = new Rollout("0199b000-0000-7000-8000-00000000c0aa", "2026-03-03T09:00:00Z", {
    model_provider: "openai",
  });
  const patch =
    "*** Begin Patch\n*** Update File: src/tide.go\n@@\n-\treturn h * 12\n+\treturn h * 12.42\n*** End Patch";
  const edited = JSON.stringify({
    output: "Success. Updated the following files:\nM src/tide.go\n",
    metadata: { exit_code: 0, duration_seconds: 0.1 },
  });
  return rollout
    .context()
    .item({
      type: "message",
      role: "developer",
      content: [{ type: "input_text", text: "Ask before you publish." }],
    })
    .user(`# AGENTS.md instructions for ${CWD}\n\nTests run with \`go test ./...\`.`)
    .user("The tide comes too early.", {
      type: "input_image",
      image_url: `data:image/png;base64,${DOT}`,
    })
    .thinks("A tide takes 12.42 hours.")
    .shell(
      "call_test",
      ["go", "test", "./..."],
      1,
      "--- FAIL: TestHigh (0.00s)\n    want 12.42, got 12\nFAIL\n",
    )
    .count(5000, 90)
    .item({
      type: "custom_tool_call",
      status: "completed",
      call_id: "call_patch",
      name: "apply_patch",
      input: patch,
    })
    .item({ type: "custom_tool_call_output", call_id: "call_patch", output: edited })
    .count(5400, 110, 5000)
    .shell("call_again", ["go", "test", "./..."], 0, "ok\ttides\t0.01s\n")
    .says("A tide takes 12.42 hours now, and the tests pass.")
    .count(5700, 40, 5300)
    .event({ type: "task_complete", last_agent_message: "Done" })
    .tell("compacted", {
      message: "The tides' length was mended; publishing is open.",
      replacement_history: [],
    })
    .user("Publish it.")
    .calls("call_publish", "shell", { command: ["git", "push"] })
    .output("call_publish", { content: "The user rejected this command.", success: false })
    .event({ type: "thread_rolled_back", num_turns: 1 })
    .user("Watch the tests instead.")
    .calls("call_watch", "shell", { command: ["go", "test", "-watch"] })
    .count(3000, 20)
    .event({ type: "turn_aborted", reason: "interrupted" }, 9000)
    .event({ type: "thread_name_updated", thread_name: "Tides of 12.42 hours" });
}

/** Items that are seldom, each once. */
function odd() {
  const rollout = new Rollout("0199b000-0000-7000-8000-0000000000dd", "2026-03-04T10:00:00Z");
  return rollout
    .context("gpt-made-up-3")
    .user("<user_instructions>\nBe brief.\n</user_instructions>")
    .user("When is high water?")
    .item({ type: "reasoning", summary: [], encrypted_content: "bWFkZSB1cA==" })
    .item({
      ...{ type: "web_search_call", id: "ws_1", status: "completed" },
      action: { type: "search", query: "high water" },
    })
    .item({
      ...{ type: "local_shell_call", call_id: "call_local", status: "completed" },
      action: { type: "exec", command: ["date"] },
    })
    .event({ type: "exec_command_end", call_id: "call_local", exit_code: 0 })
    .output("call_local", [{ type: "input_text", text: "Wed Mar  4" }])
    .item({
      ...{ type: "function_call", call_id: "call_mcp", name: "tides", namespace: "mcp__sea__" },
      arguments: '{"day": not JSON',
    })
    .output("call_mcp", [
      { type: "input_text", text: "14:05" },
      { type: "input_image", image_url: `data:image/png;base64,${DOT}` },
    ])
    .output("call_lost", "A result whose call is not there.")
    .event({ type: "stream_error", message: "stream disconnected before completion" })
    .says("At five past two.")
    .event({ type: "token_count", info: null, rate_limits: { primary: { used_percent: 2 } } })
    .count(900, 30)
    .event({ type: "error", message: "The usage limit is reached." });
}

export const codex = {
  "codex.vscode.jsonl": () => editor().text,
  "codex.compaction.jsonl": () => compaction().text,
  "codex.odd-items.jsonl": () => odd().text,
};
