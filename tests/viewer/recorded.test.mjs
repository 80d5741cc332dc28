/** Recorded sessions in the viewer: of OpenCode with a task, and of other agents. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, test } from "node:test";
import { Transcript } from "../../pkg/node.mjs";
import { isOthers, recorded, recordedFiles } from "../recorded.mjs";
import { drop, settled, words } from "./browser.mjs";
import { served } from "./served.mjs";

const viewer = served();

const title = (page, name) => page.getByRole("heading", { name, level: 1 }).waitFor();
const strip = (page) => page.getByRole("region", { name: "Timeline" });

async function opened(page, path) {
  const name = basename(path);
  await drop(page, name, readFileSync(path, "utf8"));
  await page.locator(".header-title", { hasText: name }).waitFor();
  await settled(page);
}

describe("a session with a task", () => {
  const path = recorded("opencode", "subtask.events.sse");
  const transcript = Transcript.open(readFileSync(path));
  const [root, task] = transcript.sessions;
  const agents = [root, task].map(
    ({ id }) => transcript.messagesOf(id).find(({ info }) => info.role === "assistant").info.agent,
  );
  const [{ parts: asked }] = transcript.messagesOf(task.id);
  transcript.free();

  test("opens the task's session from its call", () =>
    viewer.share({}, async (page) => {
      await opened(page, path);
      await title(page, root.title);
      await page.getByRole("button", { name: "Open sub-agent’s session" }).click();
      await title(page, task.title);
      await settled(page);
      const { text } = asked.find(({ type }) => type === "text");
      const shown = await words(page.locator(".pane-transcript"));
      assert.ok(shown.includes(text.split("\n")[0]), text);
    }));

  test("has a lane of the timeline for the agent that did it", () =>
    viewer.share({}, async (page) => {
      await opened(page, path);
      await strip(page).getByText(agents[1], { exact: true }).waitFor();
      const lanes = strip(page).locator("li .timeline-name");
      assert.deepEqual(await lanes.allInnerTexts(), agents);
      const said = await strip(page).locator("p.hidden").textContent();
      assert.match(said, /^2 agents, [\d.]+ s, nothing failed\./);
    }));
});

describe("a session of another agent", () => {
  /** How some of other people's recordings end. */
  const ENDINGS = {
    "codex.vscode.jsonl": "cut off",
    // The user cancelled the request.
    "gemini-cli.session.jsonl": "aborted",
    "swe-agent.function-calls.traj": "finished",
  };
  /** Of other people's recordings: one of an agent that is not known, and one without a message. */
  const EMPTY = ["qwen.small.jsonl", "inspect.no-samples.json"];
  const files = recordedFiles("agents", /\.(?:jsonl?|traj)$/);

  for (const path of files.filter((path) => !EMPTY.includes(basename(path)))) {
    const name = basename(path);
    test(`${name} opens`, () =>
      viewer.share({}, async (page) => {
        await opened(page, path);
        if (!Object.hasOwn(ENDINGS, name)) return;
        const status = page.locator(".facts .status");
        await status.getByText(ENDINGS[name], { exact: true }).waitFor();
      }));
  }

  if (isOthers) {
    test("has the title that a person would give it", () =>
      viewer.share({}, async (page) => {
        await opened(page, recorded("agents", "codex.vscode.jsonl"));
        const asked = /^幫我檢查一下 go.mod/;
        assert.match(await words(page.locator(".header h1")), asked);
        await page.locator(".summary").getByText(asked).first().waitFor();
        const entries = page.locator(".outline-text:not(.outline-tools)");
        for (const entry of await entries.allInnerTexts()) {
          assert.doesNotMatch(entry, /environment_context/);
        }
      }));

    test("of those whose ending is known, each is there", () => {
      for (const name of Object.keys(ENDINGS)) recorded("agents", name);
    });
  }
});
