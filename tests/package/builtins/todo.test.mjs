// todo-write and todo-read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { deny, outcome, registryOver } from "./one-call.mjs";

const call = (registry, tool, input, sessionID = "ses_1") =>
  registry
    .execute({ callID: "call_1", messageID: "msg_1", sessionID, tool, input })
    .then(({ state }) => state);

const list = [
  { content: "one", status: "completed", priority: "high" },
  { content: "two", status: "in_progress", priority: "medium" },
  { content: "three", status: "cancelled", priority: "low" },
  { content: "four", status: "pending", priority: "low", id: "4" },
];

test("a list is written, shown as JSON, and counted without what is done", async () => {
  const { state, asks } = await outcome({}, "todo-write", { todos: list });
  assert.equal(state.status, "completed");
  assert.equal(state.title, "2 todos");
  assert.equal(state.output, JSON.stringify(list, null, 2));
  assert.deepEqual(state.metadata, { todos: list });
  assert.equal(asks.length, 1);
  const { permission, patterns, always } = asks[0];
  assert.deepEqual([permission, patterns, always], ["todowrite", ["*"], ["*"]]);
});

test("a list replaces the one of its session only, and is read without being asked for", async () => {
  const { registry, asks } = registryOver({});
  await call(registry, "todo-write", { todos: list });
  await call(registry, "todo-write", { todos: [list[0]] }, "ses_2");
  await call(registry, "todo-write", { todos: [list[1]] });
  asks.length = 0;
  const own = await call(registry, "todo-read", {});
  assert.equal(own.output, JSON.stringify([list[1]], null, 2));
  assert.equal(own.title, "1 todos");
  assert.deepEqual(own.metadata, { todos: [list[1]] });
  assert.equal((await call(registry, "todo-read", {}, "ses_2")).title, "0 todos");
  const none = await call(registry, "todo-read", {}, "ses_3");
  assert.deepEqual([none.title, none.output], ["0 todos", "[]"]);
  assert.equal(asks.length, 0);
});

test("lists of different hosts are apart; what is shown is a copy", async () => {
  const one = registryOver({}).registry;
  const two = registryOver({}).registry;
  const written = await call(one, "todo-write", { todos: [list[0]] });
  written.metadata.todos[0].content = "changed";
  written.metadata.todos.push("more");
  assert.deepEqual((await call(one, "todo-read", {})).metadata.todos, [list[0]]);
  assert.deepEqual((await call(two, "todo-read", {})).metadata.todos, []);
});

test("priority is medium unless given; only a status that there is is taken", async () => {
  const todo = { content: "x", status: "pending", activeForm: "Doing x" };
  const { state } = await outcome({}, "todo-write", { todos: [todo] });
  assert.deepEqual(state.metadata.todos, [{ content: "x", status: "pending", priority: "medium" }]);
  for (const todos of [[{ ...todo, status: "doing" }], [{ status: "pending" }], "one", undefined]) {
    const { state: refused, asks } = await outcome({}, "todo-write", { todos });
    assert.equal(refused.status, "error");
    assert.equal(refused.metadata.kind, "arguments");
    assert.equal(asks.length, 0);
  }
});

test("the host's store is used, waited for, and its failure is an error", async () => {
  const stored = new Map();
  const todos = {
    get: async (sessionID) => stored.get(sessionID),
    set: async (sessionID, given) => void stored.set(sessionID, given),
  };
  const { registry } = registryOver({ todos });
  assert.equal((await call(registry, "todo-read", {})).output, "[]");
  await call(registry, "todo-write", { todos: list });
  assert.deepEqual(stored.get("ses_1"), list);
  assert.equal((await call(registry, "todo-read", {})).title, "2 todos");
  todos.set = async () => {
    throw new Error("the disk is full");
  };
  const failed = await call(registry, "todo-write", { todos: [] });
  assert.deepEqual([failed.status, failed.error], ["error", "the disk is full"]);
});

test("turned down, nothing is written", async () => {
  const { registry } = registryOver({}, { reply: () => "reject" });
  const refused = await call(registry, "todo-write", { todos: list });
  assert.equal(refused.metadata.kind, "permission");
  assert.equal((await call(registry, "todo-read", {})).output, "[]");
});

test("the tools are found by OpenCode's names in any case, and denied under either name", async () => {
  const { registry } = registryOver({}, { rules: [deny("todo-write", "*")] });
  for (const name of ["TodoRead", "todoread", "Todo_Read"]) {
    assert.equal((await call(registry, name, {})).title, "0 todos", name);
  }
  const { error } = await call(registry, "TodoWrite", { todos: [] });
  assert.match(error, /Rules for todowrite: deny todo-write "\*"/);
});
