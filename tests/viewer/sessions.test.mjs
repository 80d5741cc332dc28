/** A file with the sessions of tasks: each can be read and searched, and one can go back. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { axeLightAndDark } from "./audit.mjs";
import { drop, partRow, saved, settled, thereAre, troubleKnown, words } from "./browser.mjs";
import { served } from "./served.mjs";
import { serve } from "./server.mjs";
import { sample, taskEvents } from "./transcripts.mjs";

const viewer = served();

const { visit } = viewer;

const title = (page, name) => page.getByRole("heading", { name, level: 1 }).waitFor();
const choice = (page) => page.getByRole("combobox", { name: "Session" });
const chosen = (page) => page.locator(".row[data-selected]");
const link = (page, hash) => page.waitForFunction((wanted) => location.hash === wanted, hash);

async function opened(page, content = taskEvents(), name = "tasks.sse") {
  await drop(page, name, content);
  await page.locator(".header-title p", { hasText: name }).waitFor();
  await choice(page).waitFor();
  await settled(page);
}

/** Opens the task's session from the card of the call that started it. */
async function task(page) {
  const button = partRow(page, 1, 1).getByRole("button", { name: "Open sub-agent’s session" });
  await button.focus();
  await page.keyboard.press("Enter");
  await title(page, "Look around");
  await settled(page);
}

