// task.
import assert from "node:assert/strict";
import { test } from "node:test";
import { allow, deny, outcome, registryOver, start } from "./one-call.mjs";

const input = { description: "Say hi", prompt: "Say hi to all", subagent_type: "general" };

/** A host that runs tasks, and the requests that it got. */
function hostOf(give = () => ({ sessionID: "ses_child", text: "all good" }), more = {}) {
  const requests = [];
  const runTask = async (request) => {
    requests.push(request);
    return give(request);
  };
  return { runTask, requests, ...more };
}

const DENIED = [deny("todowrite", "*"), deny("task", "*")];

test("without runTask there is no such tool", () => {
  assert.equal(registryOver({}).registry.has("task"), false);
});

test("a task is asked for, started, and its answer shown", async () => {
  const model = { providerID: "p", modelID: "m" };
  const host = hostOf(() => ({ sessionID: "ses_child", text: "line\n<b>", model }));
  const { state, asks } = await outcome(host, "task", input);
  assert.equal(state.status, "completed");
  assert.equal(
    state.output,
    '<task id="ses_child" state="completed">\n<task_result>\nline\n<b>\n</task_result>\n</task>',
  );
  assert.equal(state.title, "Say hi");
  const metadata = { parentSessionId: "ses_1", sessionId: "ses_child", model };
  assert.deepEqual(state.metadata, metadata);
  const { permission, patterns } = asks[0];
  assert.deepEqual([permission, patterns, asks.length], ["task", ["general"], 1]);
  const [{ abort, ...request }] = host.requests;
  assert.ok(abort instanceof AbortSignal);
  assert.deepEqual(request, {
    sessionID: "ses_1",
    messageID: "msg_1",
    agent: "general",
    description: "Say hi",
    prompt: "Say hi to all",
    depth: 1,
    rules: DENIED,
  });
});

test("an earlier task is gone on with; no model, no metadata of one", async () => {
  const host = hostOf();
  const { state } = await outcome(host, "task", { ...input, task_id: "ses_before" });
  assert.equal(host.requests[0].taskID, "ses_before");
  assert.deepEqual(state.metadata, { parentSessionId: "ses_1", sessionId: "ses_child" });
});

test("a task gets the denials of its parent and its rules for directories", async () => {
  const rules = [
    allow("bash", "*"),
    deny("bash", "rm *"),
    deny("external_directory", "*"),
    allow("external_directory", "/data/*"),
    { permission: "edit", pattern: "*", action: "ask" },
  ];
  const own = [deny("read", "*.env"), allow("read", "x.env")];
  const host = hostOf();
  await outcome(host, "task", input, { rules, call: { rules: [own] } });
  assert.deepEqual(host.requests[0].rules, [rules[1], rules[2], rules[3], own[0], ...DENIED]);
});

test("todowrite and task are denied unless the agent's own rules have them", async () => {
  const given = async (agentRules) => {
    const host = hostOf(undefined, { agentRules: () => agentRules });
    await outcome(host, "task", input);
    return host.requests[0].rules;
  };
  assert.deepEqual(await given(undefined), DENIED);
  assert.deepEqual(await given([allow("*", "*")]), DENIED);
  for (const name of ["todowrite", "todo-write"]) {
    assert.deepEqual(await given([allow(name, "*")]), [DENIED[1]]);
  }
  assert.deepEqual(await given(Promise.resolve([allow("task", "x"), deny("todowrite", "*")])), []);
});

test("a task starts no other, unless the host lets tasks be nested", async () => {
  const nested = async (depth, maxTaskDepth) => {
    const host = hostOf(undefined, maxTaskDepth === undefined ? {} : { maxTaskDepth });
    const call = depth === undefined ? {} : { extra: { depth } };
    const { state, asks } = await outcome(host, "task", input, { call });
    return state.status === "completed"
      ? host.requests[0].depth
      : `${state.metadata.kind} ${asks.length} ${host.requests.length}`;
  };
  assert.equal(await nested(0), 1);
  assert.equal(await nested(1), "expected 0 0");
  assert.equal(await nested(1, 2), 2);
  assert.equal(await nested(2, 2), "expected 0 0");
  assert.equal(await nested(undefined, 0), "expected 0 0");
  assert.equal(await nested("1"), 1);
});

test("an agent that is not known, and a task that fails, are no faults of the tool", async () => {
  const host = hostOf(() => {
    throw new Error("There is no agent nobody. Agents here: general, plan.");
  });
  const { registry } = registryOver(host);
  for (let i = 0; i < 4; i++) {
    const ids = { callID: `call_${i}`, sessionID: "ses_1", messageID: "msg_1" };
    const { state } = await registry.execute({ ...ids, tool: "task", input });
    assert.deepEqual([state.status, state.metadata.kind], ["error", "expected"]);
    assert.equal(state.error, "There is no agent nobody. Agents here: general, plan.");
  }
});

test("a host that gives no answer is a fault", async () => {
  for (const given of [undefined, {}, { sessionID: "x" }, { sessionID: 1, text: "x" }]) {
    const { state } = await outcome(
      hostOf(() => given),
      "task",
      input,
    );
    assert.deepEqual([state.status, state.metadata.kind], ["error", "fault"]);
  }
});

test("turned down, nothing is started; an abort reaches the task", async () => {
  const host = hostOf();
  const refused = await outcome(host, "task", input, { reply: () => "reject" });
  assert.equal(refused.state.metadata.kind, "permission");
  assert.equal(host.requests.length, 0);

  let begun;
  const started = new Promise((resolve) => {
    begun = resolve;
  });
  const waiting = hostOf(({ abort }) => {
    begun();
    return new Promise((_, reject) => {
      abort.addEventListener("abort", () => reject(abort.reason));
    });
  });
  const { run } = start(waiting, "task", input);
  await started;
  run.abort("enough");
  const { state } = await run;
  assert.deepEqual([state.status, state.error], ["error", "Aborted: enough"]);
});

test("an id cannot end the tag that it is in", async () => {
  const host = hostOf(() => ({ sessionID: 'a"><b', text: "" }));
  const { state } = await outcome(host, "task", input);
  assert.match(state.output, /^<task id="a&quot;&gt;&lt;b" state="completed">\n/);
});
