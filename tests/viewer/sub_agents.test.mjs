/** Files of sub-agents in a list of runs: Claude Code keeps them in a folder beside the session that they work for. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { serve } from "./server.mjs";

const viewer = served();
let folder;
let list;

let written = 0;
/** The lines of Claude Code for a prompt, and for calls of Bash that fail. */
function session(prompt, failures, more = {}) {
  const at = () => new Date(1_785_578_400_000 + 1000 * ++written).toISOString();
  let parentUuid = null;
  const line = (type, message) => {
    const uuid = `u${written}`;
    const one = { parentUuid, isSidechain: false, sessionId: "S", version: "2.1.200", cwd: "/w" };
    parentUuid = uuid;
    return { ...one, type, message: { role: type, ...message }, uuid, timestamp: at(), ...more };
  };
  const lines = [line("user", { content: prompt })];
  for (let i = 0; i < failures; i++) {
    const id = `toolu_${written}`;
    const call = { type: "tool_use", id, name: "Bash", input: { command: `false ${i}` } };
    const usage = { input_tokens: 3, output_tokens: 5 };
    lines.push(
      line("assistant", { id: `msg_${id}`, model: "m", usage, content: [call] }),
      line("user", {
        content: [{ type: "tool_result", tool_use_id: id, content: "Exit code 1", is_error: true }],
      }),
    );
  }
  const said = { id: `msg_${written}`, model: "m", content: [{ type: "text", text: "Done" }] };
  lines.push(line("assistant", said));
  return `${lines.map((one) => JSON.stringify(one)).join("\n")}\n`;
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "viewer-sub-agents-"));
  const beside = join(folder, "boss", "subagents");
  mkdirSync(beside, { recursive: true });
  const agent = (agentId) => ({ isSidechain: true, agentId });
  const files = {
    "boss.jsonl": session("Count the boats", 1),
    "other.jsonl": session("Mend the nets", 2, { sessionId: "T" }),
    "boss/subagents/agent-a1.jsonl": session("Count those in the north", 2, agent("a1")),
    "boss/subagents/agent-a2.jsonl": session("Count those in the south", 0, agent("a2")),
    "boss/subagents/agent-a1.meta.json": '{"agentType":"Explore"}',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  list = await serve({ paths: [folder] });
});
after(async () => {
  await list?.close();
  if (folder) rmSync(folder, { recursive: true });
});

const visit = (run) => viewer.visit({ address: list.url }, run);
const lines = (page) => page.locator("tbody .run");
const titles = (page) => page.locator("tbody .run strong").allInnerTexts();
const failed = (page, name) => words(lines(page).filter({ hasText: name }).locator(".run-failed"));

describe("files of sub-agents in a list of runs", () => {
  test("are under the run that they work for, and no runs of their own", () =>
    visit(async (page) => {
      await page.getByText(/^2 runs$/).waitFor();
      await thereAre(lines(page), 4);
      const all = await titles(page);
      const at = all.indexOf("Count the boats");
      assert.deepEqual(all.slice(at + 1, at + 3).sort(), [
        ...["Count those in the north", "Count those in the south"],
      ]);
      await page.getByRole("button", { name: "2 sub-agents of Count the boats" }).click();
      await thereAre(lines(page), 2);
    }));

  test("count in the row of that run, also where the list is sorted", () =>
    visit(async (page) => {
      await page.getByText(/^2 runs$/).waitFor();
      assert.equal(await failed(page, "Count the boats"), "3");
      assert.equal(await failed(page, "Mend the nets"), "2");
      assert.equal(await failed(page, "in the north"), "2");
      await page.getByRole("columnheader", { name: "Failed" }).getByRole("button").click();
      assert.equal((await titles(page))[0], "Count the boats");
    }));

  test("are found by a search, which counts their run", () =>
    visit(async (page) => {
      await page.getByText(/^2 runs$/).waitFor();
      await page.getByRole("searchbox", { name: "Search the runs" }).fill("in the south");
      await page.getByText(/^1 of 2 runs, 1 hit in 1$/).waitFor();
      assert.deepEqual(await titles(page), ["Count those in the south"]);
    }));
});
