// Whatever a built-in tool asks, rules about that permission turn the tool off (`permission_of` in the crate of the shell).
import assert from "node:assert/strict";
import { test } from "node:test";
import { memoryHost } from "../fixtures/memory-files.mjs";
import { outcome, registryOver } from "./one-call.mjs";

const { Permission } = await import("../../../pkg/node.mjs");

/** A call of each tool, as a model would make it first. */
const CALLS = {
  bash: { command: "ls" },
  read: { filePath: "a.txt" },
  glob: { pattern: "*.txt" },
  grep: { pattern: "x" },
  edit: { filePath: "a.txt", oldString: "x", newString: "y" },
  write: { filePath: "b.txt", content: "x" },
  task: { description: "look", prompt: "Look.", subagent_type: "explore" },
  "web-fetch": { url: "https://93.184.216.34/" },
  "todo-write": { todos: [{ content: "x", status: "pending" }] },
  "todo-read": {},
  "web-search": { query: "x" },
  "code-search": { query: "x" },
};
/** What asks nothing: it only returns what the session has. */
const SILENT = ["todo-read"];

const host = () => ({
  ...memoryHost({ "/work/a.txt": "x\n" }),
  runTask: async () => ({ sessionID: "ses_2", text: "seen" }),
  search: { search: async () => [] },
  codeSearch: { search: async () => [] },
});

test("each built-in tool is off if what it asks is denied, and asks nothing else", async () => {
  const ids = registryOver(host()).registry.ids();
  assert.deepEqual([...ids].sort(), Object.keys(CALLS).sort(), "every tool has a call here");
  for (const id of ids) {
    const { state, asks } = await outcome(host(), id, CALLS[id]);
    assert.equal(state.status, "completed", `${id}: ${state.error}`);
    const permissions = new Set(asks.map(({ permission }) => permission));
    assert.equal(permissions.size, SILENT.includes(id) ? 0 : 1, `${id} asks ${[...permissions]}`);
    for (const permission of permissions) {
      const off = Permission.disabled([id], Permission.fromConfig({ [permission]: "deny" }));
      assert.deepEqual([...off], [id], `${id} asks ${permission}, which does not turn it off`);
    }
  }
});