describe("the session of a task", () => {
  test("opens from the call's card, as the transcript on screen, and back", () =>
    viewer.share({}, async (page) => {
      await opened(page);
      await thereAre(page.locator(".row-message"), 3);
      await task(page);
      await thereAre(page.locator(".row-message"), 2);
      assert.match(await words(partRow(page, 0, 0)), /List the files of the harbour/);
      assert.match(await words(partRow(page, 1, 2)), /Two lighthouses and a boat/);
      assert.match(await words(page.locator(".header-title p")), /tasks\.sse · OpenCode Events/);
      assert.equal(await choice(page).inputValue(), "ses_task");
      // The keyboard is in it, at its beginning.
      assert.match(await chosen(page).getAttribute("aria-label"), /^Message 0,/);
      assert.ok(await chosen(page).evaluate((row) => row === document.activeElement));
      // Its outline, and its errors.
      const outline = await page.locator(".outline-text").allInnerTexts();
      assert.match(outline.join(), /List the files of the harbour,Two lighthouses and a boat\.$/);
      await page.keyboard.press("n");
      assert.match(await chosen(page).getAttribute("aria-label"), /^Message 1, part 0: tool bash/);
      await troubleKnown(page);
      assert.equal(await words(page.locator(".facts .trouble")), "1 failed");
      // A recording is of the whole file.
      assert.equal(await page.getByRole("button", { name: "Replay" }).count(), 0);

      await page.getByRole("button", { name: "Back", exact: true }).click();
      await title(page, "Count the files");
      await settled(page);
      assert.match(await chosen(page).getAttribute("aria-label"), /^Message 1, part 1: tool task/);
      assert.ok(await chosen(page).evaluate((row) => row === document.activeElement));
      await page.getByRole("button", { name: "Replay" }).waitFor();
    }));

  test("opens from the call's card where its id is that of its parent and the call", () =>
    visit({}, async (page) => {
      const event = (type, data, seconds) => {
        const timestamp = `2026-03-26T17:50:${30 + seconds}.000Z`;
        return JSON.stringify({ type, data, id: `e${seconds}`, timestamp, parentId: null });
      };
      const asked = [{ toolCallId: "call_7", name: "task", arguments: { prompt: "Look" } }];
      const child = { parentToolCallId: "call_7" };
      const log = [
        event("session.start", { sessionId: "abc", version: 1, context: { cwd: "/w" } }, 0),
        event("user.message", { content: "Ask somebody" }, 1),
        event("assistant.message", { messageId: "m1", content: "", toolRequests: asked }, 2),
        event("tool.execution_start", { toolCallId: "call_7", toolName: "task" }, 3),
        event("subagent.started", { toolCallId: "call_7", agentDisplayName: "Looker" }, 4),
        event(
          "assistant.message",
          { messageId: "m2", content: "A harbour.", toolRequests: [], ...child },
          5,
        ),
        event("tool.execution_complete", { toolCallId: "call_7", success: true }, 6),
      ];
      await opened(page, log.join("\n"), "events.jsonl");
      await page.getByRole("button", { name: "Open sub-agent’s session" }).click();
      await page.locator(".row").getByText("A harbour.").waitFor();
      assert.equal(await choice(page).inputValue(), "abc/call_7");
    }));

  test("is searched by itself", () =>
    viewer.share({}, async (page) => {
      await opened(page);
      const count = page.locator(".search-count");
      await page.keyboard.press("/");
      await page.keyboard.type("lighthouses");
      await count.getByText("No match").waitFor();
      await page.keyboard.press("Escape");
      await task(page);
      await page.keyboard.press("/");
      await page.getByRole("search").getByRole("textbox").fill("lighthouses");
      await count.getByText("1 match").waitFor();
      await page.keyboard.press("Enter");
      await link(page, "#s=ses_task&m=1&p=2&q=lighthouses");
    }));

  test("is chosen from a list, those of tasks of tasks too, the file's own first", () =>
    viewer.share({}, async (page) => {
      await opened(page);
      const names = await choice(page).locator("option").allTextContents();
      assert.deepEqual(
        names.map((name) => name.trim()),
        ["Count the files", "Look around", "Look deeper"],
      );
      await choice(page).selectOption("ses_deep");
      await title(page, "Look deeper");
      assert.match(await words(partRow(page, 0, 0)), /Look under the boat/);
      await page.getByRole("button", { name: "Back", exact: true }).click();
      await title(page, "Look around");
      const deeper = partRow(page, 1, 1).getByRole("button", { name: "Open sub-agent’s session" });
      await deeper.click();
      await title(page, "Look deeper");
      await choice(page).selectOption({ index: 0 });
      await title(page, "Count the files");
      assert.equal(await page.getByRole("button", { name: "Back", exact: true }).count(), 0);
    }));

  test("is the last that was chosen, however quickly one after the other", () =>
    viewer.share({}, async (page) => {
      await opened(page);
      await page.evaluate(() => {
        const select = document.querySelector(".session-choice");
        for (const id of ["ses_deep", "ses_task", "", "ses_task"]) {
          select.value = id;
          select.dispatchEvent(new Event("change", { bubbles: true }));
        }
      });
      await title(page, "Look around");
      await settled(page);
      assert.equal(await words(page.locator("h1")), "Look around");
      assert.equal(await choice(page).inputValue(), "ses_task");
      await thereAre(page.locator(".row-message"), 2);
      assert.match(await words(partRow(page, 1, 2)), /Two lighthouses and a boat/);
    }));

  test("stands in links, which lead there", () =>
    viewer.share({}, async (page) => {
      await opened(page);
      await task(page);
      await page.keyboard.press("j");
      await page.keyboard.press("j");
      await link(page, "#s=ses_task&m=1&p=0");
      const go = (hash) =>
        page.evaluate((wanted) => {
          location.hash = wanted;
        }, hash);
      await go("#m=2&p=0");
      await title(page, "Count the files");
      await page.locator('.row[data-selected][aria-label^="Message 2, part 0"]').waitFor();
      await go("#s=ses_task&m=1&p=2");
      await title(page, "Look around");
      await page.locator('.row[data-selected][aria-label^="Message 1, part 2"]').waitFor();
      await go("#s=ses_none");
      await page.getByRole("status").getByText("This file has no session ses_none.").waitFor();
      assert.equal(await words(page.locator("h1")), "Look around");
    }));

  test("is named by the link that the page opens with", async () => {
    const folder = mkdtempSync(join(tmpdir(), "sessions-"));
    const file = join(folder, "tasks.sse");
    writeFileSync(file, taskEvents());
    const own = await serve({ file });
    try {
      await visit({ address: `${own.url}#s=ses_task&m=1&p=2` }, async (page) => {
        await title(page, "Look around");
        await page.locator('.row[data-selected][aria-label^="Message 1, part 2"]').waitFor();
        assert.ok(page.url().endsWith("#s=ses_task&m=1&p=2"), page.url());
      });
    } finally {
      await own.close();
      rmSync(folder, { recursive: true });
    }
  });

  test("goes when another file is opened, also where that fails", () =>
    viewer.share({}, async (page) => {
      await opened(page);
      await task(page);
      await drop(page, "notes.txt", "no transcript");
      await page.getByRole("alert").waitFor();
      assert.equal(await choice(page).count(), 0);
      assert.doesNotMatch(page.url(), /#/);
      await opened(page);
      await task(page);
      await drop(page, "own.json", sample("provider-errors.json"));
      await title(page, "provider-errors");
      await settled(page);
      assert.equal(await choice(page).count(), 0);
      assert.doesNotMatch(page.url(), /#/);
    }));

  test("can be exported as any transcript", () =>
    viewer.share({}, async (page) => {
      await opened(page);
      await task(page);
      await page.getByRole("button", { name: "Share…" }).click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("dialog").getByRole("button", { name: /^JSON/ }).click(),
      ]);
      const { info, messages } = JSON.parse(await saved(download));
      assert.equal(info.id, "ses_task");
      assert.equal(messages.length, 2);
    }));

  for (const width of [1440, 390]) {
    test(`without a serious finding of axe: light and dark, ${width} px`, () =>
      viewer.share({ width }, async (page) => {
        await opened(page);
        assert.deepEqual(await axeLightAndDark(page), []);
        await task(page);
        assert.deepEqual(await axeLightAndDark(page), []);
        assert.ok(!(await page.evaluate(() => document.body.scrollWidth > innerWidth)));
      }));
  }
});

describe("a file with one session has no list of them", () => {
  const whole = JSON.parse(sample("provider-errors.json"));
  const moved = { ...whole, info: { ...whole.info, id: "ses_other" } };
  for (const [name, content] of [
    ["that its messages are of", whole],
    ["of another id than its messages say", moved],
  ]) {
    test(name, () =>
      viewer.share({}, async (page) => {
        await drop(page, "own.json", JSON.stringify(content));
        await title(page, "provider-errors");
        await settled(page);
        // The loops are looked for after the sessions are known.
        await troubleKnown(page);
        assert.equal(await choice(page).count(), 0);
      }),
    );
  }
});
