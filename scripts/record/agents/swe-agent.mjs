// Trajectories of SWE-agent.

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
const state = { working_dir: "/tides", open_file: "n/a" };

const STEPS = [
  {
    thought: "I look for the hours of a tide.",
    call: ["grep", { pattern: "12" }],
    action: "grep -rn 12 src",
    observation: "src/tide.py:3:    return h * 12",
  },
  {
    thought: "Let me see the tests fail first.",
    call: ["bash", { command: "python -m pytest -q" }],
    action: "python -m pytest -q",
    observation: "1 failed, 3 passed in 0.12s\nE  assert 12 == 12.42",
  },
  {
    thought: "I change the number.",
    call: ["str_replace", { path: "src/tide.py", old: "12", new: "12.42" }],
    action: "str_replace src/tide.py 12 12.42",
    observation: "The file src/tide.py has been edited.",
  },
  { thought: "All tests pass ✅", call: ["submit", {}], action: "submit", observation: "" },
];

const system = {
  role: "system",
  content: "You work in a shell.",
  agent: "main",
  message_type: "system_prompt",
};
const task = {
  ...{ role: "user", agent: "main", message_type: "observation" },
  content: [{ type: "text", text: "We are solving the issue: tides come too early." }],
};

/** The history of the steps; with `calls` they are function calls. */
const historyOf = (steps, calls) =>
  steps.flatMap(({ thought, call: [name, input], action, observation }, at) => {
    const id = `call_${at + 1}`;
    const tool_calls = [
      { id, type: "function", function: { name, arguments: JSON.stringify(input) } },
    ];
    const step = { role: "assistant", content: thought, thought, action, agent: "main" };
    const seen = { content: observation, agent: "main", message_type: "observation" };
    return [
      { ...step, ...(calls ? { tool_calls } : {}), message_type: "action" },
      calls ? { role: "tool", ...seen, tool_call_ids: [id] } : { role: "user", ...seen },
    ];
  });

const trajectoryOf = (steps) =>
  steps.map(({ thought, action, observation }, at) => ({
    ...{ action, observation, response: thought, thought, state },
    execution_time: (at + 1) / 4,
  }));

const info = (exit_status) => ({
  ...{ exit_status, submission: "diff --git a/src/tide.py b/src/tide.py\n" },
  model_stats: { instance_cost: 0.25, tokens_sent: 21_000, tokens_received: 400, api_calls: 4 },
});
const replay_config = JSON.stringify({ agent: { model: { name: "gpt-made-up-2" } } });

const functionCalls = () => ({
  environment: "tides",
  trajectory: trajectoryOf(STEPS),
  history: [system, task, ...historyOf(STEPS, true)],
  ...{ info: info("submitted"), replay_config },
});

/** As demonstrations are kept: the history alone. */
const historyOnly = () => ({
  history: [
    system,
    {
      role: "user",
      content: "Here is a demonstration.",
      agent: "main",
      is_demo: true,
      message_type: "demonstration",
    },
    task,
    ...historyOf(STEPS, false),
  ],
});

/** A step without an action, thoughts of the model, and an end by the limit of costs. */
function limited() {
  const odd = {
    ...{ action: "", thought: "", state, execution_time: 0 },
    response: "The number is wrong.",
    observation: "Your output was not formatted correctly. Use exactly one command.",
  };
  const [first, ...more] = trajectoryOf(STEPS.slice(0, 3));
  const thinking_blocks = [
    { type: "thinking", thinking: "Where is it?", signature: "bWFkZSB1cA==" },
  ];
  return {
    environment: "tides_limited",
    trajectory: [{ ...first, thinking_blocks }, odd, ...more],
    history: [system, task, ...historyOf(STEPS.slice(0, 1), false)],
    ...{ info: info("exit_cost"), replay_config },
  };
}

export const sweAgent = {
  "swe-agent.function-calls.traj": () => json(functionCalls()),
  "swe-agent.history-only.traj": () => json(historyOnly()),
  "swe-agent.limited.traj": () => json(limited()),
};
