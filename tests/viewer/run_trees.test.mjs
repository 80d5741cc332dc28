/** Sessions of tasks in a list of runs: under the run that gave the task, and at the call that started them. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { axeLightAndDark } from "./audit.mjs";
import { settled, thereAre, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { serve } from "./server.mjs";
import { message, taskEvents, text, tool } from "./transcripts.mjs";

const viewer = served();
const START = 1_795_293_000_000;
let folder;
let list;

/** An export of a session, whose messages are of it. */
function exported(id, title, messages, { parentID, day = 0 } = {}) {
  const created = START + day * 86_400_000;
  const own = messages.map(({ info, parts }) => ({
    info: { ...info, sessionID: id, time: { created, completed: created + 1000 } },
    parts: parts.map((part) => ({ ...part, sessionID: id })),
  }));
  const info = {
    ...{ id, title, version: "1", time: { created, updated: created } },
    ...(parentID ? { parentID } : {}),
  };
  return JSON.stringify({ info, messages: own });
}

const task = (state) => tool("task", { prompt: "Look", subagent_type: "general" }, state);

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "viewer-trees-"));
  const files = {
    "boss.json": exported("ses_boss", "The harbour", [
      message("user", [text("How many boats?")]),
      message("assistant", [
        task({ metadata: { sessionId: "ses_boats" } }),
        task({ metadata: {}, output: '{"agent_id":"ses_nets"}' }),
        task({ metadata: { sessionId: "ses_gone" } }),
        task({ metadata: { sessionId: "ses_task" } }),
      ]),
    ]),
    "boats.json": exported(
      ...["ses_boats", "Count the boats", [message("user", [text("Boats?")])]],
      { parentID: "ses_boss", day: 1 },
    ),
    "nets.json": exported("ses_nets", "Mend the nets", [message("user", [text("Nets?")])], {
      ...{ parentID: "ses_boss", day: 2 },
    }),
    "knots.json": exported("ses_knots", "Tie the knots", [message("user", [text("Knots!")])], {
      ...{ parentID: "ses_nets", day: 3 },
    }),
    // Each says to be the other's, and one to be its own.
    "round-a.json": exported("ses_a", "Round A", [message("user", [text("a")])], {
      parentID: "ses_b",
    }),
    "round-b.json": exported("ses_b", "Round B", [message("user", [text("b")])], {
      parentID: "ses_a",
    }),
    "own.json": exported("ses_own", "Own", [message("user", [text("c")])], { parentID: "ses_own" }),
    "tasks.sse": taskEvents(),
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  list = await serve({ paths: [folder] });
});
after(async () => {
  await list?.close();
  if (folder) rmSync(folder, { recursive: true });
});

const visit = (run, options = {}) => viewer.visit({ address: list.url, ...options }, run);
const read = (page) => page.getByText(/^8 runs$/).waitFor();
const titles = (page) => page.locator("tbody .run strong").allInnerTexts();
const depths = (page) =>
  page
    .locator("tbody .run-title")
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute("data-depth")));
const title = (page, name) => page.getByRole("heading", { name, level: 1 }).waitFor();
const taskLinks = (page) => page.getByRole("button", { name: "Open sub-agent’s session" });

describe("a list of runs with those of tasks", () => {
  test("has them under the run that gave the task, however it is sorted", () =>
    visit(async (page) => {
      await read(page);
      const all = await titles(page);
      const at = all.indexOf("The harbour");
      const tree = ["The harbour", "Mend the nets", "Tie the knots", "Count the boats"];
      assert.deepEqual(all.slice(at, at + 4), tree);
      assert.deepEqual((await depths(page)).slice(at, at + 4), ["0", "1", "2", "1"]);
      assert.equal(all.length, 8);
      await page.getByRole("columnheader", { name: "Title" }).getByRole("button").click();
      const sorted = await titles(page);
      const from = sorted.indexOf("The harbour");
      assert.deepEqual(sorted.slice(from, from + 4), [
        ...["The harbour", "Count the boats", "Mend the nets", "Tie the knots"],
      ]);
    }));

  test("folds them away, and back; what is searched for is never folded", () =>
    visit(async (page) => {
      await read(page);
      const fold = page.getByRole("button", { name: "2 sub-agents of The harbour" });
      await fold.click();
      await thereAre(page.locator("tbody .run"), 5);
      assert.equal(await fold.getAttribute("aria-expanded"), "false");
      const search = page.getByRole("searchbox", { name: "Search the runs" });
      await search.fill("Knots!");
      await page.getByText(/^1 of 8 runs, 1 hit in 1$/).waitFor();
      assert.deepEqual(await titles(page), ["Tie the knots"]);
      await search.fill("");
      await thereAre(page.locator("tbody .run"), 5);
      await fold.click();
      await thereAre(page.locator("tbody .run"), 8);
    }));

  test("leads from the call of a task to its session in another file, and back", () =>
    visit(async (page) => {
      await read(page);
      await page.getByRole("button", { name: "The harbour", exact: false }).last().click();
      await title(page, "The harbour");
      await settled(page);
      // The third names a session that is nowhere.
      await thereAre(taskLinks(page), 3);
      await taskLinks(page).first().click();
      await title(page, "Count the boats");
      await settled(page);
      await page.goBack();
      await title(page, "The harbour");
      await settled(page);
      // What came back names the session where the call does not.
      await taskLinks(page).nth(1).click();
      await title(page, "Mend the nets");
      await settled(page);
      await page.getByRole("button", { name: "Back to the runs" }).click();
      await thereAre(page.locator("tbody .run"), 8);
      await page.goForward();
      await title(page, "The harbour");
      await settled(page);
      // A session that stands in another file beside that file's own.
      await taskLinks(page).nth(2).click();
      await title(page, "Look around");
      assert.match(await words(page.locator(".header-title p")), /tasks\.sse/);
      await page.goBack();
      await title(page, "The harbour");
    }));

  for (const width of [1440, 390]) {
    test(`axe has nothing serious to say of it, at ${width} px`, () =>
      visit(
        async (page) => {
          await read(page);
          assert.deepEqual(await axeLightAndDark(page), []);
        },
        { width, height: 844 },
      ));
  }
});
